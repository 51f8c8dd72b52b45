import { describe, expect, it } from 'vitest';
import { UllageError } from '../errors.ts';
import { type PolicyOptions, validatePolicy } from './policy.ts';

const refusal = (policy: unknown): UllageError => {
  try {
    validatePolicy(policy as PolicyOptions);
  } catch (error) {
    if (UllageError.is(error)) return error;
  }
  throw new Error('was not refused');
};

describe('validatePolicy', () => {
  it.each([
    {},
    { threshold: 0.8, target: 0.35, tailTokens: 20_000, messageLimit: undefined },
    { threshold: 50_000, target: 30_000, tailTokens: 4_000 },
    { threshold: 250_000, target: 190_000 },
    { threshold: 1, target: 0.999, softThreshold: 1 },
    { threshold: 0.8, target: 10_000, reserveTokens: 0, minGainTokens: 1, messageLimit: 400, maxPasses: 1, pruneShare: 0 },
  ])('F29: accepts %j', (policy) => {
    expect(() => validatePolicy(policy)).not.toThrow();
  });

  it.each([
    ['threshold', { threshold: 0 }],
    ['threshold', { threshold: -0.5 }],
    ['threshold', { threshold: Number.NaN }],
    ['threshold', { threshold: Number.POSITIVE_INFINITY }],
    ['threshold', { threshold: '0.8' }],
    ['threshold', { threshold: 80 }],
    ['target', { target: 0 }],
    ['target', { threshold: 0.5, target: 0.5 }],
    ['target', { threshold: 30_000, target: 50_000 }],
    ['target', { softThreshold: 0.3, target: 0.35 }],
    ['softThreshold', { threshold: 0.6, softThreshold: 0.7 }],
    ['tailTokens', { tailTokens: 0 }],
    ['reserveTokens', { reserveTokens: -1 }],
    ['minGainTokens', { minGainTokens: 0 }],
    ['messageLimit', { messageLimit: 3 }],
    ['messageLimit', { messageLimit: 40.5 }],
    ['maxPasses', { maxPasses: 4 }],
    ['pruneShare', { pruneShare: 1.1 }],
    ['treshold', { treshold: 0.8 }],
  ])('F01: refuses %s of %j with its name, value and limit', (option, policy) => {
    const error = refusal(policy);
    expect(error.code).toBe('option_invalid');
    expect(error.message).toContain(
      `policy.${option} is ${String(Object.values({ ...policy }).at(option === 'target' || option === 'softThreshold' ? -1 : 0))}`,
    );
    expect(error.message).toContain('it must be');
    expect(error.details).toMatchObject({ option: `policy.${option}` });
  });

  it('tells how to write a percentage', () => {
    expect(refusal({ threshold: 80 }).message).toContain('For 80 % write 0.8.');
  });

  it('refuses what is no object', () => {
    expect(refusal(null).message).toContain('Option policy is null');
  });
});
