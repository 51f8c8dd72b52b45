import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawString, rawValue, SEED } from '../../../test/wire/raw-json.ts';
import type { PartEdit } from '../../core/plan/edit.ts';
import { anthropicCodec } from './codec.ts';

const edit = (raw: string, ...edits: PartEdit[]): string => anthropicCodec.editMessage(raw, edits);
const message = (role: string, ...blocks: string[]): string =>
  `{"role": "${role}", "content": [ ${blocks.join(' ,\n ')} ], "x_unknown": 1.0}`;
const THINKING = '{"type":"thinking","thinking":"hm","signature":"s\\/s"}';
const TEXT = '{"text":"caf\\u00e9" ,"type":"text"}';
const CALL = '{"type":"tool_use","id":"t1","name":"Write","input":{"b": 1.0,"a":12345678901234567890}}';
const RESULT =
  '{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"long"},{"type":"image","source":{"type":"base64","data":"AAAA"}}],"is_error":true,"x":1e2}';
const IMAGE = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"},"cache_control":{"type":"ephemeral"}}';

describe('replace', () => {
  it('changes the text and nothing else', () => {
    const raw = message('assistant', THINKING, TEXT, CALL);
    expect(edit(raw, { kind: 'replace-text', part: 1, text: 'short "x"' })).toBe(raw.replace('"caf\\u00e9"', '"short \\"x\\""'));
    expect(edit('{"content" : "old" ,"role":"user"}', { kind: 'replace-text', part: 0, text: 'new' })).toBe(
      '{"content" : "new" ,"role":"user"}',
    );
  });

  it('puts a text in place of a result with its media; the other fields stay', () => {
    expect(edit(message('user', RESULT, TEXT), { kind: 'replace-text', part: 0, text: 'stub' })).toBe(
      message('user', '{"type":"tool_result","tool_use_id":"t1","content":"stub","is_error":true,"x":1e2}', TEXT),
    );
    expect(edit(message('user', '{"type":"tool_result","tool_use_id":"t1"}'), { kind: 'replace-text', part: 0, text: 'stub' })).toBe(
      message('user', '{"type":"tool_result","tool_use_id":"t1","content":"stub"}'),
    );
  });

  it('keeps cache markers: on a result, inside its old content, on an image', () => {
    const marked = '{"type":"tool_result","tool_use_id":"t1","cache_control":{"type":"ephemeral"},"content":"long"}';
    expect(edit(message('user', marked), { kind: 'replace-text', part: 0, text: 'stub' })).toBe(
      message('user', marked.replace('"long"', '"stub"')),
    );
    const inside =
      '{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"long","cache_control":{"type": "ephemeral"}}]}';
    expect(edit(message('user', inside), { kind: 'replace-text', part: 0, text: 'stub' })).toBe(
      message('user', inside.replace('"long"', '"stub"')),
    );
    expect(edit(message('user', IMAGE, TEXT), { kind: 'replace-media', part: 0, text: '[image]' })).toBe(
      message('user', '{"type":"text","text":"[image]","cache_control":{"type":"ephemeral"}}', TEXT),
    );
  });

  it('F08 splices arguments as an object, and refuses what is none', () => {
    const raw = message('assistant', TEXT, CALL);
    expect(edit(raw, { kind: 'replace-arguments', part: 1, argumentsText: ' {"a": 2.0} ' })).toBe(
      raw.replace('{"b": 1.0,"a":12345678901234567890}', '{"a": 2.0}'),
    );
    for (const argumentsText of ['{"a":"cut', '[]', '"x"', 'null', '']) {
      expect(() => edit(raw, { kind: 'replace-arguments', part: 1, argumentsText })).toThrow(/not a JSON object/);
    }
  });

  it('refuses an edit that does not fit its part', () => {
    const raw = message('assistant', THINKING, CALL);
    for (const wrong of [
      { kind: 'replace-text', part: 0, text: 'x' },
      { kind: 'replace-text', part: 1, text: 'x' },
      { kind: 'replace-media', part: 1, text: 'x' },
      { kind: 'replace-arguments', part: 0, argumentsText: '{}' },
      { kind: 'drop', part: 2 },
    ] as const) {
      expect(() => edit(raw, wrong)).toThrow(/does not fit/);
    }
  });
});

describe('drop', () => {
  it('F09 takes thinking away as whole blocks, the rest byte for byte', () => {
    const raw = message('assistant', THINKING, '{"type":"redacted_thinking","data":"d"}', TEXT, CALL);
    expect(edit(raw, { kind: 'drop', part: 0 }, { kind: 'drop', part: 1 })).toBe(message('assistant', TEXT, CALL));
    expect(edit(raw, { kind: 'drop', part: 3 })).toBe(message('assistant', THINKING, '{"type":"redacted_thinking","data":"d"}', TEXT));
  });

  it('F09 never leaves reasoning alone, nor white space', () => {
    expect(edit(message('assistant', THINKING, CALL), { kind: 'drop', part: 1 })).toBe('');
    expect(edit(message('assistant', '{"type":"text","text":"\\n\\n"}', CALL), { kind: 'drop', part: 1 })).toBe('');
    expect(edit('{"role":"user","content":"x"}', { kind: 'drop', part: 0 })).toBe('');
    expect(edit(message('user', TEXT, TEXT), { kind: 'replace-text', part: 0, text: ' ' })).toBe(message('user', TEXT));
  });

  it('keeps opaque blocks when the rest goes', () => {
    const compaction = '{"type":"compaction","content":"c"}';
    expect(edit(message('assistant', compaction, TEXT), { kind: 'drop', part: 1 })).toBe(message('assistant', compaction));
  });
});

