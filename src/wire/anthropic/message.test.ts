import { describe, expect, it } from 'vitest';
import type { Part, Role } from '../../core/transcript/entry.ts';
import { anthropicCodec } from './codec.ts';

const decode = (message: unknown): { role: Role; parts: readonly Part[] } => {
  const { role, parts } = anthropicCodec.decodeMessage(JSON.stringify(message));
  return { role, parts };
};
const block = (value: unknown, role = 'user'): Part => decode({ role, content: [value] }).parts[0]!;
const PNG = btoa(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x08\x08\x02\0\0\0`);

describe('decodeMessage', () => {
  it('reads string content, and nothing from empty, null or missing content', () => {
    expect(decode({ role: 'user', content: 'hi' })).toEqual({ role: 'user', parts: [{ kind: 'text', text: 'hi' }] });
    for (const content of ['', null, undefined, [], 7, {}])
      expect(decode({ role: 'assistant', content })).toEqual({ role: 'assistant', parts: [] });
  });

  it('reads text, thinking, calls in order', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'abcd' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: ' toolu_1 ', name: 'Read', input: { path: 'a.ts', limit: 1 } },
    ];
    expect(decode({ role: 'assistant', content })).toEqual({
      role: 'assistant',
      parts: [
        { kind: 'thinking', text: 'hm', isBound: true, opaqueChars: 4 },
        { kind: 'thinking', text: '', isBound: true, opaqueChars: 3 },
        { kind: 'text', text: 'Let me look.' },
        { kind: 'call', id: 'toolu_1', name: 'Read', argumentsText: '{"path":"a.ts","limit":1}' },
      ],
    });
  });

  it('keeps the arguments as they were written', () => {
    const raw = '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"b": 1.0, "a":12345678901234567890}}]}';
    expect(anthropicCodec.decodeMessage(raw).parts[0]).toMatchObject({ argumentsText: '{"b": 1.0, "a":12345678901234567890}' });
  });

  it('F07 trims the ids of results, so that padded ones still pair', () => {
    expect(block({ type: 'tool_result', tool_use_id: 'call:24 \n', content: 'x' })).toMatchObject({ callId: 'call:24' });
  });

  it('reads results: strings, blocks, nested images, errors, nothing', () => {
    expect(block({ type: 'tool_result', tool_use_id: 't', content: 'plain', is_error: true })).toEqual({
      kind: 'result',
      callId: 't',
      text: 'plain',
      isError: true,
      media: [],
    });
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    expect(
      block({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] }),
    ).toEqual({
      kind: 'result',
      callId: 't',
      text: 'a\nb',
      media: [{ kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(image).length, widthPx: 16, heightPx: 8 }],
    });
    expect(block({ type: 'tool_result', tool_use_id: 't' })).toEqual({ kind: 'result', callId: 't', text: '', media: [] });
    expect(block({ type: 'tool_result', content: [{ type: 'tool_reference', tool_name: 'x' }], is_error: 'yes' })).toEqual({
      kind: 'result',
      callId: '',
      text: '{"type":"tool_reference","tool_name":"x"}',
      media: [],
    });
  });

  it('tells messages that carry only results from genuine user messages', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: 'x' };
    expect(decode({ role: 'user', content: [result, result] }).role).toBe('tool');
    expect(decode({ role: 'user', content: [result, { type: 'text', text: 'go on' }] }).role).toBe('user');
    expect(decode({ role: 'user', content: [] }).role).toBe('user');
    expect(decode({ role: 'system', content: 'new rule' }).role).toBe('system');
  });

  it('never counts base64 as text', () => {
    const data = 'A'.repeat(1_000_000);
    const part = block({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } });
    expect(part).toMatchObject({ kind: 'media', mediaKind: 'file' });
    expect(part.kind === 'media' && part.sizeBytes).toBeGreaterThan(1_000_000);
    expect(block({ type: 'image', source: { type: 'url', url: 'https://x/y.png' } })).toMatchObject({ kind: 'media', mediaKind: 'image' });
  });

  it.each([
    'server_tool_use',
    'web_search_tool_result',
    'mcp_tool_use',
    'mcp_tool_result',
    'compaction',
    'container_upload',
    'search_result',
    'fallback',
    'block_of_next_year',
    'constructor',
  ])('carries %s whole', (type) => {
    const value = { type, id: 'srvtoolu_1', encrypted_content: 'zzz' };
    expect(block(value, 'assistant')).toEqual({ kind: 'opaque', type, sizeChars: JSON.stringify(value).length });
  });

  it('carries what is no block at all', () => {
    expect(decode({ role: 'user', content: ['words', 1, null, {}, { type: 7 }, { type: 'text' }] }).parts).toEqual([
      { kind: 'opaque', type: 'unknown', sizeChars: 7 },
      { kind: 'opaque', type: 'unknown', sizeChars: 1 },
      { kind: 'opaque', type: 'unknown', sizeChars: 4 },
      { kind: 'opaque', type: 'unknown', sizeChars: 2 },
      { kind: 'opaque', type: 'unknown', sizeChars: 10 },
      { kind: 'opaque', type: 'text', sizeChars: 15 },
    ]);
  });
});
