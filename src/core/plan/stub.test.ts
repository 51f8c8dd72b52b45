import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../size/estimator.ts';
import type { CallPart, ResultPart } from '../transcript/entry.ts';
import { cutLines } from './lines.ts';
import { printRecords } from './records.ts';
import { mediaStub, resultStub, shortenArguments } from './stub.ts';
import { call, lines, result } from './testing/history.ts';

const bash = call('c', { command: 'npm test -- --run parser' }) as CallPart;
const read = call('c', { file_path: 'src/parser.ts' }, 'Read') as CallPart;
const stubOf = (text: string, options: Partial<Parameters<typeof resultStub>[0]> = {}): string =>
  resultStub({ result: result('c', text) as ResultPart, table: cutLines(text), call: bash, ...options });

describe('resultStub', () => {
  it('says what it was, how large, how it ended, and its most telling lines', () => {
    const stub = stubOf(`${lines(100)}\nTypeError: cannot read parserState of undefined\nexit code 2`, { handle: 'e_0123456789ab.0' });
    expect(stub).toContain('bash npm test -- --run parser');
    expect(stub).toMatch(/\d+ characters, 102 lines; exit code 2; shortened; whole in e_0123456789ab\.0/);
    expect(stub).toContain('TypeError: cannot read parserState of undefined');
    expect(estimateTokens(stub)).toBeLessThan(200);
  });

  it('says how to get it again where handles cannot be opened', () => {
    expect(stubOf(lines(50))).toContain('the same call would give it again');
    expect(stubOf(lines(50), { call: read })).toContain('reading it again gives the whole');
    expect(stubOf(lines(50))).not.toContain('e_');
  });

  it('says that a repeat stands further down', () => {
    expect(stubOf(lines(50), { repeat: 'identical' })).toMatch(/^\[.*the same text stands further down\]$/);
    expect(stubOf(lines(50), { call: read, repeat: 'superseded' })).toMatch(/^\[.*read again further down\]$/);
  });

  it('prints rows of a table below their heading, and no heading without a row', () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({
      order: `W-47${index}`,
      state: index === 17 ? 'error: no such file' : `state_${index}`,
    }));
    for (const value of [rows, { rows, note: 'x'.repeat(300) }]) {
      const { text: printed, keys, tables } = printRecords(JSON.stringify(value))!;
      const stub = stubOf(JSON.stringify(value), { table: cutLines(printed, keys, tables) });
      expect(stub).toMatch(/\n(?:rows: )?\(order \| state\)\nW-47/);
      expect(stub).toContain('W-4717 | error: no such file');
    }
    const bare = {
      rows: rows.map(({ order }) => ({ order, about: 'y z '.repeat(50) })),
      one: 'src/a.ts',
      two: 'src/b.ts',
      list: ['x'.repeat(250)],
    };
    const { text: printed, keys, tables } = printRecords(JSON.stringify(bare))!;
    expect(stubOf('', { table: cutLines(printed, keys, tables) })).not.toMatch(/\(order \| about\)(?!\nW-47)/);
  });

  it('knows an error without an exit code, and counts images', () => {
    const failed: ResultPart = {
      kind: 'result',
      callId: 'c',
      text: 'No.',
      isError: true,
      media: [{ kind: 'media', mediaKind: 'image', sizeBytes: 9 }],
    };
    expect(resultStub({ result: failed })).toBe(
      '[result; 3 characters; an error; 1 image left out; shortened; the same call would give it again]',
    );
  });
});

describe('mediaStub', () => {
  it('keeps the size', () => {
    const media = { kind: 'media', mediaKind: 'image', sizeBytes: 4096, widthPx: 64, heightPx: 32 } as const;
    expect(mediaStub(media, 'e_a.1')).toBe('[image left out: 4096 bytes, 64×32 pixels; whole in e_a.1]');
  });
});

describe('F08 shortenArguments', () => {
  it('keeps any JSON valid, with the same keys and the same short values', () => {
    const anyJson = fc.object({
      key: fc.string(),
      maxDepth: 3,
      values: [fc.string(), fc.string({ unit: 'grapheme', minLength: 600, maxLength: 900 }), fc.double(), fc.boolean()],
    });
    fc.assert(
      fc.property(anyJson, fc.constantFrom(0, 1, 2), (value, indent) => {
        const before = JSON.stringify(value, undefined, indent);
        const after = shortenArguments(before, undefined);
        if (after === undefined) return;
        const shape = (one: unknown): unknown =>
          JSON.parse(JSON.stringify(one, (_, leaf: unknown) => (typeof leaf === 'string' && leaf.length > 280 ? '…' : leaf)));
        expect(shape(JSON.parse(after))).toEqual(shape(JSON.parse(before)));
        expect(after.length).toBeLessThan(before.length);
      }),
      { seed: 3, numRuns: 150 },
    );
  });

  it('leaves short, scalar, broken and other text alone', () => {
    for (const text of [
      '{"a":"b"}',
      '42',
      `{"a":"${'x'.repeat(2000)}`,
      'x'.repeat(2000),
      JSON.stringify([1, 2, 3].map(() => 'y'.repeat(300))),
    ]) {
      expect(shortenArguments(text, undefined)).toBeUndefined();
    }
  });

  it('leaves long keys alone', () => {
    const json = JSON.stringify({ ['k'.repeat(900)]: 'v', body: 'b'.repeat(900) });
    expect(Object.keys(JSON.parse(shortenArguments(json, 'e_a.0')!) as object)[0]).toHaveLength(900);
  });
});
