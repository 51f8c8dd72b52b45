// F07, F08, F09: the strict validator of the Messages API.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateAnthropic } from './validate.ts';

type Json = Record<string, unknown>;

const user = (...content: Json[]) => ({ role: 'user', content });
const assistant = (...content: Json[]) => ({ role: 'assistant', content });
const text = (value: string, extra: Json = {}) => ({ type: 'text', text: value, ...extra });
const call = (id: string, extra: Json = {}) => ({ type: 'tool_use', id, name: 'read', input: {}, ...extra });
const result = (id: string, extra: Json = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...extra });
const server = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} });
const serverResult = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
const thinking = (extra: Json = {}) => ({ type: 'thinking', thinking: 'hm', signature: 'sig', ...extra });
const marker = { cache_control: { type: 'ephemeral' } };
const hi = user(text('hi'));
const bye = assistant(text('bye'));

const rulesOf = (messages: unknown, extra: Json = {}, strict?: 'local') =>
  validateAnthropic(JSON.stringify({ messages, ...extra }), { strict }).map(({ rule }) => rule.replace('anthropic/', ''));

describe('valid requests', () => {
  test.each<[string, unknown, Json?]>([
    ['plain text', [{ role: 'user', content: 'hi' }]],
    [
      'a round with text after the results',
      [hi, assistant(thinking(), text('t'), call('a'), call('b')), user(result('b'), result('a'), text('go on'))],
    ],
    [
      'consecutive messages of one role are one turn',
      [hi, assistant(call('a')), assistant(call('b')), user(result('a')), user(result('b')), user(text('x'))],
    ],
    ['a leading compaction block', [assistant({ type: 'compaction', content: 's', signature: 'x' }), hi]],
    ['a failed compaction block', [assistant({ type: 'compaction', content: null }), hi]],
    ['a system message in the middle', [hi, bye, hi, { role: 'system', content: 'new rule' }, bye]],
    ['a server tool in its turn', [hi, assistant(server('s'), serverResult('s'), text('found')), hi]],
    ['a paused turn', [hi, assistant(server('s'))]],
    [
      'a client tool called from server code',
      [hi, assistant(server('s'), call('a')), user(result('a')), assistant(serverResult('s'), text('done')), hi],
    ],
    ['an empty final assistant', [hi, { role: 'assistant', content: '' }]],
    ['results without content', [hi, assistant(call('a')), user(result('a', { content: undefined }))]],
    ['results with an empty text', [hi, assistant(call('a')), user(result('a', { content: '' }))]],
    ['thinking without text', [hi, assistant(thinking({ thinking: '' }), text('t')), hi]],
    ['four markers', [user(text('a', marker), text('b', marker))], { system: [text('s', marker)], tools: [{ name: 't', ...marker }] }],
    ['1h before 5m', [user(text('a', { cache_control: { type: 'ephemeral', ttl: '1h' } }), text('b', marker))]],
    ['a thread that goes on', [user(result('unseen'))], { thread: { type: 'continue', previous_message_id: 'msg_1' } }],
    ['blocks nobody knows', [user({ type: 'brand_new', x: 1 }, text('t'))]],
    ['an emoji', [user(text('📥'))]],
  ])('%s', (_, messages, extra) => {
    expect(rulesOf(messages, extra)).toEqual([]);
  });
});

