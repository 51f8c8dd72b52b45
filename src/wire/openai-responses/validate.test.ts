// F07, F08, F09: the strict validator of the Responses API.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ValidateOptions } from '../rules.ts';
import { validateOpenaiResponses } from './validate.ts';

type Json = Record<string, unknown>;

const user = { role: 'user', content: 'hi' };
const assistant = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'bye' }] };
const call = (id: string, extra: Json = {}) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}', ...extra });
const output = (id: string, extra: Json = {}) => ({ type: 'function_call_output', call_id: id, output: 'ok', ...extra });
const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'x' });

const rulesOf = (input: unknown, extra: Json = {}, strict?: ValidateOptions['strict']) =>
  validateOpenaiResponses(JSON.stringify({ input, ...extra }), { strict }).map(({ rule }) => rule.replace('openai-responses/', ''));

describe('valid requests', () => {
  test.each<[string, unknown, Json?]>([
    ['plain text', 'hi'],
    ['messages', [{ role: 'developer', content: 'x' }, user, assistant, user]],
    ['a round', [user, reasoning('rs_1'), call('a'), call('b'), output('b'), output('a'), assistant]],
    ['a message between call and output', [user, call('a'), user, output('a')]],
    ['two reasoning items before one call', [user, reasoning('rs_1'), reasoning('rs_2'), call('a'), output('a')]],
    ['reasoning before a server tool', [user, reasoning('rs_1'), { type: 'web_search_call', id: 'ws_1', status: 'completed' }, assistant]],
    [
      'a custom tool',
      [
        user,
        { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'no { json' },
        { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
      ],
    ],
    ['a shell call answered as a function', [user, { type: 'local_shell_call', call_id: 'a', action: {} }, output('a')]],
    [
      'a hosted search of tools',
      [user, { type: 'tool_search_call', call_id: null }, { type: 'tool_search_output', call_id: null, tools: [] }, assistant],
    ],
    ['a compaction item', [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }, user]],
    ['items nobody knows', [user, { type: 'brand_new' }]],
    ['the server holds the call', [output('a')], { previous_response_id: 'resp_1' }],
    ['the server holds the items', [{ type: 'item_reference', id: 'rs_1' }, output('a')]],
    ['nothing new in a conversation', [], { conversation: 'conv_1' }],
    ['empty arguments', [user, call('a', { arguments: '' }), output('a')]],
  ])('%s', (_, input, extra) => {
    expect(rulesOf(input, extra)).toEqual([]);
  });
});

describe('F07 calls and outputs', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['no output', [user, call('a'), user], ['tool-result-missing']],
    ['one of two outputs', [user, call('a'), call('b'), output('a')], ['tool-result-missing']],
    ['an orphan at the cut', [output('a'), user], ['tool-result-orphan']],
    ['the output before its call', [user, output('a'), call('a')], ['tool-result-orphan', 'tool-result-missing']],
    ['two outputs', [user, call('a'), output('a'), output('a')], ['tool-result-duplicate']],
    ['one call id twice', [user, call('a'), call('a'), output('a')], ['call-id-duplicate']],
    [
      'the item id instead of the call id',
      [user, call('call_1', { id: 'fc_1' }), output('fc_1')],
      ['tool-result-orphan', 'tool-result-missing'],
    ],
    ['an id padded with blanks', [user, call(' a'), output('a')], ['tool-result-orphan', 'tool-result-missing']],
    ['no call id', [user, { type: 'function_call', name: 'x', arguments: '{}' }], ['tool-call-id']],
    ['an output without a call id', [user, { type: 'function_call_output', output: 'x' }], ['tool-result-orphan']],
    ['no name', [user, call('a', { name: '' }), output('a')], ['tool-name']],
    ['a custom call without its output', [user, { type: 'custom_tool_call', call_id: 'a', name: 'p', input: '' }], ['tool-result-missing']],
    ['a repeated item', [user, { ...assistant, id: 'msg_1' }, { ...assistant, id: 'msg_1' }], ['item-id-duplicate']],
  ])('%s', (_, input, rules) => {
    expect([...rulesOf(input)].sort()).toEqual([...rules].sort());
  });

  test('the words are those of the API', () => {
    expect(validateOpenaiResponses(JSON.stringify({ input: [user, call('call_1')] }))).toEqual([
      { rule: 'openai-responses/tool-result-missing', path: 'input.1', message: 'No tool output found for function call call_1.' },
    ]);
  });

  test('any cut inside a round is found', () => {
    const ids = Array.from({ length: 10 }, (_, at) => `call_${at}`);
    const items = [user, reasoning('rs_1'), ...ids.map((id) => call(id)), ...ids.map((id) => output(id)), assistant];
    fc.assert(
      fc.property(fc.nat(items.length - 1), (cut) => {
        const isLegal = cut <= 2 || cut === items.length - 1;
        expect(rulesOf(items.slice(cut)).length === 0).toBe(isLegal);
      }),
      { seed: 7, numRuns: 80 },
    );
  });
});

