import { describe, expect, test } from 'vitest';
import { parseAmount, tokensOf } from './amount.ts';

describe('an amount', () => {
  test.each([
    ['50000', { kind: 'tokens', tokens: 50_000 }],
    ['50k', { kind: 'tokens', tokens: 50_000 }],
    ['1.5m', { kind: 'tokens', tokens: 1_500_000 }],
    ['101', { kind: 'tokens', tokens: 101 }],
    ['25%', { kind: 'share', share: 0.25 }],
    [' 12.5 % ', { kind: 'share', share: 0.125 }],
    ['100%', { kind: 'share', share: 1 }],
    ['0.25', { kind: 'share', share: 0.25 }],
    ['.5', { kind: 'share', share: 0.5 }],
    ['1.0', { kind: 'share', share: 1 }],
  ])('%s', (text, expected) => {
    expect(parseAmount('--target', text)).toEqual(expected);
  });

  test.each(['', '0', '-5', 'NaN', 'Infinity', '0%', '101%', '1000%', '80', '25 percent', '1e6', '0x10', '0.0', '%'])(
    '%j is refused, naming the option',
    (text) => {
      expect(() => parseAmount('--target', text)).toThrow(
        expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining('--target') }),
      );
    },
  );

  test('a share is of the whole', () => {
    expect(tokensOf({ kind: 'share', share: 0.25 }, 1_001)).toBe(250);
    expect(tokensOf({ kind: 'tokens', tokens: 7_000 }, 1_001)).toBe(7_000);
  });
});
