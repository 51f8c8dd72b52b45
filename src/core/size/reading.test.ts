import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EarlierReading, judgeReading, type ReadingInput } from './reading.ts';

const earlier = (measuredTokens: number, estimateTokens = measuredTokens, isSameView = true): EarlierReading => ({
  measuredTokens,
  estimateTokens,
  isSameView,
});

const input = (measuredTokens: number | undefined, changes: Partial<ReadingInput> = {}): ReadingInput => ({
  measuredTokens,
  windowTokens: 200_000,
  estimateTokens: 100_000,
  factor: 1,
  isCalibrated: true,
  earlier: [],
  ...changes,
});

describe('judgeReading', () => {
  it('believes a reading like the estimate', () => {
    expect(judgeReading(input(104_000))).toEqual({ size: 104_000 });
  });

  it.each([undefined, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])('F05: %s is unknown, not a size and not 0', (measured) => {
    expect(judgeReading(input(measured))).toEqual({});
  });

  it('F05: a counter of 41 million is no size of a request that fitted', () => {
    expect(judgeReading(input(41_000_900))).toEqual({ flag: 'over_window' });
    expect(judgeReading(input(204_000))).toEqual({ size: 204_000 });
    expect(judgeReading(input(204_001))).toEqual({ flag: 'over_window' });
  });

  it('a reading over a guessed window proves the guess wrong', () => {
    expect(judgeReading(input(300_000, { isWindowGuess: true, windowTokens: 128_000 }))).toEqual({ size: 300_000 });
  });

  it('F05: a sum of this view’s earlier readings is a counter', () => {
    const sum = { earlier: [earlier(40_000), earlier(38_000), earlier(36_000)], estimateTokens: 42_000 };
    expect(judgeReading(input(114_500, sum))).toEqual({ flag: 'cumulative' });
    expect(judgeReading(input(116_000, sum))).toEqual({ size: 116_000 });
  });

  it('F05: one earlier reading, or readings of another view, make no sum', () => {
    expect(judgeReading(input(40_000, { earlier: [earlier(40_000)], estimateTokens: 41_000 }))).toEqual({ size: 40_000 });
    const others = [earlier(20_000, 20_000, false), earlier(20_000, 20_000, false)];
    expect(judgeReading(input(40_000, { earlier: others, estimateTokens: 30_000 }))).toEqual({ size: 40_000 });
  });

  it('a sum that a calibrated estimate explains is a size', () => {
    expect(judgeReading(input(100_500, { earlier: [earlier(60_000), earlier(40_000)] }))).toEqual({ size: 100_500 });
  });

  it('F01: a server that counts under half of a calibrated estimate has cut the request', () => {
    expect(judgeReading(input(49_000))).toEqual({ flag: 'truncated' });
    expect(judgeReading(input(51_000))).toEqual({ size: 51_000 });
    expect(judgeReading(input(49_000, { isCalibrated: false }))).toEqual({ size: 49_000 });
  });

  it('F01: equal readings of three growing requests show the window that is served', () => {
    const grown = { earlier: [earlier(40_960, 46_000), earlier(40_960, 43_000)], estimateTokens: 50_000 };
    expect(judgeReading(input(40_960, grown))).toEqual({ flag: 'plateau', learntWindowTokens: 40_960 });
  });

  it('equal readings of requests that hardly grew are no plateau', () => {
    const still = { earlier: [earlier(40_960, 41_500), earlier(40_960, 41_000)], estimateTokens: 42_000 };
    expect(judgeReading(input(40_960, still))).toEqual({ size: 40_960 });
  });

  it('being larger than the estimate is never a reason', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 200_000 }), (estimateTokens, more) => {
        const measured = Math.min(204_000, estimateTokens + more);
        expect(judgeReading(input(measured, { estimateTokens }))).toEqual({ size: measured });
      }),
      { seed: 20_26 },
    );
  });
});
