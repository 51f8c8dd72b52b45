// Means with 95 % intervals by bootstrap: transcripts are drawn again and again, with replacement.
import { seededRandom } from './random.ts';

const DRAWS = 2_000;
const SEED = 20_240_229;
const LOW = 0.025;
const HIGH = 0.975;

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Values it is made of: transcripts. */
  readonly count: number;
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** undefined without values. The same values give the same interval. */
export function intervalOf(values: readonly number[]): Interval | undefined {
  const mean = meanOf(values);
  if (mean === undefined) return undefined;
  const random = seededRandom(SEED);
  const means = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let sum = 0;
    for (let pick = 0; pick < values.length; pick += 1) sum += values[Math.floor(random() * values.length)]!;
    means[draw] = sum / values.length;
  }
  means.sort();
  return { mean, low: means[Math.floor(LOW * DRAWS)]!, high: means[Math.ceil(HIGH * DRAWS) - 1]!, count: values.length };
}

/** The value at a rank of 0 to 1, the nearest one; undefined without values. */
export function percentileOf(values: readonly number[], rank: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)];
}
