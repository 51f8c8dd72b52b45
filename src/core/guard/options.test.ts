import { describe, expect, it } from 'vitest';
import { GUARD_DEFAULTS, type GuardOptions } from './guard.ts';
import { completeGuardOptions } from './options.ts';

describe('the options of the guard', () => {
  it('are the defaults where nothing is given, or undefined', () => {
    expect(completeGuardOptions()).toEqual(GUARD_DEFAULTS);
    expect(completeGuardOptions({ strikeLimit: undefined })).toEqual(GUARD_DEFAULTS);
    expect(completeGuardOptions({ strikeLimit: 3 })).toEqual({ ...GUARD_DEFAULTS, strikeLimit: 3 });
  });

  it.each([
    ['guard', null],
    ['guard.strikeLimit', { strikeLimit: Number.NaN }],
    ['guard.strikeLimit', { strikeLimit: 0 }],
    ['guard.refillLimit', { refillLimit: 1.5 }],
    ['guard.restMs', { restMs: [] }],
    ['guard.restMs', { restMs: 300_000 }],
    ['guard.restMs', { restMs: [60_000, Number.NaN] }],
    ['guard.coolMs', { coolMs: [Number.POSITIVE_INFINITY] }],
    ['guard.leaseMs', { leaseMs: Number.NaN }],
    ['guard.leaseMs', { leaseMs: 0 }],
    ['guard.renewMs', { renewMs: -1 }],
    ['guard.longGrowthShare', { longGrowthShare: Number.NaN }],
    ['guard.strikes', { strikes: 2 }],
  ])('%s: %o is refused by name', (option, given) => {
    expect(() => completeGuardOptions(given as unknown as Partial<GuardOptions>)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(`Option ${option} is`) }),
    );
  });
});
