import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawArray, rawElements, rawMembers, rawObject } from './raw-json.ts';

describe('cutting JSON text', () => {
  test('members and elements keep their bytes', () => {
    const text = ' { "id" : 12345678901234567890, "ratio":1.0 , "name":"a\\"b\\\\", "list":[ 1e2 ,"]",{"a":"}"}] }';
    expect([...rawMembers(text)]).toEqual([
      ['id', '12345678901234567890'],
      ['ratio', '1.0'],
      ['name', '"a\\"b\\\\"'],
      ['list', '[ 1e2 ,"]",{"a":"}"}]'],
    ]);
    expect(rawElements(rawMembers(text).get('list') ?? '')).toEqual(['1e2', '"]"', '{"a":"}"}']);
  });

  test('anything that is not an object or array has no members and no elements', () => {
    expect([...rawMembers('[1]')]).toEqual([]);
    expect(rawElements('{"a":1}')).toEqual([]);
    expect(rawElements('[ ]')).toEqual([]);
    expect([...rawMembers('{ }')]).toEqual([]);
  });

  test('what is cut can be put together again, for any value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const own = Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'));
        const members = rawMembers(JSON.stringify(own, undefined, indent));
        expect(JSON.parse(rawObject(Object.fromEntries(members)))).toEqual(JSON.parse(JSON.stringify(own)));
      }),
      { seed: 7 },
    );
  });

  test('elements of any array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        expect(JSON.parse(rawArray(rawElements(JSON.stringify(value, undefined, 2))))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 11 },
    );
  });

  test('a megabyte of backslashes and one of brackets are cut in one pass', () => {
    const slashes = JSON.stringify('\\'.repeat(1_000_000));
    const nested = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    expect(rawElements(`[${slashes},${nested}]`).map((raw) => raw.length)).toEqual([slashes.length, nested.length]);
  });
});
