import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf, foldText, hasEveryTerm, searchTerms, wordsOf } from './search-text.ts';

const SEED = { seed: 99, numRuns: 500 };
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }));

describe('folding', () => {
  it('keeps every index, and folding twice changes nothing', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldText(text);
        expect(folded.length).toBe(text.length);
        expect(foldText(folded)).toBe(folded);
      }),
      SEED,
    ));

  it.each([
    ['ÉCLAIR', 'eclair'],
    ['Straße', 'straße'],
    ['ПРИВЕТ', 'привет'],
    ['İstanbul', 'istanbul'],
    ['数据 한국', '数据 한국'],
    ['\ud800X', '\ud800x'],
  ])('%s is %s', (text, folded) => expect(foldText(text)).toBe(folded));
});

describe('terms', () => {
  it('are what white space separates, each once, a bounded number of bounded length', () => {
    expect(searchTerms(' Foo\tbar\0foo \n')).toEqual(['foo', 'bar']);
    expect(searchTerms(Array.from({ length: 1_000 }, (_, index) => `t${index}`).join(' ')).length).toBe(32);
    expect(searchTerms('y'.repeat(10_000))[0]?.length).toBe(256);
    expect(searchTerms('')).toEqual([]);
  });

  it('words are letters and digits of any script', () => {
    expect(wordsOf('src/core/x-1.ts ::')).toEqual(['src', 'core', 'x', '1', 'ts']);
    expect(wordsOf('数据库 мир')).toEqual(['数据库', 'мир']);
    expect(wordsOf('::*"')).toEqual([]);
  });
});

describe('an excerpt', () => {
  it('is short, well-formed for a well-formed text, and shows a term that the text holds', () =>
    fc.assert(
      fc.property(anyText, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.nat(2_000), (text, term, lead) => {
        const terms = searchTerms(term);
        const whole = `${'ü😀 '.repeat(lead)}${text}${term}${text}`;
        const excerpt = excerptOf(whole, terms);
        expect(excerpt.length).toBeLessThan(210);
        if (!/\p{Cs}/u.test(whole)) expect(excerpt).not.toMatch(/\p{Cs}/u);
        expect(hasEveryTerm(foldText(whole), terms)).toBe(true);
        if (terms.length === 1 && !/\s/u.test(term)) expect(foldText(excerpt)).toContain(terms[0]);
      }),
      SEED,
    ));
});
