import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawValue, SEED } from '../../../test/wire/raw-json.ts';
import { UllageError } from '../../core/errors.ts';
import { scanElements, scanMembers } from './members.ts';
import { skipString, skipValue } from './scan.ts';
import { parseTree } from './tree.ts';

function damageOf(read: () => unknown): UllageError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof UllageError) return error;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('skipValue', () => {
  it('ends where the value ends, whatever follows', () => {
    fc.assert(
      fc.property(rawValue, (text) => {
        expect(skipValue(text, 0)).toBe(text.length);
        expect(skipValue(`${text},1]}`, 0)).toBe(text.length);
      }),
      SEED,
    );
  });

  it('finds the end of strings with an escape at every distance from the quote', () => {
    for (let before = 0; before < 80; before += 1) {
      for (const escaped of ['\\"', '\\\\', '\\\\\\"', '\\n', '\\u0022']) {
        const text = `"${'a'.repeat(before)}${escaped}${'b'.repeat(before % 7)}"`;
        expect(skipString(`${text}"`, 0)).toBe(text.length);
      }
    }
  });

  it('finds the end of a string with hundreds of escaped quotes', () => {
    const text = JSON.stringify(JSON.stringify({ list: Array.from({ length: 500 }, (_, index) => ({ name: `n"${index}\\` })) }));
    expect(skipString(text, 0)).toBe(text.length);
  });
});

describe('damage', () => {
  it('F08 every proper prefix of an object is reported with its offset', () => {
    const text = '{"a":[1.5e3,-0,{"b":"x\\"y","c":null}],"d":true,"e":false}';
    for (let length = 0; length < text.length; length += 1) {
      const error = damageOf(() => parseTree(text.slice(0, length)));
      expect(error?.code, `prefix of ${length}`).toBe('transcript_invalid');
      expect(error?.details.offset).toBeLessThanOrEqual(length);
    }
  });

  it('names offset, line and column', () => {
    const error = damageOf(() => parseTree('{\n  "a": 1,\n  "b" 2\n}'));
    expect(error?.details).toEqual({ offset: 18, line: 3, column: 7 });
    expect(error?.message).toContain("expected ':'");
  });

  it.each([
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '{,}',
    '{a:1}',
    "{'a':1}",
    '[1 2]',
    '{"a":1 "b":2}',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '+1',
    'tru',
    'nul',
    'NaN',
    '[1}',
    '{"a"}',
    '',
    ' ',
    '1 2',
    '\ufeff{}',
    '"abc',
    '"\\"',
  ])('refuses %j as JSON.parse does', (text) => {
    expect(isJson(text)).toBe(false);
    expect(damageOf(() => parseTree(text))?.code).toBe('transcript_invalid');
  });

  it('agrees with JSON.parse on texts with one character changed', () => {
    const letters = fc.constantFrom(...'{}[],:"0-19.eE+tfn x');
    const sample = fc.constantFrom('{"a":[1,20,-3.5e+7,true,false,null],"bc":{"d":"e"},"":""}', '[[],{},[{}],{"x":[0]}]');
    fc.assert(
      fc.property(sample, fc.nat(), letters, (text, at, letter) => {
        const changed = text.slice(0, at % text.length) + letter + text.slice((at % text.length) + 1);
        expect(damageOf(() => parseTree(changed)) === undefined).toBe(isJson(changed));
      }),
      { ...SEED, numRuns: 2_000 },
    );
  });
});

describe('members and elements', () => {
  it('gives the last of a repeated name, names with escapes decoded', () => {
    const text = '{"a":1,"\\u0061":[2],"__proto__":{"x":1}}';
    const members = scanMembers(text, 0);
    expect([...members.keys()]).toEqual(['a', '__proto__']);
    const { start, end } = members.get('a')!;
    expect(text.slice(start, end)).toBe('[2]');
  });

  it('gives each element of an array without the white space around it', () => {
    const text = '[ {"a":1} ,\n[2], "x" ]';
    const { elements, end } = scanElements(text, 0);
    expect(elements.map((span) => text.slice(span.start, span.end))).toEqual(['{"a":1}', '[2]', '"x"']);
    expect(end).toBe(text.length);
    expect(scanElements('[ ]', 0).elements).toEqual([]);
  });
});

describe('hostile sizes', () => {
  it('walks 200,000 levels without recursion', () => {
    const depth = 200_000;
    const text = `${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`;
    expect(skipValue(text, 0)).toBe(text.length);
    expect(parseTree(text).end).toBe(text.length);
    expect(damageOf(() => parseTree('['.repeat(depth)))?.details.offset).toBe(depth);
  });

  it.each([
    ['one letter', `"${'a'.repeat(1_000_000)}"`],
    ['backslashes', `"${'\\'.repeat(1_000_000)}"`],
    ['escaped quotes', `"${'\\"'.repeat(500_000)}"`],
    ['letters that hold a quote byte', `"${'\u2222'.repeat(1_000_000)}"`],
    ['empty strings', `[${'"",'.repeat(300_000)}""]`],
    ['digits', '9'.repeat(1_000_000)],
    ['white space', `[${' '.repeat(1_000_000)}]`],
  ])('takes a megabyte of %s', (_name, text) => {
    expect(skipValue(text, 0)).toBe(text.length);
    expect(parseTree(text).end).toBe(text.length);
  });
});
