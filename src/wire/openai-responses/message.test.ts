import { describe, expect, it } from 'vitest';
import type { Part, Role } from '../../core/transcript/entry.ts';
import { openaiResponsesCodec } from './codec.ts';

const decode = (item: unknown): { role: Role; parts: readonly Part[] } => {
  const { role, parts } = openaiResponsesCodec.decodeMessage(JSON.stringify(item));
  return { role, parts };
};

describe('decodeMessage', () => {
  it('reads messages with and without a type', () => {
    const content = [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: 'https://x/y.png', detail: 'auto' },
      { type: 'input_file', file_id: 'f' },
      { type: 'later' },
    ];
    const parts = [
      { kind: 'text', text: 'a' },
      { kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(content[1]).length },
      { kind: 'media', mediaKind: 'file', sizeBytes: JSON.stringify(content[2]).length },
      { kind: 'opaque', type: 'later', sizeChars: 16 },
    ];
    expect(decode({ type: 'message', role: 'user', content })).toEqual({ role: 'user', parts });
    expect(decode({ role: 'user', content })).toEqual({ role: 'user', parts });
    expect(decode({ role: 'developer', content: 'rules' })).toEqual({ role: 'system', parts: [{ kind: 'text', text: 'rules' }] });
    const answer = [
      { type: 'output_text', text: 'b', annotations: [] },
      { type: 'refusal', refusal: 'no' },
    ];
    expect(decode({ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: answer }).parts).toEqual([
      { kind: 'text', text: 'b' },
      { kind: 'text', text: 'no' },
    ]);
  });

  it('reads calls a client answers; other types name the type their result must match', () => {
    expect(decode({ type: 'function_call', call_id: ' call_1 ', name: 'exec', arguments: '{"cmd":"ls"}', id: 'fc_1' })).toEqual({
      role: 'assistant',
      parts: [{ kind: 'call', id: 'call_1', name: 'exec', argumentsText: '{"cmd":"ls"}' }],
    });
    expect(decode({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' }).parts).toEqual([
      { kind: 'call', id: 'c', name: 'apply_patch', argumentsText: '*** Begin', wireType: 'custom_tool_call' },
    ]);
    expect(decode({ type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'] } }).parts).toEqual([
      { kind: 'call', id: 'c', name: 'local_shell', argumentsText: '{"type":"exec","command":["ls"]}', wireType: 'local_shell_call' },
    ]);
  });

  it('reads results as role tool: strings, parts, screenshots', () => {
    expect(decode({ type: 'function_call_output', call_id: 'c ', output: 'done' })).toEqual({
      role: 'tool',
      parts: [{ kind: 'result', callId: 'c', text: 'done', media: [] }],
    });
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    expect(decode({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'a' }, image] }).parts).toEqual([
      { kind: 'result', callId: 'c', text: 'a', media: [{ kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(image).length }] },
    ]);
    expect(
      decode({ type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: 'x' } }).parts[0],
    ).toMatchObject({
      kind: 'result',
      media: [{ mediaKind: 'image' }],
    });
    expect(decode({ type: 'custom_tool_call_output' })).toEqual({
      role: 'tool',
      parts: [{ kind: 'result', callId: '', text: '', media: [] }],
    });
  });

  it('reads reasoning as unbound thinking with its encrypted size', () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'plan' }],
      content: null,
      encrypted_content: 'gAAAA',
    };
    expect(decode(item)).toEqual({ role: 'assistant', parts: [{ kind: 'thinking', text: 'plan', isBound: false, opaqueChars: 5 }] });
  });

  it.each([
    ['item_reference', 'assistant'],
    ['compaction', 'assistant'],
    ['web_search_call', 'assistant'],
    ['file_search_call', 'assistant'],
    ['code_interpreter_call', 'assistant'],
    ['image_generation_call', 'assistant'],
    ['mcp_call', 'assistant'],
    ['mcp_list_tools', 'assistant'],
    ['mcp_approval_response', 'tool'],
    ['computer_call', 'assistant'],
    ['item_of_next_year', 'assistant'],
    ['constructor', 'assistant'],
  ])('carries %s whole', (type, role) => {
    const item = { type, id: 'x_1', encrypted_content: 'zzz' };
    expect(decode(item)).toEqual({ role, parts: [{ kind: 'opaque', type, sizeChars: JSON.stringify(item).length }] });
  });

  it('takes an id alone for a reference, and nothing at all for something unknown', () => {
    expect(decode({ id: 'rs_1' }).parts).toEqual([{ kind: 'opaque', type: 'item_reference', sizeChars: 13 }]);
    expect(decode({}).parts).toEqual([{ kind: 'opaque', type: 'unknown', sizeChars: 2 }]);
  });
});
