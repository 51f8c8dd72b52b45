import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUtc } from './utc-time.ts';

describe('formatUtc', () => {
  it('agrees with the calendar for any time', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }),
        (date) => {
          expect(formatUtc(date.getTime())).toBe(`${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
        },
      ),
      { seed: 9, numRuns: 2_000 },
    );
    expect(formatUtc(Date.UTC(2024, 1, 29, 23, 59, 59))).toBe('2024-02-29 23:59:59 UTC');
  });

  it('gives nothing for what is no time', () => {
    expect(formatUtc(Number.NaN)).toBeUndefined();
    expect(formatUtc(Number.POSITIVE_INFINITY)).toBeUndefined();
  });
});