describe('F07 calls and results', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['no result', [hi, assistant(call('a')), hi], ['tool-result-missing']],
    ['no result at the end', [hi, assistant(call('a'))], ['tool-result-missing']],
    ['one of two results', [hi, assistant(call('a'), call('b')), user(result('a'))], ['tool-result-missing']],
    ['a result one turn late', [hi, assistant(call('a')), hi, bye, user(result('a'))], ['tool-result-missing', 'tool-result-orphan']],
    [
      'a message between',
      [hi, assistant(call('a')), { role: 'system', content: 's' }, user(result('a'))],
      ['system-place', 'tool-result-missing', 'tool-result-orphan'],
    ],
    ['an orphan at the cut', [user(result('a'), text('x'))], ['tool-result-orphan']],
    ['text before the result', [hi, assistant(call('a')), user(text('x'), result('a'))], ['tool-result-first']],
    ['a summary put between call and result', [hi, assistant(call('a')), user(text('summary')), user(result('a'))], ['tool-result-first']],
    ['two results for one call', [hi, assistant(call('a')), user(result('a'), result('a'))], ['tool-result-duplicate']],
    ['one id twice', [hi, assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))], ['tool-id-duplicate']],
    [
      'an id padded with blanks',
      [hi, assistant(call(' a')), user(result('a'))],
      ['id-pattern', 'tool-result-orphan', 'tool-result-missing'],
    ],
    ['no id at all', [hi, assistant(call('')), user(result(''))], ['id-pattern', 'id-pattern']],
    ['no name', [hi, assistant(call('a', { name: '' })), user(result('a'))], ['tool-name']],
    ['a name of 129 letters', [hi, assistant(call('a', { name: 'n'.repeat(129) })), user(result('a'))], ['tool-name']],
    ['arguments that are no object', [hi, assistant(call('a', { input: '{}' })), user(result('a'))], ['tool-input']],
    ['a call of the user', [user(call('a')), bye], ['block-role']],
    ['a result of the assistant', [hi, assistant(result('a'), text('x')), hi], ['block-role']],
    ['a server call without its result', [hi, assistant(server('s'), text('x')), hi], ['server-tool-result-missing']],
    ['a server result without its call', [hi, assistant(serverResult('s'), text('x')), hi], ['server-tool-result-orphan']],
  ])('%s', (_, messages, rules) => {
    expect([...rulesOf(messages)].sort()).toEqual([...rules].sort());
  });

  test('the words are those of the API, with every id', () => {
    const body = JSON.stringify({ messages: [hi, assistant(call('toolu_1'), call('toolu_2')), hi] });
    expect(validateAnthropic(body)).toEqual([
      {
        rule: 'anthropic/tool-result-missing',
        path: 'messages.1',
        message:
          'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1, toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      },
    ]);
  });

  test('ten parallel calls: any lost or moved result is found, and no other order is', () => {
    const ids = Array.from({ length: 10 }, (_, at) => `toolu_${at}`);
    const order = fc.shuffledSubarray(ids, { minLength: 0, maxLength: 10 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 10 }), (answered, size) => {
        const asked = ids.slice(0, size);
        const messages = [hi, assistant(...asked.map((id) => call(id))), user(...answered.map((id) => result(id)), text('next'))];
        const isWhole = answered.length === size && asked.every((id) => answered.includes(id));
        expect(rulesOf(messages).length === 0).toBe(isWhole);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('order, emptiness, markers', () => {
  test.each<[string, unknown, readonly string[], Json?]>([
    ['no messages', [], ['messages-empty']],
    ['messages missing', undefined, ['messages-empty']],
    ['a first assistant', [bye, hi], ['first-user']],
    ['a first system', [{ role: 'system', content: 's' }, hi], ['system-place']],
    ['a system after an assistant', [hi, bye, { role: 'system', content: 's' }, hi], ['system-place']],
    ['a role of another API', [hi, { role: 'tool', content: 'x' }], ['role']],
    ['a message that is no object', [hi, 7], ['role', 'content-shape']],
    ['no content', [{ role: 'user' }], ['content-shape']],
    ['an empty list', [user()], ['content-empty']],
    ['an empty string', [{ role: 'user', content: '' }], ['content-empty']],
    ['an empty assistant in the middle', [hi, { role: 'assistant', content: '' }, hi], ['content-empty']],
    ['an empty text', [user(text(''))], ['text-empty']],
    ['a blank text', [user(text(' \n'))], ['text-blank']],
    ['a blank string', [{ role: 'user', content: '  ' }], ['text-blank']],
    ['a text that is no text', [user({ type: 'text', text: 7 })], ['text-shape']],
    ['an empty text in a result', [hi, assistant(call('a')), user(result('a', { content: [text('')] }))], ['text-empty']],
    ['an empty system block', [hi], ['text-empty'], { system: [text('')] }],
    ['a block without a type', [user({ text: 'x' })], ['block-shape']],
    ['a final assistant with a blank behind', [hi, assistant(text('so '))], ['trailing-whitespace']],
    ['an empty compaction', [assistant({ type: 'compaction', content: '' }), hi], ['compaction-empty']],
    [
      'five markers',
      [user(...['a', 'b', 'c', 'd'].map((value) => text(value, marker)))],
      ['cache-control-count'],
      { cache_control: { type: 'ephemeral' } },
    ],
    [
      'five markers, one inside a result',
      [hi, assistant(call('a', marker)), user(result('a', { content: [text('x', marker)], ...marker }))],
      ['cache-control-count'],
      { system: [text('s', marker), text('t', marker)] },
    ],
    ['a marker on an empty text', [user(text('', marker))], ['text-empty', 'cache-control-empty-text']],
    ['a marker on thinking', [hi, assistant(thinking(marker), text('x')), hi], ['cache-control-thinking']],
    ['1h after 5m', [user(text('a', marker), text('b', { cache_control: { type: 'ephemeral', ttl: '1h' } }))], ['cache-control-order']],
    ['two tools of one name', [hi], ['tool-name-duplicate'], { tools: [{ name: 't' }, { name: 't' }] }],
    ['a tool without a name', [hi], ['tool-name'], { tools: [{ name: '' }] }],
  ])('%s', (_, messages, rules, extra) => {
    expect([...rulesOf(messages, extra)].sort()).toEqual([...rules].sort());
  });

  test('over 100,000 messages', () => {
    expect(rulesOf(Array.from({ length: 100_001 }, () => ({ role: 'user', content: 'x' })))).toEqual(['messages-too-many']);
  });
});

describe('F09 thinking', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['a message of thinking alone', [hi, assistant(thinking()), hi], ['thinking-last']],
    ['redacted thinking alone', [hi, assistant({ type: 'redacted_thinking', data: 'x' }), hi], ['thinking-last']],
    ['an empty signature', [hi, assistant(thinking({ signature: '' }), text('x')), hi], ['thinking-signature']],
    ['redacted thinking without data', [hi, assistant({ type: 'redacted_thinking', data: '' }, text('x')), hi], ['thinking-signature']],
    ['thinking of the user', [user(thinking(), text('x'))], ['block-role']],
  ])('%s', (_, messages, rules) => {
    expect(rulesOf(messages)).toEqual(rules);
  });

  test('an open round must start with thinking only where that is asked for', () => {
    const round = [hi, assistant(call('a')), user(result('a'))];
    const extra = { thinking: { type: 'enabled', budget_tokens: 1_024 }, tools: [{ name: 'read' }] };
    expect(rulesOf(round, extra)).toEqual([]);
    expect(rulesOf(round, extra, 'local')).toEqual(['thinking-first']);
    expect(rulesOf([hi, assistant(thinking(), call('a')), user(result('a'))], extra, 'local')).toEqual([]);
  });
});

describe('strict relays', () => {
  test('alternation, declared tools, names of at most 64', () => {
    expect(rulesOf([hi, hi], {}, 'local')).toEqual(['alternation']);
    expect(rulesOf([hi, assistant(call('a')), user(result('a'))], {}, 'local')).toEqual(['tools-missing']);
    expect(rulesOf([hi], { tools: [{ name: 'n'.repeat(65) }] }, 'local')).toEqual(['tool-name']);
    expect(rulesOf([hi], { tools: [{ name: 'n'.repeat(65) }] })).toEqual([]);
  });
});

const RECORDED = new URL('../../../../shared/corpus/anthropic-messages/cline-session.messages.json', import.meta.url);

describe.skipIf(!existsSync(RECORDED))('F07 a recorded conversation (skipped without ../shared/corpus)', () => {
  test('is valid as it was sent, and broken by losing any one of its results', () => {
    const { messages } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { messages: { role: string; content: Json[] }[] };
    expect(rulesOf(messages)).toEqual([]);
    const answers = messages.filter(({ content }) => content.some(({ type }) => type === 'tool_result'));
    expect(answers.length).toBeGreaterThan(3);
    for (const lost of answers) {
      expect(rulesOf(messages.map((message) => (message === lost ? user(text('lost')) : message)))).toContain('tool-result-missing');
    }
  });
});
