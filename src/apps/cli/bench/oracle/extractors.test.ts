import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractAtoms } from './atoms.ts';
import { jsonValues } from './json-values.ts';
import { lineAround } from './line-context.ts';
import { extractTokens } from './tokens.ts';
import { extractWords, findWords } from './words.ts';

describe('atoms', () => {
  test.each([
    ['url', 'see https://example.com/a/b?c=1, then', 'https://example.com/a/b?c=1'],
    ['uuid', 'id 123e4567-e89b-12d3-a456-426614174000 ok', '123e4567-e89b-12d3-a456-426614174000'],
    ['email', 'write to ana.b@example.com.', 'ana.b@example.com'],
    ['path', 'open src/core/plan.ts now', 'src/core/plan.ts'],
    ['path', 'cd /srv/app/vault.', '/srv/app/vault'],
    ['file', 'the file budget.test.ts fails', 'budget.test.ts'],
    ['flag', 'run it with --dry-run please', '--dry-run'],
    ['hash', 'commit 4f9a2c1 broke', '4f9a2c1'],
    ['version', 'upgrade to v1.24.3-rc.1 first', 'v1.24.3-rc.1'],
    ['ticket', 'as in ENT-242 we', 'ENT-242'],
    ['identifier', 'call getUserName here', 'getUserName'],
    ['identifier', 'the column user_name is', 'user_name'],
    ['identifier', 'a MarkdownTheme object', 'MarkdownTheme'],
    ['code', 'flight HAT136 is late', 'HAT136'],
    ['code', 'it said ENOENT again', 'ENOENT'],
    ['number', 'port 48213 is open', '48213'],
    ['number', 'it costs 12.34 each', '12.34'],
    ['error', 'x\nTypeError: this is not a function\ny', 'TypeError: this is not a function'],
  ])('%s in %j', (kind, text, atom) => {
    expect(extractAtoms(text).get(atom)).toBe(kind);
  });

  test.each([
    ['short ones', 'a/b ab_c 1234 v1.2'],
    ['slashes between plain words', 'and/or input/output'],
    ['plain words and capitals', 'However the IMPORTANT thing'],
    ['names of the protocol', 'file_path old_string tool_use_id'],
    ['comments that look like paths', '//nolint'],
  ])('no atoms: %s', (_, text) => {
    expect([...extractAtoms(text).keys()]).toEqual([]);
  });

  test('earlier kinds take their text away from later ones', () => {
    expect([...extractAtoms('src/core/plan-input.ts').keys()]).toEqual(['src/core/plan-input.ts']);
    expect([...extractAtoms('https://example.com/tool_use/4f9a2c1').keys()]).toEqual(['https://example.com/tool_use/4f9a2c1']);
  });

  test('hostile input: a megabyte of one letter, and of separators, is read in one pass', () => {
    for (const letter of ['a', '/', '.', '-', '@', '1', '_', '\ud800', '<', ',', 'A/', 'a.', 'http://', '1.']) {
      const text = letter.repeat(Math.floor(1_000_000 / letter.length));
      expect(extractAtoms(`${text}x`).size).toBeLessThanOrEqual(1);
      extractTokens(`${text}x`);
      extractWords(`${text}x`);
    }
  });

  test('any text: every atom stands in it, and reading twice gives the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const atoms = [...extractAtoms(text).keys()];
        expect(atoms.every((atom) => text.includes(atom))).toBe(true);
        expect([...extractAtoms(text).keys()]).toEqual(atoms);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe('tokens of the second extractor', () => {
  test('anything but plain lower-case words, without the marks around it', () => {
    expect([...extractTokens('The "retention" of pre-built, user.name (Config) = value42. short Ab')]).toEqual([
      'pre-built',
      'user.name',
      'Config',
      'value42',
    ]);
  });

  test('not longer than 120 characters', () => {
    expect(extractTokens(`${'x1'.repeat(61)} ${'y1'.repeat(60)}`).size).toBe(1);
  });
});

describe('arguments', () => {
  test('values in their order; hostile input: very many, and very deep ones', () => {
    expect(jsonValues('{"path":"a.ts","edits":[{"old":1},{"new":null}],"all":true}')).toBe('a.ts\n1\ntrue');
    expect(jsonValues(`[${'7,'.repeat(300_000)}8]`).endsWith('7\n8')).toBe(true);
    expect(jsonValues(`${'['.repeat(5_000)}9${']'.repeat(5_000)}`)).toBe('9');
    expect(jsonValues('{"cut o')).toBe('{"cut o');
  });
});

describe('plain words', () => {
  test('at least six lower-case letters of any script, outside paths', () => {
    expect([...extractWords('The reserve держатель src/retention Upper short camelCase')]).toEqual(['reserve', 'держатель']);
  });

  test('a reader finds them in paths, too', () => {
    expect([...findWords('src/retention')]).toEqual(['retention']);
  });
});

describe('the line of a fact', () => {
  test.each([
    ['between line breaks', 'first one\nthe port is 48213 now\nlast', 'the port is 48213 now'],
    ['inside a text of JSON', '{"output": "first one\\nthe port is 48213 now\\nlast"}', 'the port is 48213 now'],
    ['at the start', '48213 now\nlast', '48213 now'],
    ['at the end', 'first\\nis 48213', 'is 48213'],
    ['of data without breaks', `${'a '.repeat(90)}48213${' b'.repeat(90)}`, `${'a '.repeat(60)}48213${' b'.repeat(60)}`],
  ])('%s', (_, text, line) => {
    expect(lineAround(text, text.indexOf('48213'), 5)).toBe(line);
  });
});

test('a rule under a heading is no token', () => {
  expect([...extractTokens('--------- ========= user-name --dry-run')]).toEqual(['user-name', '--dry-run']);
});
