import { describe, expect, test } from 'vitest';
import { findConstraintSentences } from './constraints.ts';
import { genuineWords } from './genuine.ts';

describe('what a person wrote', () => {
  test.each([
    ['plain words stay', 'Fix the <b>bug</b> please', 'Fix the <b>bug</b> please'],
    ['blocks of clients go', '<system-reminder>be nice</system-reminder>Fix it<ide_selection>x</ide_selection>', 'Fix it'],
    ['nothing but a block', '<command-name>/clear</command-name>', ''],
    ['interruptions', '[Request interrupted by user for tool use]', ''],
    ['a block that is never closed stays', 'see <system-reminder> in the code', 'see <system-reminder> in the code'],
  ])('%s', (_, text, expected) => {
    expect(genuineWords(text)).toBe(expected);
  });

  test('hostile input: a megabyte of opening tags is read in linear time', () => {
    expect(genuineWords('<a-b>'.repeat(200_000)).length).toBe(1_000_000);
    const many = Array.from({ length: 100_000 }, (_, index) => `<a-b${'c'.repeat(index % 9)}d>`).join('');
    expect(genuineWords(many)).toBe(many);
  });
});

describe('constraints', () => {
  test('sentences with a cue, in four languages, without fenced code', () => {
    const text = [
      'Please fix this. You must never push to main directly.',
      'No toques nunca la tabla de precios.',
      'Никогда не меняй таблицу без копии.',
      '没有备份之前不要改动表。',
      '```\nyou must only run this code now\n```',
    ].join('\n');
    expect(findConstraintSentences(text)).toEqual([
      'You must never push to main directly.',
      'No toques nunca la tabla de precios.',
      'Никогда не меняй таблицу без копии.',
      '没有备份之前不要改动表。',
    ]);
  });
});