describe('added text', () => {
  const front: PartEdit = { kind: 'prepend-text', text: 'first' };
  const back: PartEdit = { kind: 'append-text', text: 'last' };

  it('is joined to a string by a blank line', () => {
    expect(edit('{"role":"user","content":"caf\\u00e9"}', front, back)).toBe('{"role":"user","content":"first\\n\\ncaf\\u00e9\\n\\nlast"}');
    expect(edit('{"role":"user","content":"old"}', { kind: 'replace-text', part: 0, text: 'new' }, front)).toBe(
      '{"role":"user","content":"first\\n\\nnew"}',
    );
    expect(edit('{"role":"user","content":"old"}', { kind: 'drop', part: 0 }, back)).toBe('{"role":"user","content":"last"}');
    for (const none of ['""', 'null']) expect(edit(`{"content":${none},"role":"user"}`, front)).toBe('{"content":"first","role":"user"}');
    expect(edit('{"role":"user"}', front, back)).toBe('{"role":"user","content":"first\\n\\nlast"}');
  });

  it('F07 is a block of its own, behind the results and never in front of them', () => {
    const block = (text: string): string => `{"type":"text","text":"${text}"}`;
    expect(edit(message('user', TEXT, IMAGE), front, back)).toBe(message('user', block('first'), TEXT, IMAGE, block('last')));
    expect(edit(message('user', RESULT, RESULT, TEXT), front)).toBe(message('user', RESULT, RESULT, block('first'), TEXT));
    expect(edit(message('user', RESULT), front, back)).toBe(
      `{"role": "user", "content": [ ${RESULT},${block('first')},${block('last')} ], "x_unknown": 1.0}`,
    );
    expect(edit(message('user', RESULT, TEXT), { kind: 'drop', part: 0 }, front)).toBe(message('user', block('first'), TEXT));
    expect(edit('{"role":"user","content":[]}', front)).toBe(`{"role":"user","content":[${block('first')}]}`);
    expect(edit(message('user', TEXT), { kind: 'drop', part: 0 }, front)).toBe(message('user', block('first')));
  });

  it('F08 has no half surrogate pairs', () => {
    expect(edit('{"role":"user","content":"x"}', { kind: 'append-text', text: '\ud83d' })).toBe(
      '{"role":"user","content":"x\\n\\n\ufffd"}',
    );
  });
});

describe('any edits of a message of odd blocks', () => {
  const block = fc.oneof(
    fc.tuple(rawString, rawValue).map(([text, x]) => `{ "x":${x}, "type" : "text","text":${text}}`),
    fc.tuple(rawValue, rawValue).map(([input, x]) => `{"type":"tool_use","id":"t","name":"n","input":{"a":${input}},"x":${x}}`),
    fc.tuple(rawValue, rawValue).map(([content, x]) => `{"type":"tool_result","content":${content},"tool_use_id":"t" ,"x":${x}}`),
    rawString.map((text) => `{"type":"thinking","thinking":${text},"signature":"s"}`),
  );

  it('leave every untouched block byte for byte and in order', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5), { maxLength: 3 }), (blocks, picks) => {
        const raw = message('assistant', ...blocks);
        const { parts } = anthropicCodec.decodeMessage(raw);
        const touched = new Set(picks.filter((index) => index < blocks.length));
        const edits = [...touched].map((part): PartEdit => {
          const kind = parts[part]!.kind;
          if (kind === 'call') return { kind: 'replace-arguments', part, argumentsText: '{"z":0}' };
          return kind === 'thinking' ? { kind: 'drop', part } : { kind: 'replace-text', part, text: 'Z' };
        });
        const edited = edit(raw, ...edits);
        fc.pre(edited !== '');
        const kept = blocks.filter((_, index) => !touched.has(index));
        let from = 0;
        for (const text of kept) {
          const at = edited.indexOf(text, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + text.length;
        }
        expect(edited.endsWith(' ], "x_unknown": 1.0}')).toBe(true);
        const after = anthropicCodec.decodeMessage(edited).parts;
        expect(after).toHaveLength(parts.filter((part, index) => !(touched.has(index) && part.kind === 'thinking')).length);
        for (const part of after)
          if (part.kind === 'call')
            expect(['{"z":0}', ...parts.map((old) => (old.kind === 'call' ? old.argumentsText : ''))]).toContain(part.argumentsText);
      }),
      SEED,
    );
  });
});
