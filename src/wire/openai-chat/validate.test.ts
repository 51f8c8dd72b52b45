// F07, F08, F10: the strict validator of Chat Completions.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ValidateOptions } from '../rules.ts';
import { validateOpenaiChat } from './validate.ts';

type Json = Record<string, unknown>;

const user = (content: unknown = 'hi') => ({ role: 'user', content });
const assistant = (content: unknown = 'bye', extra: Json = {}) => ({ role: 'assistant', content, ...extra });
const system = { role: 'system', content: 'be kind' };
const call = (id: string, extra: Json = {}) => ({ id, type: 'function', function: { name: 'read', arguments: '{"p":1}', ...extra } });
const calls = (...ids: string[]) => assistant(null, { tool_calls: ids.map((id) => call(id)) });
const tool = (id: string, content: unknown = 'ok') => ({ role: 'tool', tool_call_id: id, content });
const withArguments = (text: unknown) => [user(), assistant(null, { tool_calls: [call('a', { arguments: text })] }), tool('a')];

const rulesOf = (messages: unknown, extra: Json = {}, strict?: ValidateOptions['strict']) =>
  validateOpenaiChat(JSON.stringify({ messages, ...extra }), { strict }).map(({ rule }) => rule.replace('openai-chat/', ''));

describe('valid requests', () => {
  test.each<[string, unknown, Json?]>([
    ['plain text', [system, user(), assistant(), user()]],
    ['system and developer anywhere', [user(), system, { role: 'developer', content: 'x' }, assistant(), system]],
    ['a round in any order', [user(), calls('a', 'b'), tool('b'), tool('a'), assistant()]],
    ['one id in two rounds', [user(), calls('call_0'), tool('call_0'), calls('call_0'), tool('call_0'), user()]],
    [
      'parts',
      [
        user([
          { type: 'text', text: '' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ]),
      ],
    ],
    ['empty arguments', withArguments('')],
    ['scalar arguments', withArguments('7')],
    [
      'a custom tool',
      [user(), assistant(null, { tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: 'no { json' } }] }), tool('a')],
    ],
    ['a refusal', [user(), assistant(null, { refusal: 'no' }), user()]],
    ['an empty list beside calls', [user(), assistant([], { tool_calls: [call('a')] }), tool('a')]],
    ['null instead of calls', [user(), assistant('x', { tool_calls: null }), user()]],
    ['two users in a row', [user(), user()]],
  ])('%s', (_, messages, extra) => {
    expect(rulesOf(messages, extra)).toEqual([]);
  });
});

