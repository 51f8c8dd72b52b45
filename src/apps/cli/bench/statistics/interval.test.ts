import { describe, expect, test } from 'vitest';
import { intervalOf, meanOf, percentileOf } from './interval.ts';
import { seededRandom } from './random.ts';

describe('intervals', () => {
  test('hold the mean, shrink with agreement, and are always the same', () => {
    const wide = intervalOf([0, 1, 0, 1, 1, 0])!;
    expect(wide.mean).toBe(0.5);
    expect(wide.low).toBeLessThan(0.3);
    expect(wide.high).toBeGreaterThan(0.7);
    expect(intervalOf([0, 1, 0, 1, 1, 0])).toEqual(wide);
    expect(intervalOf([0.4, 0.4, 0.4])).toMatchObject({ low: expect.closeTo(0.4), high: expect.closeTo(0.4), count: 3 });
  });

  test('nothing has no mean', () => {
    expect([meanOf([]), intervalOf([]), percentileOf([], 0.5)]).toEqual([undefined, undefined, undefined]);
  });

  test('nearest-rank percentiles', () => {
    expect([percentileOf([3, 1, 2], 0.5), percentileOf([3, 1, 2], 0.95), percentileOf([3, 1, 2], 0)]).toEqual([2, 3, 1]);
  });

  test('a seed gives the same numbers, evenly spread', () => {
    const random = seededRandom(5);
    const values = Array.from({ length: 4_000 }, random);
    expect(values[0]).toBe(seededRandom(5)());
    expect(Math.abs(meanOf(values)! - 0.5)).toBeLessThan(0.02);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  });
});
