import { describe, expect, it } from 'vitest';
import type { PartEdit } from '../../core/plan/edit.ts';
import { openaiResponsesCodec } from './codec.ts';

const edit = (raw: string, ...edits: PartEdit[]): string => openaiResponsesCodec.editMessage(raw, edits);

describe('items', () => {
  it('F08 take new arguments as a string or as the object they are', () => {
    expect(
      edit('{"type":"function_call","call_id":"c","name":"f","arguments":"{\\"a\\": 1.0}", "x":1.0}', {
        kind: 'replace-arguments',
        part: 0,
        argumentsText: '{"a":2}',
      }),
    ).toBe('{"type":"function_call","call_id":"c","name":"f","arguments":"{\\"a\\":2}", "x":1.0}');
    expect(
      edit('{"type":"local_shell_call","call_id":"c","action":{"type":"exec"}}', {
        kind: 'replace-arguments',
        part: 0,
        argumentsText: '{"type":"exec","command":[]}',
      }),
    ).toBe('{"type":"local_shell_call","call_id":"c","action":{"type":"exec","command":[]}}');
  });

  it.each([
    ['{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"x"}]}', '"stub"'],
    ['{"type":"custom_tool_call_output","call_id":"c","output":"long"}', '"stub"'],
    [
      '{"type":"shell_call_output","call_id":"c","output":[{"stdout":"long","stderr":"","outcome":{"type":"timeout"}}]}',
      '[{"stdout":"stub","stderr":"","outcome":{"type":"timeout"}}]',
    ],
  ])('replace the output of %s', (raw, output) => {
    const head = raw.slice(0, raw.indexOf('"output":') + 9);
    expect(edit(raw, { kind: 'replace-text', part: 0, text: 'stub' })).toBe(`${head}${output}}`);
  });

  it('answer a computer call with the smallest image, since text is not allowed there', () => {
    const raw =
      '{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,AAAA"}}';
    const edited = edit(raw, { kind: 'replace-text', part: 0, text: 'stub' });
    expect(openaiResponsesCodec.decodeMessage(edited).parts[0]).toMatchObject({ media: [{ widthPx: 1, heightPx: 1 }] });
  });

  it('F09 go away as a whole', () => {
    expect(edit('{"type":"reasoning","summary":[],"encrypted_content":"x"}', { kind: 'drop', part: 0 })).toBe('');
    expect(edit('{"type":"function_call","call_id":"c","name":"f","arguments":""}', { kind: 'drop', part: 0 })).toBe('');
    expect(() => edit('{"type":"reasoning","summary":[]}', { kind: 'append-text', text: 'x' })).toThrow(/takes no text/);
  });
});

describe('messages', () => {
  it('take text of the type their role writes', () => {
    expect(
      edit('{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}], "x":1.0}', {
        kind: 'prepend-text',
        text: 'first',
      }),
    ).toBe('{"type":"message","role":"user","content":[{"type":"input_text","text":"first"},{"type":"input_text","text":"a"}], "x":1.0}');
    expect(
      edit('{"role":"user","content":[{"type":"input_image","image_url":"x","prompt_cache_breakpoint":{"mode":"explicit"}}]}', {
        kind: 'replace-media',
        part: 0,
        text: 'i',
      }),
    ).toBe('{"role":"user","content":[{"type":"input_text","text":"i","prompt_cache_breakpoint":{"mode":"explicit"}}]}');
    const answer = '{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"long","annotations":[]}]}';
    expect(edit(answer, { kind: 'replace-text', part: 0, text: 's' })).toBe(answer.replace('"long"', '"s"'));
    expect(edit(answer, { kind: 'drop', part: 0 })).toBe('');
  });

  it('given as a plain string become an object when edited', () => {
    expect(edit('"hi"', { kind: 'append-text', text: 'more' })).toBe('{"role":"user","content":"hi\\n\\nmore"}');
    expect(edit('"hi"')).toBe('"hi"');
  });
});
