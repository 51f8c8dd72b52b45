import { describe, expect, it } from 'vitest';
import type { Part, Role } from '../../core/transcript/entry.ts';
import { openaiChatCodec } from './codec.ts';

const decode = (message: unknown): { role: Role; parts: readonly Part[] } => {
  const { role, parts } = openaiChatCodec.decodeMessage(JSON.stringify(message));
  return { role, parts };
};
const PNG = btoa(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x08\x08\x02\0\0\0`);

describe('decodeMessage', () => {
  it.each([
    ['system', 'system'],
    ['developer', 'system'],
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['model', 'assistant'],
    ['tool', 'tool'],
    ['function', 'tool'],
    ['constructor', 'user'],
    [undefined, 'user'],
    [7, 'user'],
  ])('role %s is %s', (role, expected) => {
    expect(decode({ role, content: 'x' }).role).toBe(expected);
  });

  it('reads content as string, array, null or nothing', () => {
    expect(decode({ role: 'user', content: 'a' }).parts).toEqual([{ kind: 'text', text: 'a' }]);
    expect(
      decode({
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }).parts,
    ).toHaveLength(2);
    for (const content of [null, undefined, '', [], 5, {}]) expect(decode({ role: 'assistant', content }).parts).toEqual([]);
  });

  it('reads function calls, custom calls and the legacy call', () => {
    const tool_calls = [
      { id: ' call_1', type: 'function', function: { name: 'read', arguments: '{"a": 1}' } },
      { id: 'call_2', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
      { id: 'call_3', type: 'function', function: { name: 'odd', arguments: { a: 1 } } },
      { id: 'call_4', type: 'later' },
    ];
    expect(decode({ role: 'assistant', content: null, tool_calls, function_call: { name: 'old', arguments: 'not json' } }).parts).toEqual([
      { kind: 'call', id: 'call_1', name: 'read', argumentsText: '{"a": 1}' },
      { kind: 'call', id: 'call_2', name: 'patch', argumentsText: '*** Begin' },
      { kind: 'call', id: 'call_3', name: 'odd', argumentsText: '{"a":1}' },
      { kind: 'opaque', type: 'later', sizeChars: 30 },
      { kind: 'call', id: 'old', name: 'old', argumentsText: 'not json', wireType: 'function_call' },
    ]);
    expect(decode({ role: 'function', name: 'old', content: 'r' }).parts).toEqual([
      { kind: 'result', callId: 'old', text: 'r', media: [] },
    ]);
  });

  it('F07 keeps a call whose function name is empty', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: '', arguments: '' } }];
    expect(decode({ role: 'assistant', tool_calls }).parts).toEqual([{ kind: 'call', id: 'c', name: '', argumentsText: '' }]);
  });

  it('reads results of strings and of parts, ids trimmed', () => {
    expect(decode({ role: 'tool', tool_call_id: ' c ', content: 'r' }).parts).toEqual([
      { kind: 'result', callId: 'c', text: 'r', media: [] },
    ]);
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
    expect(decode({ role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'a' }, image] }).parts).toEqual([
      {
        kind: 'result',
        callId: 'c',
        text: 'a',
        media: [{ kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(image).length, widthPx: 16, heightPx: 8 }],
      },
    ]);
    for (const content of [null, undefined])
      expect(decode({ role: 'tool', content }).parts).toEqual([{ kind: 'result', callId: '', text: '', media: [] }]);
  });

  it('reads the reasoning fields of several servers, each text once', () => {
    const thinking = { kind: 'thinking', isBound: false, opaqueChars: 0 };
    expect(decode({ role: 'assistant', reasoning_content: 'a', content: 'x' }).parts[0]).toEqual({ ...thinking, text: 'a' });
    expect(decode({ role: 'assistant', reasoning_content: '', content: 'x' }).parts).toHaveLength(1);
    const details = [
      { type: 'reasoning.text', text: 'a', signature: 'ss', index: 0 },
      { type: 'reasoning.encrypted', data: 'dddd' },
    ];
    expect(decode({ role: 'assistant', reasoning: 'a', reasoning_details: details, content: 'x' }).parts).toEqual([
      { ...thinking, text: 'a' },
      { ...thinking, text: '', opaqueChars: 6 },
      { kind: 'text', text: 'x' },
    ]);
    expect(decode({ role: 'assistant', thinking_blocks: [{ type: 'thinking', thinking: 't', signature: 's' }] }).parts).toEqual([
      { kind: 'thinking', text: 't', isBound: true, opaqueChars: 1 },
    ]);
    expect(decode({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'm' }] }] }).parts).toEqual([
      { ...thinking, text: 'm' },
    ]);
  });

  it('reads images, sound, files and refusals; carries the rest whole', () => {
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
      { type: 'image_url', image_url: 'https://x/y.png' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'refusal', refusal: 'no' },
      { type: 'hologram' },
    ];
    expect(decode({ role: 'user', content }).parts).toEqual([
      { kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(content[0]).length, widthPx: 16, heightPx: 8 },
      { kind: 'media', mediaKind: 'image', sizeBytes: JSON.stringify(content[1]).length },
      { kind: 'media', mediaKind: 'audio', sizeBytes: JSON.stringify(content[2]).length },
      { kind: 'media', mediaKind: 'file', sizeBytes: JSON.stringify(content[3]).length },
      { kind: 'text', text: 'no' },
      { kind: 'opaque', type: 'hologram', sizeChars: 19 },
    ]);
    expect(decode({ role: 'assistant', content: null, refusal: 'no', audio: { id: 'au_1' } }).parts).toEqual([
      { kind: 'text', text: 'no' },
      { kind: 'opaque', type: 'audio', sizeChars: 13 },
    ]);
  });
});
