import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BudgetFacts, deriveBudget, type PolicyOptions, validatePolicy } from './budget.ts';

const facts = (changes: Partial<BudgetFacts> = {}): BudgetFacts => ({
  windowTokens: 200_000,
  modelMaxOutputTokens: 8_000,
  preambleTokens: 10_000,
  unexplainedTokens: 0,
  pinTokens: 0,
  firstAskTokens: 100,
  contextTokens: 60_000,
  contributors: [
    { name: 'system', tokens: 6_000 },
    { name: 'tool read_file', tokens: 4_000 },
  ],
  ...changes,
});

const holds = (policy: PolicyOptions, given: BudgetFacts): void => {
  const budget = deriveBudget(policy, given);
  const { target, threshold, usable, soft, window, reserve, tail, minGain } = budget;
  expect([target, threshold, usable, soft, window, reserve, tail, minGain].every(Number.isInteger)).toBe(true);
  expect(0 < target && target < threshold && threshold <= usable && usable <= window).toBe(true);
  expect(soft > 0 && soft <= threshold && tail >= 1 && tail <= usable && minGain >= 1).toBe(true);
  expect(budget.free).toBe(usable - given.contextTokens);
};

describe('deriveBudget, the invariant 0 < target < threshold ≤ usable', () => {
  const windows = [8_000, 32_000, 64_000, 65_536, 128_000, 200_000, 262_144, 1_000_000];
  const ratios = [0.35, 0.5, 0.8, 0.85, 0.95];
  it.each(windows)('F01: holds on a window of %d for every ratio, floor, output and input limit', (windowTokens) => {
    for (const threshold of ratios) {
      for (const preambleTokens of [0, 15_000, 64_000]) {
        for (const modelMaxOutputTokens of [undefined, 0, 4_000, 32_000, windowTokens]) {
          for (const maxInputTokens of [undefined, 0, windowTokens / 2, windowTokens])
            holds({ threshold }, facts({ windowTokens, preambleTokens, modelMaxOutputTokens, maxInputTokens, contributors: [] }));
        }
      }
    }
  });

  const tokens = fc.integer({ min: 0, max: 2_000_000 });
  const setting = fc.oneof(fc.double({ min: 0.001, max: 1, noNaN: true }), fc.integer({ min: 101, max: 2_000_000 }));
  const policy = fc.record(
    {
      threshold: setting,
      target: setting,
      softThreshold: setting,
      tailTokens: setting,
      reserveTokens: tokens,
      minGainTokens: fc.integer({ min: 1, max: 1_000_000 }),
    },
    { requiredKeys: [] },
  );
  const anyFacts = fc.record({
    windowTokens: fc.integer({ min: 4, max: 3_000_000 }),
    maxInputTokens: fc.option(tokens, { nil: undefined }),
    requestedOutputTokens: fc.option(tokens, { nil: undefined }),
    modelMaxOutputTokens: fc.option(tokens, { nil: undefined }),
    preambleTokens: tokens,
    unexplainedTokens: tokens,
    pinTokens: fc.integer({ min: 0, max: 2_000 }),
    firstAskTokens: tokens,
    contextTokens: tokens,
  });

  it('F01: holds for every legal policy and any facts', () => {
    fc.assert(
      fc.property(policy, anyFacts, (options, given) => {
        try {
          validatePolicy(options);
        } catch {
          return;
        }
        holds(options, { ...given, contributors: [] });
      }),
      { seed: 20_26, numRuns: 3_000 },
    );
  });

  it('never raises a threshold that was given in tokens and fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 160_000 }), tokens, (threshold, preambleTokens) => {
        expect(deriveBudget({ threshold }, facts({ preambleTokens, contributors: [] }))).toMatchObject({
          threshold,
          isThresholdFixed: true,
        });
      }),
      { seed: 20_26 },
    );
  });
});

describe('deriveBudget, the defaults', () => {
  it('are shares of what is usable', () => {
    expect(deriveBudget({}, facts())).toMatchObject({
      window: 200_000,
      reserve: 8_000,
      usable: 192_000,
      threshold: 153_600,
      target: 67_584,
      soft: 124_416,
      tail: 16_896,
      minGain: 6_000,
      free: 132_000,
      isThresholdFixed: false,
      isFloorAboveTarget: false,
      floorExceedsWindow: false,
      warnings: [],
    });
    expect(deriveBudget({}, facts()).adjusted).toBeUndefined();
  });

  it('F01: the reserve is what the request asks for, at most a fifth of the window', () => {
    expect(deriveBudget({}, facts({ requestedOutputTokens: 2_000 })).reserve).toBe(2_000);
    expect(deriveBudget({}, facts({ modelMaxOutputTokens: 131_072 })).reserve).toBe(40_000);
    expect(deriveBudget({}, facts({ modelMaxOutputTokens: undefined })).reserve).toBe(0);
    const capped = deriveBudget({ reserveTokens: 100_000 }, facts());
    expect(capped.reserve).toBe(40_000);
    expect(capped.adjusted?.reserveTokens).toContain('100000');
  });

  it('F01: an input limit below the window counts', () => {
    expect(deriveBudget({}, facts({ windowTokens: 400_000, modelMaxOutputTokens: 128_000, maxInputTokens: 272_000 })).usable).toBe(272_000);
  });

  it('the tail is a quarter of the target, at most 25,000', () => {
    expect(deriveBudget({}, facts({ windowTokens: 1_000_000 })).tail).toBe(25_000);
    for (const windowTokens of [8_000, 48_000, 128_000]) {
      const { tail, target } = deriveBudget({}, facts({ windowTokens, preambleTokens: 0, contributors: [] }));
      expect(tail).toBe(Math.floor(target / 4));
    }
  });

  it('minGain is 10 % of the context, at least 1,000, and never more than lies between threshold and target', () => {
    expect(deriveBudget({}, facts({ contextTokens: 2_000 })).minGain).toBe(1_000);
    expect(deriveBudget({ threshold: 100_000, target: 97_000 }, facts({ contextTokens: 100_000 })).minGain).toBe(3_000);
  });
});