describe('F07 calls and tool messages', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['no answer', [user(), calls('a'), user()], ['tool-result-missing']],
    ['no answer at the end', [user(), calls('a')], ['tool-result-missing']],
    ['one of two answers', [user(), calls('a', 'b'), tool('a'), assistant()], ['tool-result-missing']],
    ['a user between', [user(), calls('a', 'b'), tool('a'), user(), tool('b')], ['tool-result-missing', 'tool-without-call']],
    ['an orphan at the cut', [tool('a'), user()], ['tool-without-call']],
    ['an answer to another call', [user(), calls('a'), tool('a'), tool('x')], ['tool-result-orphan']],
    ['two answers', [user(), calls('a'), tool('a'), tool('a')], ['tool-result-duplicate']],
    ['an id padded with blanks', [user(), calls(' call:24'), tool('call:24')], ['tool-result-missing', 'tool-result-orphan']],
    ['one id twice in a message', [user(), calls('a', 'a'), tool('a')], ['tool-call-id-duplicate']],
    [
      'no id',
      [user(), assistant(null, { tool_calls: [{ type: 'function', function: { name: 'x', arguments: '{}' } }] })],
      ['tool-call-id'],
    ],
    ['no calls in the list', [user(), assistant('x', { tool_calls: [] })], ['tool-calls-empty']],
    ['no name', [user(), assistant(null, { tool_calls: [call('a', { name: '' })] }), tool('a')], ['tool-name']],
    ['a name of 129 letters', [user(), assistant(null, { tool_calls: [call('a', { name: 'n'.repeat(129) })] }), tool('a')], ['tool-name']],
  ])('%s', (_, messages, rules) => {
    expect([...rulesOf(messages)].sort()).toEqual([...rules].sort());
  });

  test('the words are those of the API, with every id', () => {
    const found = validateOpenaiChat(JSON.stringify({ messages: [user(), calls('call_1', 'call_2'), user()] }));
    expect(found).toEqual([
      {
        rule: 'openai-chat/tool-result-missing',
        path: 'messages.1',
        message:
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1, call_2",
      },
    ]);
  });

  test('every cut through ten parallel answers is found, except at its two ends', () => {
    const ids = Array.from({ length: 10 }, (_, at) => `call_${at}`);
    const messages = [user(), calls(...ids), ...ids.map((id) => tool(id)), user()];
    fc.assert(
      fc.property(fc.nat(messages.length - 1), (cut) => {
        const isLegal = cut <= 1 || cut === messages.length - 1;
        expect(rulesOf(messages.slice(cut)).length === 0).toBe(isLegal);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe('F08 arguments and content', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['arguments cut in the middle', withArguments('{"path":"/a/b…[truncated]'), ['tool-arguments']],
    ['arguments that are no text', withArguments({ p: 1 }), ['tool-arguments']],
    ['no messages', [], ['messages-empty']],
    ['a role of another API', [{ role: 'model', content: 'x' }], ['role']],
    ['a message that is no object', ['hi'], ['role']],
    ['null without calls', [user(), assistant(null), user()], ['content-null']],
    ['F09 reasoning alone', [user(), assistant(null, { reasoning_content: 'hm' }), user()], ['content-null']],
    ['a user without content', [{ role: 'user' }], ['content-null']],
    ['a tool message without content', [user(), calls('a'), tool('a', null)], ['content-null']],
    ['an empty list', [user([])], ['content-empty']],
    ['content that is an object', [user({})], ['content-shape']],
    ['a part without a type', [user([{ text: 'x' }])], ['part-shape']],
    ['a text part without text', [user([{ type: 'text' }])], ['part-shape']],
  ])('%s', (_, messages, rules) => {
    expect(rulesOf(messages)).toEqual(rules);
  });

  test('a declared tool needs a name', () => {
    expect(rulesOf([user()], { tools: [{ type: 'function', function: { name: '' } }] })).toEqual(['tool-name']);
  });
});

describe('strict: openai', () => {
  test('names of 64 plain letters, ids of 40', () => {
    const dotted = [user(), assistant(null, { tool_calls: [call('a', { name: 'mcp.read' })] }), tool('a')];
    const long = 'x'.repeat(41);
    expect(rulesOf(dotted, {}, 'openai')).toEqual(['tool-name']);
    expect(rulesOf(dotted)).toEqual([]);
    expect(rulesOf([user()], { tools: [{ type: 'function', function: { name: 'n'.repeat(65) } }] }, 'openai')).toEqual(['tool-name']);
    expect(rulesOf([user(), calls(long), tool(long)], {}, 'openai')).toEqual(['tool-call-id-length']);
    expect(rulesOf([user(), calls(long), tool(long)])).toEqual([]);
  });
});

describe('F10 strict: local', () => {
  const reasoned = (id: string) => assistant(null, { tool_calls: [call(id)], reasoning_content: '' });
  test.each<[string, unknown, readonly string[]]>([
    ['a round inside a turn', [system, user(), calls('a'), tool('a'), calls('b'), tool('b'), assistant(), user()], []],
    ['a second system', [system, user(), system], ['system-place']],
    ['a late developer', [user(), { role: 'developer', content: 'x' }], ['system-place']],
    ['two users in a row', [user(), user()], ['alternation']],
    ['an assistant first', [system, assistant(), user()], ['alternation']],
    ['a user right after a tool', [user(), calls('a'), tool('a'), user()], ['user-after-tool', 'alternation']],
    ['no user at all', [system, calls('a'), tool('a'), assistant()], ['alternation', 'user-missing']],
    ['an empty user', [user(' ')], ['text-empty']],
    ['an empty assistant', [user(), assistant(''), user()], ['text-empty']],
    ['an empty part', [user([{ type: 'text', text: '' }])], ['text-empty']],
    ['a tool message of parts', [user(), calls('a'), tool('a', [{ type: 'text', text: 'x' }])], ['tool-content']],
    ['empty arguments', withArguments(''), ['tool-arguments-object']],
    ['scalar arguments', withArguments('7'), ['tool-arguments-object']],
    ['F09 reasoning on every round, an empty one too', [user(), reasoned('a'), tool('a'), reasoned('b'), tool('b')], []],
    ['F09 reasoning on some rounds only', [user(), reasoned('a'), tool('a'), calls('b'), tool('b')], ['reasoning-missing']],
  ])('%s', (_, messages, rules) => {
    expect(rulesOf(messages, {}, 'local')).toEqual(rules);
  });
});

const CORPUS = new URL('../../../../shared/corpus/openai-chat/', import.meta.url);

describe.skipIf(!existsSync(CORPUS))('F07 recorded conversations (skipped without ../shared/corpus)', () => {
  test('are valid as they were sent', () => {
    const names = readdirSync(CORPUS).filter((name) => name.endsWith('.json'));
    const read = names.map((name) => JSON.parse(readFileSync(new URL(name, CORPUS), 'utf8')) as { messages?: unknown });
    const recorded = read.filter(({ messages }) => messages !== undefined);
    expect(recorded.length).toBeGreaterThan(3);
    for (const { messages } of recorded) expect(rulesOf(messages)).toEqual([]);
  });
});
