// Least squares with weights between 0 and a limit, by coordinate descent on the normal equations.

/** The normal equations of a weighted fit: gram · weights = target. Row-major, `size` × `size`. */
export interface NormalEquations {
  readonly size: number;
  readonly gram: Float64Array;
  readonly target: Float64Array;
  /** The largest weight allowed, each. */
  readonly most: Float64Array;
}

const MOST_ROUNDS = 600;
const SMALL_STEP = 1e-4;

/** The weights from 0 to their limits that minimise the squared error. */
export function solveNonNegative({ size, gram, target, most }: NormalEquations): Float64Array {
  const weights = new Float64Array(size);
  const gradient = target.map((value) => -value);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let largest = 0;
    for (let index = 0; index < size; index++) {
      const best = weights[index]! - gradient[index]! / gram[index * size + index]!;
      const wanted = Math.min(most[index]!, Math.max(0, best));
      const step = wanted - weights[index]!;
      if (step === 0) continue;
      weights[index] = wanted;
      largest = Math.max(largest, Math.abs(step));
      for (let other = 0; other < size; other++) gradient[other]! += step * gram[index * size + other]!;
    }
    if (largest < SMALL_STEP) break;
  }
  return weights;
}
