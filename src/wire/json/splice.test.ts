import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined, rawValue, SEED, spaces } from '../../../test/wire/raw-json.ts';
import { quote } from './quote.ts';
import { listChanges, spliceText } from './splice.ts';
import type { ArrayNode, ObjectNode } from './tree.ts';
import { parseTree } from './tree.ts';

describe('spliceText', () => {
  it('replaces places in any order; an insertion stands in front of what begins at its place', () => {
    const changes = [
      { start: 4, end: 6, text: 'EF' },
      { start: 0, end: 1, text: 'A' },
      { start: 4, end: 4, text: '+' },
      { start: 6, end: 6, text: '!' },
    ];
    expect(spliceText('abcdefg', changes)).toBe('Abcd+EF!g');
  });

  it('lets the outer of two changes decide', () => {
    const changes = [
      { start: 2, end: 3, text: 'x' },
      { start: 1, end: 5, text: '-' },
    ];
    expect(spliceText('abcdefg', changes)).toBe('a-fg');
  });
});

describe('listChanges', () => {
  it('keeps the rest of the list byte for byte and gives valid JSON, for random lists, removals and insertions', () => {
    const list = fc.tuple(fc.array(rawValue, { maxLength: 6 }), spaces).map(([items, gaps]) => joined('[', items, ']', gaps));
    fc.assert(
      fc.property(list, fc.array(fc.nat(5)), fc.array(fc.tuple(fc.nat(6), fc.integer())), (text, drops, adds) => {
        const root = parseTree(text) as ArrayNode;
        const removed = new Set(drops.filter((index) => index < root.items.length));
        const inserted = new Map<number, string[]>();
        for (const [at, value] of adds) {
          const index = Math.min(at, root.items.length);
          inserted.set(index, [...(inserted.get(index) ?? []), `${value}`]);
        }
        const wanted: string[] = [];
        for (let index = 0; index <= root.items.length; index += 1) {
          wanted.push(...(inserted.get(index) ?? []));
          const item = root.items[index];
          if (item && !removed.has(index)) wanted.push(text.slice(item.start, item.end));
        }
        const result = spliceText(text, listChanges(text, { list: root, elements: root.items, removed, inserted }));
        const after = parseTree(result) as ArrayNode;
        expect(after.items.map((item) => result.slice(item.start, item.end))).toEqual(wanted);
        if (removed.size === 0 && adds.length === 0) expect(result).toBe(text);
      }),
      SEED,
    );
  });

  it('keeps white space at the brackets and the style of the separators', () => {
    const text = '[\n  1,\n  2,\n  3\n]';
    const { items, ...list } = parseTree(text) as ArrayNode;
    const cut = (removed: number[], inserted: [number, string[]][]): string =>
      spliceText(text, listChanges(text, { list, elements: items, removed: new Set(removed), inserted: new Map(inserted) }));
    expect(cut([1], [])).toBe('[\n  1,\n  3\n]');
    expect(cut([0], [])).toBe('[\n  2,\n  3\n]');
    expect(cut([2], [[3, ['4']]])).toBe('[\n  1,\n  2,\n  4\n]');
    expect(cut([0, 1, 2], [[0, ['9']]])).toBe('[\n  9\n]');
    expect(cut([0, 1, 2], [])).toBe('[]');
  });

  it('works on members, and beside changes inside kept elements', () => {
    const text = '{"a": 1, "b": {"x":1}, "c": 3}';
    const root = parseTree(text) as ObjectNode;
    const inner = root.members[1]!.value;
    const changes = listChanges(text, {
      list: root,
      elements: root.members,
      removed: new Set([0, 2]),
      inserted: new Map([[3, ['"d":4']]]),
    });
    expect(spliceText(text, [...changes, { start: inner.start, end: inner.end, text: '2' }])).toBe('{"b": 2, "d":4}');
  });
});

describe('quote', () => {
  it('F08 never writes half a surrogate pair', () => {
    expect(quote('a\ud800b')).toBe('"a\ufffdb"');
    expect(quote('\ude00😀\ud83d')).toBe('"\ufffd😀\ufffd"');
    expect(quote(`${'x'.repeat(1_999)}📥`.slice(0, 2_000))).toBe(`"${'x'.repeat(1_999)}\ufffd"`);
  });
});
