import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../core/size/estimator.ts';
import { exactCounter } from './index.ts';
import { cutLongRuns } from './run-guard.ts';

describe('exactCounter', () => {
  it('counts the o200k vocabulary', async () => {
    const { count, name } = await exactCounter();
    expect(name).toBe('o200k_base');
    expect(count('')).toBe(0);
    expect(count('hello world')).toBe(2);
    expect(count('1234567')).toBe(3);
    expect(count('请把服务迁移到新的集群')).toBeGreaterThan(5);
  });

  it('takes the names of special tokens for the text they are', async () => {
    const { count } = await exactCounter();
    expect(count('<|endoftext|>')).toBeGreaterThan(3);
  });

  it('gives the same count with and without its cache, however small', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `line ${index % 7} of ${index % 5}`);
    const cached = await exactCounter({ cacheEntries: 3 });
    const plain = await exactCounter({ cacheEntries: 0 });
    expect(texts.map(cached.count)).toEqual(texts.map(plain.count));
  });

  it.each([
    ['letters', 'a'.repeat(100_000)],
    ['spaces', ' '.repeat(100_000)],
    ['emoji', '😀'.repeat(20_000)],
    ['lone surrogates', '\ud800'.repeat(20_000)],
    ['combining marks', `e${'\u0301'.repeat(20_000)}`],
    ['arrows between letters of a rare script', '→ꒀ'.repeat(10_000)],
  ])('F06: comes to an end on a run of %s', async (_name, text) => {
    const { count } = await exactCounter();
    expect(count(text)).toBeGreaterThan(0);
  });

  it('estimates a text whose run is too long to be counted', async () => {
    const { count } = await exactCounter();
    const text = `before ${'x'.repeat(300_000)} after`;
    expect(count(text)).toBe(estimateTokens(text));
  });
});

describe('cutLongRuns', () => {
  it('cuts nothing out of ordinary text', () => {
    const text = 'const answer = compute({ question: "why" }); // see docs/answers.md\n'.repeat(500);
    expect(cutLongRuns(text)).toEqual([text]);
  });

  it('loses no character and never parts a surrogate pair', () => {
    const piece = fc.tuple(
      fc.constantFrom('a', ' ', '-', '😀', '我', '\n', 'é', '7', '\u0301', '\ud83d', '\udc00'),
      fc.integer({ min: 1, max: 700 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.map(([char, count]) => char.repeat(count)).join('');
        const slices = cutLongRuns(text)!;
        expect(slices.join('')).toBe(text);
        for (let index = 1; index < slices.length; index++) {
          const isParted = /[\ud800-\udbff]$/.test(slices[index - 1]!) && /^[\udc00-\udfff]/.test(slices[index]!);
          expect(isParted).toBe(false);
        }
      }),
      { seed: 20_26, numRuns: 200 },
    );
  });

  it('leaves no run longer than its limit', () => {
    for (const slice of cutLongRuns('a'.repeat(10_000))!) expect(slice.length).toBeLessThanOrEqual(257);
    for (const slice of cutLongRuns('我'.repeat(10_000))!) expect(slice.length).toBeLessThanOrEqual(65);
  });
});