describe('F09 reasoning items', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['at the end', [user, reasoning('rs_1')], ['reasoning-alone']],
    ['before a user', [user, reasoning('rs_1'), user], ['reasoning-alone']],
    ['before an output whose call was dropped', [user, call('a'), reasoning('rs_1'), output('a')], ['reasoning-alone']],
    ['a run of two before a user', [user, reasoning('rs_1'), reasoning('rs_2'), user], ['reasoning-alone', 'reasoning-alone']],
  ])('%s', (_, input, rules) => {
    expect(rulesOf(input)).toEqual(rules);
  });

  test('the item is named', () => {
    const [found] = validateOpenaiResponses(JSON.stringify({ input: [user, reasoning('rs_7'), user] }));
    expect(found?.message).toBe("Item 'rs_7' of type 'reasoning' was provided without its required following item.");
  });
});

describe('F08 items and content', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['no input', undefined, ['input-empty']],
    ['an empty list', [], ['input-empty']],
    ['an empty text', '', ['input-empty']],
    ['an item that is no object', ['hi'], ['item-shape']],
    ['an item without type and role', [{ content: 'x' }], ['item-shape']],
    ['a role of another API', [{ role: 'tool', content: 'x' }], ['role']],
    ['no content', [{ role: 'user' }], ['content-null']],
    ['an empty content', [{ role: 'user', content: [] }], ['content-empty']],
    ['a part without a type', [{ role: 'user', content: [{ text: 'x' }] }], ['part-shape']],
    ['a text part without text', [{ role: 'user', content: [{ type: 'input_text' }] }], ['part-shape']],
    ['output text of a user', [{ role: 'user', content: [{ type: 'output_text', text: 'x' }] }], ['part-role']],
    ['input text of an assistant', [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }], ['part-role']],
    ['arguments cut in the middle', [user, call('a', { arguments: '{"p":"x…' }), output('a')], ['tool-arguments']],
    ['an output without a value', [user, call('a'), output('a', { output: null })], ['output-shape']],
  ])('%s', (_, input, rules) => {
    expect(rulesOf(input)).toEqual(rules);
  });

  test('a declared tool needs a name', () => {
    expect(rulesOf('hi', { tools: [{ type: 'function', name: '' }, { type: 'web_search' }] })).toEqual(['tool-name']);
  });
});

describe('strict: openai', () => {
  test('names of 64 plain letters, ids of 64', () => {
    const long = 'x'.repeat(65);
    expect(rulesOf([user, call('a', { name: 'mcp.read' }), output('a')], {}, 'openai')).toEqual(['tool-name']);
    expect(rulesOf([user, call(long), output(long)], {}, 'openai')).toEqual(['id-length', 'id-length']);
    expect(rulesOf([user, { ...assistant, id: long }], {}, 'openai')).toEqual(['id-length']);
    expect(rulesOf([user, call(long, { name: 'mcp.read' }), output(long)])).toEqual([]);
  });
});
