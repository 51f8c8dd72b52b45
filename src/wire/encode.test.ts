// What the codecs write themselves: valid for their own API, and read back as what was meant.
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { APIS } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

const CALLS: Readonly<Record<Api, readonly string[]>> = {
  anthropic: [
    '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}',
  ],
  'openai-chat': [
    '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}',
  ],
  'openai-responses': [
    '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}',
    '{"type":"custom_tool_call","call_id":"b","name":"g","input":"x"}',
  ],
};

describe.each(APIS)('%s', (api) => {
  const codec = codecFor(api);

  it('a user message reads back as its text', () => {
    const words = 'He said "hi"\n\\ \u2028 😀 é';
    const message = codec.decodeMessage(codec.encodeUserMessage(words));
    expect(message).toMatchObject({ role: 'user', parts: [{ kind: 'text', text: words }] });
    expect(codec.encodeUserMessage('half \ud83d')).not.toMatch(/\\ud83d|\ud83d/);
  });

  it('F07 results answer their calls, errors marked where the format can, and the body is valid', () => {
    const calls = CALLS[api].flatMap((raw) => codec.decodeMessage(raw).parts).filter((part) => part.kind === 'call');
    const results = codec.encodeResults(
      calls.map(({ id, wireType }, index) => ({ callId: id, text: `text ${id}`, isError: index === 0, wireType })),
    );
    const parts = results.flatMap((raw) => codec.decodeMessage(raw).parts);
    expect(parts.map((part) => part.kind === 'result' && [part.callId, part.text])).toEqual([
      ['a', 'text a'],
      ['b', 'text b'],
    ]);
    expect(results.every((raw) => codec.decodeMessage(raw).role === 'tool')).toBe(true);
    const list = [codec.encodeUserMessage('go'), ...CALLS[api], ...results].join(',');
    expect(codec.validate(`{"model":"m","max_tokens":1,"${api === 'openai-responses' ? 'input' : 'messages'}":[${list}]}`)).toEqual([]);
  });

  it('no results are no messages', () => {
    expect(codec.encodeResults([])).toEqual([]);
  });

  it('passes usage and validation on to the rules of its API', () => {
    expect(
      codec.usage({ usage: api === 'openai-chat' ? { prompt_tokens: 7, completion_tokens: 1 } : { input_tokens: 7, output_tokens: 1 } }),
    ).toMatchObject({ promptTokens: 7 });
    expect(codec.validate('{').length).toBeGreaterThan(0);
  });
});

describe('results of other types of calls', () => {
  it('take the type that matches', () => {
    const encode = (wireType: string): unknown =>
      JSON.parse(codecFor('openai-responses').encodeResults([{ callId: 'c', text: 'x', isError: true, wireType }])[0]!);
    expect(encode('local_shell_call')).toEqual({ type: 'local_shell_call_output', call_id: 'c', output: 'x' });
    expect(encode('apply_patch_call')).toEqual({ type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'x' });
    expect(encode('shell_call')).toMatchObject({ type: 'shell_call_output', output: [{ stdout: 'x', outcome: { exit_code: 1 } }] });
    expect(encode('computer_call')).toMatchObject({ type: 'computer_call_output', output: { type: 'computer_screenshot' } });
    expect(encode('unheard_of')).toMatchObject({ type: 'function_call_output' });
    expect(codecFor('openai-chat').encodeResults([{ callId: 'f', text: 'x', isError: false, wireType: 'function_call' }])).toEqual([
      '{"role":"function","name":"f","content":"x"}',
    ]);
  });

  it('an error is marked where the format can say so', () => {
    expect(codecFor('anthropic').encodeResults([{ callId: 'a', text: 'x', isError: true }])).toEqual([
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x","is_error":true}]}',
    ]);
  });
});
