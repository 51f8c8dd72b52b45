import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawValue, SEED } from '../../../test/wire/raw-json.ts';
import { canonicalNumber } from './canonical-scalar.ts';
import { memberOf, stringOf } from './read.ts';
import type { JsonNode } from './tree.ts';
import { parseTree } from './tree.ts';

/** Builds the value from the places alone. */
function valueOfNode(text: string, node: JsonNode): unknown {
  if (node.kind === 'string') return stringOf(text, node);
  if (node.kind === 'array') return node.items.map((item) => valueOfNode(text, item));
  if (node.kind !== 'object') return JSON.parse(text.slice(node.start, node.end));
  const value = Object.create(null) as Record<string, unknown>;
  for (const member of node.members) value[member.key] = valueOfNode(text, member.value);
  return value;
}

describe('parseTree', () => {
  it('holds what JSON.parse reads, repeated names and odd strings included', () => {
    fc.assert(
      fc.property(rawValue, (raw) => {
        const text = ` ${raw}\n`;
        const expected: unknown = JSON.parse(text);
        expect(JSON.stringify(valueOfNode(text, parseTree(text)))).toBe(JSON.stringify(withoutPrototypes(expected)));
      }),
      SEED,
    );
  });

  it('gives the place of every member, name included', () => {
    const text = '{ "a" : [1, 2] , "b":{"c":"d"} }';
    const root = parseTree(text);
    const places = root.kind === 'object' ? root.members.map((member) => text.slice(member.start, member.end)) : [];
    expect(places).toEqual(['"a" : [1, 2]', '"b":{"c":"d"}']);
    expect(stringOf(text, memberOf(memberOf(root, 'b'), 'c'))).toBe('d');
    expect(memberOf(root, 'constructor')).toBeUndefined();
  });
});

function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) copy[key] = withoutPrototypes(inner);
  return copy;
}

describe('canonicalNumber', () => {
  it.each([
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    ['0.10', '0.1'],
    ['12345678901234567890', '12345678901234567890'],
    ['9007199254740993', '9007199254740993'],
    ['1e999', '1e999'],
  ])('%s is %s', (written, canonical) => {
    expect(canonicalNumber(written)).toBe(canonical);
  });
});
