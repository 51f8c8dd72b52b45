import { describe, expect, test } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatShare, parseBytes, parseTokens, parseWhole } from './numbers.ts';

describe('numbers for people', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
    [-1234.4, '-1,234'],
  ])('count %d is %s', (value, text) => expect(formatCount(value)).toBe(text));

  test.each([
    [0, '0 %'],
    [0.001, '<1 %'],
    [0.425, '43 %'],
    [1, '100 %'],
  ])('share %d is %s', (value, text) => expect(formatShare(value)).toBe(text));

  test.each([
    [512, '512 B'],
    [1536, '1.5 KB'],
    [10 * 1024, '10 KB'],
    [104857600, '100 MB'],
    [5 * 1024 ** 4, '5120 GB'],
  ])('%d bytes are %s', (value, text) => expect(formatBytes(value)).toBe(text));

  test.each([
    [850, '850 ms'],
    [12345, '12.3 s'],
    [185000, '3 min 5 s'],
  ])('%d ms are %s', (value, text) => expect(formatDuration(value)).toBe(text));

  test.each([
    ['200000', 200000],
    ['200_000', 200000],
    ['1,000,000', 1000000],
    ['200k', 200000],
    ['1.5M', 1500000],
  ])('%s tokens are read as %d', (text, value) => expect(parseTokens('--window', text)).toBe(value));

  test.each(['', '0', '-5', '20x', '1,00', '1e6', 'Infinity', '9'.repeat(30)])(
    '%s is refused as tokens, naming option and value',
    (text) => {
      expect(() => parseTokens('--window', text)).toThrow(/^--window ".*": expected tokens above 0/);
    },
  );

  test('bytes are read with their units, and bounded', () => {
    expect(['1024', '1KB', '0.5 kb', '2mb'].map((text) => parseBytes('--max-size', text, 1024 ** 3))).toEqual([
      1024,
      1024,
      512,
      2 * 1024 ** 2,
    ]);
    for (const text of ['0', '2gb', 'k', '1tb', '-1']) {
      expect(() => parseBytes('--max-size', text, 1024 ** 3)).toThrow(`--max-size "${text}": expected a size such as 200MB, at most 1 GB.`);
    }
  });

  test('a whole number below its least is refused', () => {
    expect(parseWhole('--top', '10')).toBe(10);
    expect(() => parseWhole('--top', '0')).toThrow('--top "0": expected a whole number of at least 1.');
    expect(() => parseWhole('--top', '2.5')).toThrow('--top');
  });
});
