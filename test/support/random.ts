// A seeded generator: the same seed gives the same conversation on every machine.

export interface Random {
  /** 0 ≤ x < 1. */
  next(): number;
  /** An integer from..to, inclusive. */
  int(from: number, to: number): number;
  pick<T>(values: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { next, int, pick: (values) => values[int(0, values.length - 1)]! };
}
