import { expect, test } from 'vitest';
import { sparkline } from './sparkline.ts';

test('the largest value has the highest bar, nothing the lowest', () => {
  expect(sparkline([0, 5, 10])).toBe('▁▅█');
});

test('a series without anything above zero is flat', () => {
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});

test('a long series keeps its shape in few bars', () => {
  const values = Array.from({ length: 1000 }, (_, index) => index);
  const line = sparkline(values, 8);
  expect([...line]).toHaveLength(8);
  expect([...line].sort()).toEqual([...line]);
});
