import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../size/estimator.ts';
import { capHeadTail, headOf, tailOf } from './cap.ts';

const mark = (omitted: number): string => `[… ${omitted} characters left out …]`;

describe('capHeadTail', () => {
  it('leaves a text that fits as it is', () => {
    expect(capHeadTail('short text', 50, mark)).toBe('short text');
  });

  it('F08 keeps to its budget, tells how much is gone, and stays well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.integer({ min: 16, max: 200 }), (text, budget) => {
        const capped = capHeadTail(text, budget, mark);
        expect(capped.isWellFormed()).toBe(true);
        expect(estimateTokens(capped)).toBeLessThanOrEqual(Math.max(budget, estimateTokens(mark(text.length))));
        const omitted = /\[… (\d+) characters left out …\]/.exec(capped);
        if (capped !== text) expect(Number(omitted?.[1])).toBeGreaterThan(0);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('counts what it left out from the pieces it kept', () => {
    const text = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');
    const [head, tail] = capHeadTail(text, 60, mark).split(/\n?\[… \d+ characters left out …\]\n?/);
    const omitted = Number(/\[… (\d+)/.exec(capHeadTail(text, 60, mark))![1]);
    expect(text.startsWith(head!)).toBe(true);
    expect(text.endsWith(tail!)).toBe(true);
    expect(head!.length + tail!.length + omitted).toBe(text.length);
  });

  it('cuts at line breaks when one is near', () => {
    expect(headOf('one\ntwo three', 6)).toBe('one\ntw');
    expect(headOf('a longer first line\ntwo', 21)).toBe('a longer first line');
    expect(tailOf('first\nlast line here', 16)).toBe('last line here');
  });

  it('F08 never begins or ends inside a surrogate pair', () => {
    for (let length = 0; length < 12; length += 1) {
      expect(headOf('📥📥📥📥📥', length).isWellFormed()).toBe(true);
      expect(tailOf('📥📥📥📥📥', length).isWellFormed()).toBe(true);
    }
  });
});
