// What no client should send: nothing here may throw anything but transcript_invalid, hang, or change what it means.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawObject, rawValue, SEED, spaces } from '../../test/wire/raw-json.ts';
import { UllageError } from '../core/errors.ts';
import { APIS } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

const KEYS = [
  'role',
  'type',
  'content',
  'text',
  'input',
  'output',
  'tool_calls',
  'function',
  'arguments',
  'call_id',
  'image_url',
  'source',
  'reasoning_details',
];
const WORDS = [
  'user',
  'assistant',
  'tool',
  'text',
  'image',
  'tool_use',
  'tool_result',
  'thinking',
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
];

const knownObject = fc.letrec<{ object: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...WORDS).map((word) => `"${word}"`),
    rawValue,
    tie('object'),
    fc.array(tie('object'), { maxLength: 3 }).map((list) => `[${list}]`),
  ),
  object: fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom(...KEYS).map((key) => `"${key}"`),
          tie('value'),
        ),
        { maxLength: 5 },
      ),
      spaces,
    )
    .map(([members, gaps]) => rawObject(members, gaps)),
})).object;

describe.each(APIS)('%s', (api) => {
  const codec = codecFor(api);

  it('decodes any object into parts, its raw text unchanged', () => {
    fc.assert(
      fc.property(knownObject, (raw) => {
        const message = codec.decodeMessage(raw);
        expect(message.raw).toBe(raw);
        for (const part of message.parts) {
          if (part.kind === 'media') expect(part.sizeBytes).toBeGreaterThan(0);
          if (part.kind === 'thinking') expect(part.opaqueChars).toBeGreaterThanOrEqual(0);
          if (part.kind === 'opaque') expect(part.type).not.toBe('');
        }
      }),
      { ...SEED, numRuns: 1_000 },
    );
  });

  it('has a canonical form of any object, equal for another layout of the same', () => {
    fc.assert(
      fc.property(knownObject, (raw) => {
        const canonical = codec.canonicalMessage(raw);
        expect(codec.canonicalMessage(` ${raw}\n`)).toBe(canonical);
        expect(codec.canonicalMessage(canonical)).toBe(canonical);
      }),
      { ...SEED, numRuns: 1_000 },
    );
  });

  it('drops any part, down to nothing sendable, and never leaves damaged JSON', () => {
    fc.assert(
      fc.property(knownObject, fc.array(fc.nat(4)), (raw, drops) => {
        const { parts } = codec.decodeMessage(raw);
        const edits = [...new Set(drops)].filter((part) => part < parts.length).map((part) => ({ kind: 'drop', part }) as const);
        const edited = codec.editMessage(raw, edits);
        if (edits.length === 0) expect(edited).toBe(raw);
        else if (edited !== '') expect(() => codec.decodeMessage(edited)).not.toThrow();
        if (edits.length === parts.length && parts.length > 0) expect(edited).toBe('');
      }),
      { ...SEED, numRuns: 1_000 },
    );
  });

  it.each([
    '',
    'null',
    '7',
    '[]',
    'true',
    '{',
    '{"role":"user"',
    '{"role":"user",}',
    '{"role":"user"}x',
    '{"role":"user","content":"\\x"}',
  ])('refuses %j as a message with transcript_invalid', (raw) => {
    let error: unknown;
    try {
      codec.decodeMessage(raw);
    } catch (caught) {
      error = caught;
    }
    expect(UllageError.is(error) && error.code).toBe('transcript_invalid');
  });

  it('lets lone surrogates survive', () => {
    const raw = '{"role":"user","content":[{"type":"text","text":"a\\ud83d"},{"type":"text","text":"\ude00"}]}';
    const input = raw.replaceAll('"type":"text"', `"type":"${api === 'openai-responses' ? 'input_text' : 'text'}"`);
    expect(codec.decodeMessage(input).parts).toEqual([
      { kind: 'text', text: 'a\ud83d' },
      { kind: 'text', text: '\ude00' },
    ]);
    expect(codec.editMessage(input, [{ kind: 'replace-text', part: 1, text: 'b' }])).toBe(input.replace('"\ude00"', '"b"'));
  });

  it('takes 10,000 levels and a megabyte of one letter', () => {
    const nested = `${'{"a":['.repeat(5_000)}1${']}'.repeat(5_000)}`;
    const deep = `{"role":"assistant","type":"message","content":[{"type":"tool_use","id":"t","name":"n","input":${nested}}],"x":${nested}}`;
    expect(codec.decodeMessage(deep).parts).toHaveLength(1);
    expect(codec.canonicalMessage(deep)).toContain(nested);
    const long = `{"role":"user","content":"${'a'.repeat(1_000_000)}"}`;
    expect(codec.decodeMessage(long).parts[0]).toMatchObject({ kind: 'text' });
    expect(codec.editMessage(long, [{ kind: 'append-text', text: 'b' }])).toBe(`${long.slice(0, -2)}\\n\\nb"}`);
  });
});
