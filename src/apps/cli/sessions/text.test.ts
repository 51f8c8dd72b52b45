import { describe, expect, test } from 'vitest';
import { printable } from './printable.ts';
import { formatTime, parseAge } from './time-text.ts';

describe('an age', () => {
  test.each([
    ['90m', 5_400_000],
    ['12h', 43_200_000],
    ['30d', 2_592_000_000],
    ['2w', 1_209_600_000],
  ])('%s', (text, ms) => {
    expect(parseAge('--older-than', text)).toBe(ms);
  });

  test.each(['', '0d', '-1d', '30', 'd', '1y', '999999w'])('%j is refused', (text) => {
    expect(() => parseAge('--older-than', text)).toThrow(expect.objectContaining({ code: 'option_invalid' }));
  });
});

test('a point in time is in UTC', () => {
  expect(formatTime(Date.UTC(2026, 0, 31, 17, 5))).toBe('2026-01-31 17:05');
});

test('text of a transcript cannot steer a terminal', () => {
  expect(printable('a\u001b[2J\tb\r\nc\u0007\u202ed é 漢')).toBe('a[2J\tb\ncd é 漢');
});
