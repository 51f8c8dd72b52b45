import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { splitText } from './split-text.ts';

const SEED = 20_260_101;

describe('an answer in parts', () => {
  test.each([
    ['short', 'short'],
    ['  kept as it is \n', '  kept as it is \n'],
  ])('%j stays one', (text, part) => {
    expect(splitText(text)).toEqual([part]);
  });

  it('is never empty', () => {
    expect(splitText(' \n ')).toEqual(['(an empty answer)']);
    expect(splitText('')).toEqual(['(an empty answer)']);
  });

  it('is cut at a paragraph rather than a line, at a line rather than a word', () => {
    expect(splitText(`${'a'.repeat(30)}\n\n${'b c\n'.repeat(10)}`, 60)[0]).toBe('a'.repeat(30));
    expect(splitText(`${'a'.repeat(30)}\n${'b '.repeat(40)}`, 60)[0]).toBe('a'.repeat(30));
  });

  it('closes a code block and opens it again in its language', () => {
    const parts = splitText(`Look:\n\`\`\`ts\n${'const a = 1;\n'.repeat(20)}\`\`\`\nDone.`, 100);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    expect(parts[1]!.startsWith('```ts\n')).toBe(true);
  });

  it('a megabyte of one letter is cut in linear time, and no pair is parted', () => {
    expect(splitText('x'.repeat(1_000_000)).join('')).toBe('x'.repeat(1_000_000));
    const parts = splitText('😀'.repeat(10_000));
    expect(parts.join('')).toBe('😀'.repeat(10_000));
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
  });

  it('no part is over the limit and no word is lost', () => {
    const piece = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('```', '```js\n', '\n', '\n\n', '😀', '\ud800', 'word '));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const text = pieces.join('');
        const parts = splitText(text, 120);
        expect(parts.every((part) => part.length <= 120 && part.trim() !== '' && part.isWellFormed())).toBe(true);
        const letters = (given: string) => given.replaceAll(/[^a-zA-Z0-9]/g, '');
        // Languages of code blocks are said again at the head of each part.
        if (!text.includes('`') && text.trim() !== '') expect(letters(parts.join(''))).toBe(letters(text.toWellFormed()));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
