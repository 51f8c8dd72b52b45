import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrate, lowerWindow } from './calibration.ts';
import type { Calibration } from './size.ts';

const fresh: Calibration = { route: 'r', model: 'm', factor: 1, samples: 0 };

describe('calibrate', () => {
  it('adopts the first sample whole and averages after that', () => {
    const first = calibrate(fresh, { measuredTokens: 12_000, estimatedTokens: 10_000 });
    expect(first).toMatchObject({ factor: 1.2, samples: 1 });
    const second = calibrate(first, { measuredTokens: 10_000, estimatedTokens: 10_000 });
    expect(second.samples).toBe(2);
    expect(second.factor).toBeGreaterThan(1.1);
    expect(second.factor).toBeLessThan(1.2);
  });

  it('comes to the true ratio within a few samples (F06)', () => {
    let calibration = calibrate(fresh, { measuredTokens: 7_000, estimatedTokens: 10_000 });
    for (let index = 0; index < 12; index++) calibration = calibrate(calibration, { measuredTokens: 13_000, estimatedTokens: 10_000 });
    expect(calibration.factor).toBeCloseTo(1.3, 1);
  });

  it.each([
    ['too large: something no estimate saw', 15_100, 10_000],
    ['too small: the server cut', 6_600, 10_000],
    ['an estimate of nothing', 100, 0],
    ['a few words, where wrapping outweighs text', 130, 100],
    ['no number', Number.NaN, 10_000],
  ])('learns nothing from %s and returns the same object', (_name, measuredTokens, estimatedTokens) => {
    expect(calibrate(fresh, { measuredTokens, estimatedTokens })).toBe(fresh);
  });

  it('keeps the factor within its range, whatever was stored', () => {
    fc.assert(
      fc.property(fc.double({ min: -10, max: 100, noNaN: true }), fc.integer({ min: 0, max: 300_000 }), (factor, measuredTokens) => {
        const next = calibrate({ ...fresh, factor, samples: 3 }, { measuredTokens, estimatedTokens: 100_000 });
        if (next.samples === 4) expect(next.factor >= 0.5 && next.factor <= 3).toBe(true);
      }),
      { seed: 20_26 },
    );
  });
});

describe('lowerWindow', () => {
  it('F01: lowers and never raises', () => {
    const learnt = lowerWindow(fresh, 40_960.7);
    expect(learnt.windowTokens).toBe(40_960);
    expect(lowerWindow(learnt, 65_536)).toBe(learnt);
    expect(lowerWindow(learnt, 32_768).windowTokens).toBe(32_768);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 0.5])('leaves %d alone', (windowTokens) => {
    expect(lowerWindow(fresh, windowTokens)).toBe(fresh);
  });
});