describe('deriveBudget, what the user says', () => {
  it('F29: tokens are taken as they are', () => {
    expect(deriveBudget({ threshold: 50_000, target: 30_000, tailTokens: 4_000 }, facts())).toMatchObject({
      threshold: 50_000,
      target: 30_000,
      tail: 4_000,
    });
    expect(deriveBudget({ threshold: 250_000, target: 190_000 }, facts({ windowTokens: 1_000_000 }))).toMatchObject({
      threshold: 250_000,
      target: 190_000,
    });
  });

  it('shares are of usable', () => {
    const budget = deriveBudget({ threshold: 0.5, target: 0.25, softThreshold: 0.4, tailTokens: 0.05 }, facts());
    expect(budget).toMatchObject({ threshold: 96_000, target: 48_000, soft: 76_800, tail: 9_600 });
  });

  it('F30: a threshold in tokens that does not fit a smaller window falls back to the share, and is reported', () => {
    const budget = deriveBudget({ threshold: 250_000, target: 190_000 }, facts({ windowTokens: 128_000 }));
    expect(budget).toMatchObject({ threshold: 96_000, target: 42_240, isThresholdFixed: false });
    expect(budget.adjusted).toHaveProperty('threshold');
    expect(budget.adjusted).toHaveProperty('target');
    expect(budget.warnings.join()).toContain('250000');
  });

  it('a tail larger than the target is cut to it, and reported', () => {
    const budget = deriveBudget({ tailTokens: 150_000 }, facts());
    expect(budget.tail).toBe(67_584);
    expect(budget.adjusted?.tailTokens).toContain('150000');
  });

  it('warns of a window that is only a guess', () => {
    expect(deriveBudget({}, facts({ isWindowGuess: true })).warnings.join()).toContain('200000');
  });

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])('F01: a window of %d is refused', (windowTokens) => {
    expect(() => deriveBudget({}, facts({ windowTokens }))).toThrow(expect.objectContaining({ code: 'option_invalid' }));
  });
});

describe('deriveBudget, the floor', () => {
  it('F01: is preamble, unexplained, pins, tail and smallest summary, with names, the largest first', () => {
    const budget = deriveBudget({}, facts({ unexplainedTokens: 5_000, pinTokens: 500, firstAskTokens: 900 }));
    expect(budget.floor.tokens).toBe(10_000 + 5_000 + 500 + 16_896 + 400 + 900);
    expect(budget.floor.contributors).toEqual([
      { name: 'tail', tokens: 16_896 },
      { name: 'system', tokens: 6_000 },
      { name: 'unexplained', tokens: 5_000 },
      { name: 'tool read_file', tokens: 4_000 },
      { name: 'smallest summary', tokens: 1_300 },
      { name: 'pins', tokens: 500 },
    ]);
  });

  it('a first ask of any length takes at most 30 % of the target', () => {
    const { floor, target } = deriveBudget({}, facts({ firstAskTokens: 500_000 }));
    expect(floor.contributors.find(({ name }) => name === 'smallest summary')?.tokens).toBe(400 + Math.floor(0.3 * target));
  });

  it('F03: a floor over a derived target raises target and threshold, and says so', () => {
    const budget = deriveBudget({}, facts({ preambleTokens: 140_000 }));
    expect(budget.floor.tokens).toBe(157_396);
    expect(budget.target).toBe(Math.floor(157_396 + 0.25 * (192_000 - 157_396)));
    expect(budget.threshold).toBe(Math.min(192_000, budget.target + 19_200));
    expect(budget.soft).toBeGreaterThan(budget.target);
    expect(budget.isFloorAboveTarget).toBe(false);
    expect(Object.keys(budget.adjusted!)).toEqual(['target', 'threshold']);
  });

  it('F29: a floor over a threshold given in tokens changes nothing, and nothing is bought', () => {
    const budget = deriveBudget({ threshold: 50_000, target: 30_000, tailTokens: 4_000 }, facts({ preambleTokens: 48_000 }));
    expect(budget).toMatchObject({ threshold: 50_000, target: 30_000, isFloorAboveTarget: true });
    expect(budget.warnings.join()).toContain('tail 4000');
  });

  it('F01: a preamble larger than the window is named with its largest parts', () => {
    const contributors = [
      { name: 'system', tokens: 30_000 },
      { name: 'tool browser', tokens: 9_000 },
      { name: 'tool read', tokens: 200 },
    ];
    const budget = deriveBudget({}, facts({ windowTokens: 32_000, preambleTokens: 39_200, contributors }));
    expect(budget.floorExceedsWindow).toBe(true);
    expect(budget.warnings.join()).toMatch(/system 30000, tool browser 9000/);
  });

  it('an estimate a little over the window is not believed, a measured surplus is', () => {
    const little = { windowTokens: 100_000, preambleTokens: 95_000, contributors: [] };
    expect(deriveBudget({}, facts(little)).floorExceedsWindow).toBe(false);
    expect(deriveBudget({}, facts({ ...little, preambleTokens: 90_000, unexplainedTokens: 5_000 })).floorExceedsWindow).toBe(true);
  });

  it('does not change with the context size: only a new preamble moves it', () => {
    const at = (contextTokens: number) => deriveBudget({}, facts({ contextTokens })).floor;
    expect(at(1_000)).toEqual(at(190_000));
  });
});
