// Which messages are one and the same for the fingerprint, and which are not. The exact forms are pinned: stored fingerprints depend on them.
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

const canonical = (api: Api, message: unknown): string =>
  codecFor(api).canonicalMessage(typeof message === 'string' ? message : JSON.stringify(message));
const MARK = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const text = (words: string, extra: object = {}): object => ({ type: 'text', text: words, ...extra });
const result = (content: unknown, extra: object = {}): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content, ...extra }],
});
const called = (args: string, extra: object = {}): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args }, ...extra }],
});
const answer = (extra: object, block: object = {}): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hi', ...block }],
  ...extra,
});

describe('equal', () => {
  it.each<[string, Api, unknown, unknown]>([
    ['a string and one text block', 'anthropic', { role: 'user', content: 'hi' }, { role: 'user', content: [text('hi')] }],
    ['a string and one marked text block', 'anthropic', { role: 'user', content: 'hi' }, { role: 'user', content: [text('hi', MARK)] }],
    [
      'a marker that moved on',
      'anthropic',
      { role: 'user', content: [text('a', MARK), text('b')] },
      { role: 'user', content: [text('a'), text('b', MARK)] },
    ],
    ['the order of keys', 'anthropic', '{"role":"user","content":"hi"}', '{ "content" : "hi", "role":"user" }'],
    [
      'the spelling of strings',
      'anthropic',
      '{"role":"user","content":"\\u00e9\\/\\u0041\\ud83d\\ude00"}',
      '{"role":"user","content":"é/A😀"}',
    ],
    ['the spelling of numbers', 'anthropic', '{"role":"user","content":[],"n":1.0,"m":1e2}', '{"role":"user","m":100,"n":1}'],
    [
      'empty fields and no fields',
      'anthropic',
      { role: 'user', content: 'x', a: null, b: '', c: [], d: {}, e: { f: null } },
      { role: 'user', content: 'x' },
    ],
    ['a result as string and as one text block', 'anthropic', result('r'), result([text('r')], MARK)],
    ['a result with a marker inside', 'anthropic', result('r'), result([text('r', MARK)])],
    ['no result content and empty ones', 'anthropic', result(undefined), result([])],
    ['citations: null', 'anthropic', { role: 'assistant', content: 'x' }, { role: 'assistant', content: [text('x', { citations: null })] }],
    [
      'a message as the API returned it',
      'anthropic',
      { role: 'assistant', content: [text('x')] },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [text('x')],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1 },
      },
    ],
    [
      'the key order of arguments',
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', input: { a: 1, b: 2 } }] },
      { role: 'assistant', content: [{ input: { b: 2, a: 1 }, type: 'tool_use' }] },
    ],
    [
      'the fields an SDK adds',
      'openai-chat',
      { role: 'assistant', content: 'hi' },
      { role: 'assistant', content: 'hi', refusal: null, annotations: [], audio: null, function_call: null, tool_calls: [] },
    ],
    ['null content and none', 'openai-chat', called('{}'), { ...called('{}'), content: '' }],
    ['the index of a streamed call', 'openai-chat', called('{"a":1}'), called('{"a":1}', { index: 0 })],
    ['the layout of arguments', 'openai-chat', called('{"a":1,"b":[1.0]}'), called('{ "b": [1], "a": 1 }')],
    ['no arguments and empty ones', 'openai-chat', called(''), called('{}')],
    [
      'a string and one text part',
      'openai-chat',
      { role: 'tool', tool_call_id: 'c', content: 'r' },
      { role: 'tool', tool_call_id: 'c', content: [text('r', MARK)] },
    ],
    [
      'a message with and without its type',
      'openai-responses',
      { role: 'user', content: 'hi' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    ],
    [
      'an answer with and without id and status',
      'openai-responses',
      answer({}),
      answer({ id: 'msg_1', status: 'completed' }, { annotations: [], logprobs: [] }),
    ],
    [
      'a call with and without id and status',
      'openai-responses',
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { id: 'fc_1', status: 'completed', type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ],
    [
      'reasoning with and without id',
      'openai-responses',
      { type: 'reasoning', summary: [], encrypted_content: 'e' },
      { id: 'rs_1', type: 'reasoning', summary: [], content: null, encrypted_content: 'e' },
    ],
    [
      'an output as string and as one text part',
      'openai-responses',
      { type: 'function_call_output', call_id: 'c', output: 'r' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'r' }] },
    ],
    [
      'a moved breakpoint',
      'openai-responses',
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'input_text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ],
  ])('%s (%s)', (_name, api, left, right) => {
    expect(canonical(api, right)).toBe(canonical(api, left));
  });
});

