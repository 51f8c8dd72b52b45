import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE, type LineTable } from './line-table.ts';
import { cutLines } from './lines.ts';
import { SHAPE } from './terms.ts';

const shown = (table: LineTable): string[] => Array.from({ length: table.count }, (_, line) => table.line(line));

/** Terms as text with their shape. */
function terms(text: string): string[] {
  const table = cutLines(text);
  const names = Object.keys(SHAPE);
  return Array.from(
    { length: table.termCount },
    (_, at) => `${names[table.shape(at)]}:${text.slice(table.termStart(at), table.termEnd(at))}`,
  );
}

describe('cutLines', () => {
  it('trims, leaves empty lines out, and takes the line numbers of file viewers off', () => {
    expect(shown(cutLines('  one  \n\n\t\r\n   12→two\n7\tthree\n3 four\n42'))).toEqual(['one', 'two', 'three', '3 four', '42']);
  });

  it('cuts very long lines into pieces that join to the whole', () => {
    const json = JSON.stringify(Array.from({ length: 60 }, (_, index) => ({ id: `item_${index}`, price: index * 17, tags: ['a', 'b'] })));
    const table = cutLines(json);
    expect(shown(table).join('')).toBe(json);
    expect(table.count).toBeGreaterThan(5);
    for (const piece of shown(table).slice(0, -1)) expect(piece.endsWith('},')).toBe(true);
    expect(table.has(0, LINE.continued)).toBe(false);
    expect(table.has(1, LINE.continued)).toBe(true);
  });

  it('marks lines that tell of a failure', () => {
    const table = cutLines('all fine\nTypeError: x is not a function\n3 tests FAILED\nfunc run() error {\nerror: no such file');
    expect(Array.from({ length: table.count }, (_, line) => table.has(line, LINE.tellsFailure))).toEqual([false, true, true, false, true]);
  });

  it('F08 never cuts a surrogate pair, and loses no character but white space at the ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (text) => {
        for (const line of shown(cutLines(text))) expect(line.isWellFormed()).toBe(true);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('is safe on hostile texts', () => {
    for (const text of [
      'a'.repeat(1_000_000),
      '\ud800'.repeat(100_000),
      '/'.repeat(100_000),
      '-.'.repeat(100_000),
      ':'.repeat(100_000),
      '\n'.repeat(100_000),
    ]) {
      expect(cutLines(text).count).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('terms', () => {
  it('takes an amount with its unit for a number, and a name in a scope whole', () => {
    expect(terms('5ms 350ms 8GB 1.25s')).toEqual(['integer:5ms', 'integer:350ms', 'integer:8GB', 'integer:1.25s']);
    expect(terms('std::vector::data?x and v12')).toEqual(['name:std::vector::data', 'plain:vector', 'plain:data', 'code:v12']);
  });

  it('tells names, paths, codes and plain words apart', () => {
    expect(terms('open src/core/plan.ts')).toEqual(['plain:open', 'path:src/core/plan.ts', 'name:plan.ts']);
    expect(terms('parseTokens(maxSize)')).toEqual(['name:parseTokens', 'name:maxSize']);
    expect(terms('--dry-run MAX_SIZE')).toEqual(['name:--dry-run', 'name:MAX_SIZE']);
    expect(terms('id_4711 v1.22.3 8080')).toEqual(['code:id_4711', 'code:v1.22.3', 'integer:8080']);
    expect(terms('12.50 2024-05-01T10:30 30-60 4711 10.0.0.1 47110815 1714550400')).toEqual([
      'integer:12.50',
      'integer:2024-05-01T10',
      'integer:30-60',
      'integer:4711',
      'code:10.0.0.1',
      'code:47110815',
      'integer:1714550400',
    ]);
    expect(terms('the Telegram bot')).toEqual(['capital:Telegram']);
    expect(terms('see https://example.com/a?b=1.')).toEqual(['path:https://example.com/a?b=1', 'name:a?b=1']);
  });

  it('ends a name before punctuation and before an escape in source code', () => {
    expect(terms('(foo.bar),')).toEqual(['name:foo.bar']);
    expect(terms(String.raw`failed\nPlease`)).toEqual(['plain:failed', 'capital:Please']);
  });

  it('takes no half of a UUID for a name', () => {
    expect(terms('438a134b-7cde-47ae-85b3-c4057bd2551e')).toEqual(['code:438a134b-7cde-47ae-85b3-c4057bd2551e']);
  });

  it('takes the keys of JSON for plain words', () => {
    expect(terms('"user_id": "u_4711"')).toEqual(['plain:user_id', 'code:u_4711']);
  });

  it('knows words of scripts without spaces', () => {
    expect(terms('漢字仮').length).toBe(2);
    expect(terms('Привет мир, настройка').map((term) => term.split(':')[1])).toEqual(['Привет', 'настройка']);
  });
});
