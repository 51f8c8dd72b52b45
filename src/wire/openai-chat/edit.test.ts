import { describe, expect, it } from 'vitest';
import type { PartEdit } from '../../core/plan/edit.ts';
import { openaiChatCodec } from './codec.ts';

const edit = (raw: string, ...edits: PartEdit[]): string => openaiChatCodec.editMessage(raw, edits);
const call = (id: string, args: string): string => `{"id":"${id}","type":"function","function":{"name":"f","arguments":${args}}, "x":1.0}`;
const ASSISTANT = `{"role":"assistant", "content":"t\\u00e9xt", "reasoning_content":"why", "tool_calls":[ ${call('a', '"{\\"p\\": 1.0}"')} , ${call('b', '"not json"')} ], "x_unknown":1e2}`;

describe('calls', () => {
  it('F08 writes new arguments as a JSON string, other bytes stay', () => {
    expect(edit(ASSISTANT, { kind: 'replace-arguments', part: 2, argumentsText: '{"p":"…"}' })).toBe(
      ASSISTANT.replace('"{\\"p\\": 1.0}"', '"{\\"p\\":\\"…\\"}"'),
    );
    const custom = '{"role":"assistant","tool_calls":[{"id":"c","type":"custom","custom":{"name":"p","input":"*** Begin"}}]}';
    expect(edit(custom, { kind: 'replace-arguments', part: 0, argumentsText: '***' })).toBe(custom.replace('*** Begin', '***'));
    const legacy = '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}';
    expect(edit(legacy, { kind: 'replace-arguments', part: 0, argumentsText: '{"a":1}' })).toBe(legacy.replace('"{}"', '"{\\"a\\":1}"'));
  });

  it('F07 drop goes call by call, the last one with the whole field', () => {
    expect(edit(ASSISTANT, { kind: 'drop', part: 2 })).toBe(ASSISTANT.replace(`${call('a', '"{\\"p\\": 1.0}"')} , `, ''));
    expect(edit(ASSISTANT, { kind: 'drop', part: 2 }, { kind: 'drop', part: 3 })).toBe(
      '{"role":"assistant", "content":"t\\u00e9xt", "reasoning_content":"why", "x_unknown":1e2}',
    );
    expect(edit('{"role":"assistant","content":"x","function_call":{"name":"f","arguments":""}}', { kind: 'drop', part: 1 })).toBe(
      '{"role":"assistant","content":"x"}',
    );
  });

  it('leave null content behind when only the text goes', () => {
    expect(edit(ASSISTANT, { kind: 'drop', part: 1 })).toBe(ASSISTANT.replace('"t\\u00e9xt"', 'null'));
    const parts =
      '{"role":"assistant","content":[{"type":"text","text":"a"}],"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}';
    expect(edit(parts, { kind: 'drop', part: 0 })).toBe(parts.replace('[{"type":"text","text":"a"}]', 'null'));
  });
});

describe('reasoning', () => {
  it('F09 empties a plain field, which some servers demand, and removes details as a whole', () => {
    expect(edit(ASSISTANT, { kind: 'drop', part: 0 })).toBe(ASSISTANT.replace('"why"', '""'));
    const details = '{"role":"assistant","reasoning_details":[{"type":"reasoning.text","text":"a"}],"content":"x"}';
    expect(edit(details, { kind: 'drop', part: 0 })).toBe('{"role":"assistant","content":"x"}');
  });

  it('F09 alone is no message', () => {
    expect(edit(ASSISTANT, { kind: 'drop', part: 1 }, { kind: 'drop', part: 2 }, { kind: 'drop', part: 3 })).toBe('');
  });
});

describe('results', () => {
  it('become a plain string, media included', () => {
    const raw =
      '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"y"}}], "x":1.0}';
    expect(edit(raw, { kind: 'replace-text', part: 0, text: 'stub' })).toBe('{"role":"tool","tool_call_id":"a","content":"stub", "x":1.0}');
    expect(edit('{"role":"tool","tool_call_id":"a"}', { kind: 'replace-text', part: 0, text: 'stub' })).toBe(
      '{"role":"tool","tool_call_id":"a","content":"stub"}',
    );
    expect(edit(raw, { kind: 'drop', part: 0 })).toBe('');
    expect(() => edit(raw, { kind: 'prepend-text', text: 'x' })).toThrow(/takes no text/);
  });
});

describe('user messages', () => {
  it('take text in front and behind, as string or as part', () => {
    const edits: PartEdit[] = [
      { kind: 'prepend-text', text: 'first' },
      { kind: 'append-text', text: 'last' },
    ];
    expect(edit('{"content":"a","role":"user"}', ...edits)).toBe('{"content":"first\\n\\na\\n\\nlast","role":"user"}');
    expect(edit('{"role":"user","content":[{"type":"image_url","image_url":{"url":"y"}}]}', ...edits)).toBe(
      '{"role":"user","content":[{"type":"text","text":"first"},{"type":"image_url","image_url":{"url":"y"}},{"type":"text","text":"last"}]}',
    );
  });

  it('turn media and refusals into text', () => {
    const raw =
      '{"role":"user","content":[{"type":"image_url","image_url":{"url":"y"},"cache_control":{"type":"ephemeral"}},{"type":"refusal","refusal":"no"}]}';
    expect(edit(raw, { kind: 'replace-media', part: 0, text: '[image]' }, { kind: 'replace-text', part: 1, text: 'n' })).toBe(
      '{"role":"user","content":[{"type":"text","text":"[image]","cache_control":{"type":"ephemeral"}},{"type":"refusal","refusal":"n"}]}',
    );
    expect(edit('{"role":"assistant","content":"x","refusal":"no"}', { kind: 'drop', part: 1 })).toBe('{"role":"assistant","content":"x"}');
  });
});