describe('different', () => {
  it.each<[string, Api, unknown, unknown]>([
    ['other words', 'anthropic', { role: 'user', content: 'a' }, { role: 'user', content: 'b' }],
    ['other roles', 'anthropic', { role: 'user', content: 'a' }, { role: 'assistant', content: 'a' }],
    ['two blocks and their joined text', 'anthropic', { role: 'user', content: [text('a'), text('b')] }, { role: 'user', content: 'ab' }],
    [
      'a lone block with citations',
      'anthropic',
      { role: 'user', content: 'a' },
      { role: 'user', content: [text('a', { citations: [{ cited_text: 'q' }] })] },
    ],
    ['other ids of calls', 'anthropic', result('r'), { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u', content: 'r' }] }],
    ['an error and none', 'anthropic', result('r'), result('r', { is_error: true })],
    [
      'big numbers that differ in the last digit',
      'anthropic',
      '{"role":"assistant","content":[{"type":"tool_use","input":{"n":12345678901234567890}}]}',
      '{"role":"assistant","content":[{"type":"tool_use","input":{"n":12345678901234567891}}]}',
    ],
    [
      'arguments with an empty field and without it',
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', input: { a: '', b: 1 } }] },
      { role: 'assistant', content: [{ type: 'tool_use', input: { b: 1 } }] },
    ],
    [
      'arguments that speak of cache_control',
      'anthropic',
      { role: 'assistant', content: [{ type: 'tool_use', input: { cache_control: 'x', b: 1 } }] },
      { role: 'assistant', content: [{ type: 'tool_use', input: { b: 1 } }] },
    ],
    ['different halves of a surrogate pair', 'anthropic', '{"role":"user","content":"\\ud800"}', '{"role":"user","content":"\\udfff"}'],
    [
      'the order of an array',
      'openai-chat',
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'user', content: [text('b'), text('a')] },
    ],
    ['arguments with other values', 'openai-chat', called('{"a":1}'), called('{"a":2}')],
    ['arguments with null and without', 'openai-chat', called('{"a":null}'), called('{}')],
    ['arguments that are no JSON', 'openai-chat', called('{"a": cut'), called('{"a":cut')],
    ['two item references', 'openai-responses', { type: 'item_reference', id: 'rs_1' }, { type: 'item_reference', id: 'rs_2' }],
    ['two references without a type', 'openai-responses', { id: 'rs_1' }, { id: 'rs_2' }],
    ['two phases', 'openai-responses', answer({ phase: 'commentary' }), answer({ phase: 'final_answer' })],
  ])('%s (%s)', (_name, api, left, right) => {
    expect(canonical(api, right)).not.toBe(canonical(api, left));
  });
});

describe('the exact form', () => {
  it('is pinned', () => {
    expect(
      canonical(
        'anthropic',
        '{"role":"assistant","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"tool_use","id":"t","name":"n","input":{"z":"","a":1.50}}]}',
      ),
    ).toBe('{"content":[{"text":"a","type":"text"},{"id":"t","input":{"a":1.5,"z":""},"name":"n","type":"tool_use"}],"role":"assistant"}');
    expect(
      canonical(
        'openai-chat',
        '{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\\"b\\": 1}"}}]}',
      ),
    ).toBe('{"role":"assistant","tool_calls":[{"function":{"arguments":{"b":1},"name":"f"},"id":"c","type":"function"}]}');
    expect(canonical('openai-responses', '"hi"')).toBe('{"content":"hi","role":"user"}');
  });

  it('takes names of built-in fields for what they are', () => {
    expect(canonical('anthropic', '{"role":"user","content":"x","__proto__":{"a":1},"constructor":2}')).toBe(
      '{"__proto__":{"a":1},"constructor":2,"content":"x","role":"user"}',
    );
  });

  it('takes the last of repeated members', () => {
    expect(canonical('anthropic', '{"role":"user","content":"a","content":"b"}')).toBe(
      canonical('anthropic', '{"role":"user","content":"b"}'),
    );
  });
});
