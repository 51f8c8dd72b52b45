import { expect, test } from 'vitest';
import { renderTable } from './table.ts';
import { cutMiddle, cutText, textWidth, toSingleLine, wrapText } from './text-width.ts';

const COLUMNS = [
  { title: 'part', isFlexible: true },
  { title: 'tokens', align: 'right' as const },
];

test('numbers stand right, and a line ends without blanks', () => {
  expect(
    renderTable(
      COLUMNS,
      [
        ['a', '1'],
        ['long name', '12,345'],
      ],
      { width: 80 },
    ),
  ).toEqual(['part       tokens', 'a               1', 'long name  12,345']);
});

test('the flexible column gives way until the table fits', () => {
  const lines = renderTable(COLUMNS, [['x'.repeat(200), '12,345']], { width: 40, indent: '  ' });
  expect(lines.map(textWidth).every((width) => width <= 40)).toBe(true);
  expect(lines[1]).toContain('…');
});

test('wide letters and emoji count two columns', () => {
  expect(textWidth('日本語')).toBe(6);
  expect(textWidth('e\u0301')).toBe(1);
  expect(cutText('日本語', 5)).toBe('日本…');
  expect(textWidth(cutText('日本語', 4))).toBeLessThanOrEqual(4);
  const [, ...rows] = renderTable(
    COLUMNS,
    [
      ['日本', '1'],
      ['abcd', '2'],
    ],
    { width: 80 },
  );
  expect(rows.map(textWidth)).toEqual([12, 12]);
});

test('escape sequences of a transcript do not reach the terminal', () => {
  expect(toSingleLine('a\u001b[31mred\u0007\n\tb\u202ec')).toBe('a[31mred bc');
});

test('the middle of a path goes first, a word that does not fit stands alone', () => {
  expect(cutMiddle('src/very/long/path/to/the/file.ts', 20)).toBe('src/ve…o/the/file.ts');
  expect(cutMiddle('日本語日本語', 7)).toBe('日…本語');
  expect(wrapText('one two three', 7, ' ')).toEqual(['one two', ' three']);
  expect(wrapText('aaaa bb', 3, ' ')).toEqual(['aaaa', ' bb']);
});
