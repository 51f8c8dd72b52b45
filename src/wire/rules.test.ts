// F08: what the three validators share: damaged JSON, lone surrogates, hostile bodies.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateAnthropic } from './anthropic/validate.ts';
import type { Violation } from './codec.ts';
import { validateOpenaiChat } from './openai-chat/validate.ts';
import { validateOpenaiResponses } from './openai-responses/validate.ts';

const VALIDATORS: readonly (readonly [string, (bodyText: string) => readonly Violation[], string])[] = [
  ['anthropic', validateAnthropic, 'messages'],
  ['openai-chat', validateOpenaiChat, 'messages'],
  ['openai-responses', validateOpenaiResponses, 'input'],
];

describe.each(VALIDATORS)('F08 %s', (api, validate, list) => {
  const bodyOf = (value: string, extra = {}) => JSON.stringify({ [list]: [{ role: 'user', content: value }], ...extra });

  test.each(['', '{', '[]', 'null', '7', '"x"', '{"a":1,}'])('damaged JSON is one violation: %s', (bodyText) => {
    expect(validate(bodyText).map(({ rule }) => rule)).toEqual([`${api}/json`]);
  });

  test('half of an emoji, cut at the end of a text, is named with its place', () => {
    const cut = `${'x'.repeat(1_999)}📥`.slice(0, 2_000);
    expect(validate(bodyOf(cut))).toMatchObject([{ rule: `${api}/lone-surrogate`, path: `${list}.0.content` }]);
    expect(validate(`{"${list}":[{"role":"user","content":"\ud83d"}]}`)).toHaveLength(1);
    expect(validate(bodyOf('x', { metadata: { note: { deep: '\ude00' } } }))).toMatchObject([{ path: 'metadata.note.deep' }]);
    expect(validate(bodyOf('x', { metadata: { '\ude00': 1 } }))).toMatchObject([{ path: 'metadata' }]);
  });

  test('whole emojis and escaped pairs are well-formed', () => {
    expect(validate(bodyOf('📥'))).toEqual([]);
    expect(validate(`{"${list}":[{"role":"user","content":"\\ud83d\\udce5"}]}`)).toEqual([]);
  });

  test.each([
    ['one letter', (at: string) => `{"${at}":[{"role":"user","content":"${'x'.repeat(1_000_000)}"}]}`, 0],
    ['half emojis', (at: string) => `{"${at}":[{"role":"user","content":"${'\\ud83d'.repeat(170_000)}"}]}`, 1],
    [
      'brackets',
      (at: string) => `{"x":"\\ud83d","${at}":[{"role":"user","content":"x"}],"y":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
      1,
    ],
    ['blanks behind a text', (at: string) => `{"${at}":[{"role":"user","content":"x${' '.repeat(1_000_000)}"}]}`, 0],
    ['empty messages', (at: string) => `{"${at}":[${'{},'.repeat(300_000)}{}]}`, 1_000],
  ])('a megabyte of %s', (_, build, count) => {
    expect(validate(build(list))).toHaveLength(count);
  });

  test('never throws, whatever JSON it gets', () => {
    const keys = fc.constantFrom(
      'role',
      'content',
      'type',
      'text',
      'id',
      'call_id',
      'tool_calls',
      'function',
      'tool_use_id',
      'cache_control',
      'input',
      'output',
      'arguments',
    );
    const words = fc.constantFrom<unknown>(
      'user',
      'assistant',
      'system',
      'tool',
      'tool_use',
      'tool_result',
      'function_call',
      'function_call_output',
      'reasoning',
      'thinking',
      'text',
      '',
      'a',
      null,
      7,
    );
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        words,
        fc.array(tie('node'), { maxLength: 5 }),
        fc.dictionary(keys, tie('node'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(node, { maxLength: 8 }), node, (messages, rest) => {
        const violations = validate(JSON.stringify({ system: rest, tools: rest, [list]: messages }));
        for (const { rule, message } of violations) {
          expect(rule.startsWith(`${api}/`)).toBe(true);
          expect(message.length).toBeGreaterThan(0);
        }
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});
