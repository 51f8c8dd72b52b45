// Rows O1 to O8.
import { describe, expect, it } from 'vitest';
import type { Guard, GuardEvent, Reading } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { guardWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const pending = { mark: 100, model: 'm', sinceMs: NOW };
const waiting = guardWith({ view: 'v2', pending });
const proof = { size: 120, mark: 100, models: ['m'] };

function readingWith(parts: Partial<Reading> = {}): Reading {
  return { view: 'v2', grown: 0, size: 120, model: 'm', ...parts };
}

const observe = (guard: Guard, parts: Partial<Reading> = {}): Guard =>
  reduceGuard(guard, { type: 'observe', reading: readingWith(parts) }, NOW).guard;

describe('a reading that does not speak', () => {
  it.each([['v1'], [undefined]])('of view %s changes nothing, in either direction', (view) => {
    for (const guard of [waiting, trippedGuard(), trippedGuard({ pending })]) {
      for (const size of [undefined, 1, 120, 500]) expect(observe(guard, { view, size })).toBe(guard);
      const overflow: GuardEvent = { type: 'overflow-verdict', reading: readingWith({ view }), actual: 500 };
      expect(reduceGuard(guard, overflow, NOW).guard).toBe(guard);
    }
  });

  it('is accepted all the same', () => {
    expect(reduceGuard(waiting, { type: 'observe', reading: readingWith({ view: 'v1' }) }, NOW).status).toBe('accepted');
  });
});

describe('O1: no size', () => {
  it.each([undefined, Number.NaN])('%s ends the wait, nothing else', (size) => {
    const before = trippedGuard({ pending });
    expect(observe(before, { size })).toEqual({ ...before, pending: undefined });
  });

  it('comes before O2', () => expect(observe(waiting, { size: undefined, model: 'n' }).pending).toBeUndefined());
});

describe('O2: another model', () => {
  it.each([1, 120])('size %i says nothing', (size) => expect(observe(waiting, { size, model: 'n' })).toBe(waiting));
});

describe('O3: effective', () => {
  it('ends the wait', () => expect(observe(waiting, { size: 99 })).toEqual(guardWith({ view: 'v2' })));

  it('under the mark of the proof it clears strikes, the rest they earned, and the level', () => {
    expect(observe(trippedGuard({ pending }), { size: 99 })).toEqual(
      guardWith({ view: 'v2', tokens: unitWith({ last: { mark: 100, watermark: 'c1' } }) }),
    );
  });

  it('by the model of the commit, also one that the proof does not name', () => {
    const before = trippedGuard({ strikes: 1, pending: { ...pending, model: 'n' } });
    expect(observe(before, { size: 99, model: 'n' })).toMatchObject({ strikes: 0, proof: undefined });
  });

  it('at or above the mark of the proof it clears nothing (X15)', () => {
    const before = trippedGuard({ pending: { ...pending, mark: 130 } });
    expect(observe(before, { size: 110 })).toEqual({ ...before, pending: undefined });
  });

  it('leaves a rest for refills, and the level while refills stand', () => {
    const tokens = unitWith({ rest: restWith(), refills: 3, level: 2 });
    expect(observe(trippedGuard({ pending, tokens }), { size: 99 })).toMatchObject({ strikes: 0, tokens });
  });

  it('without strikes it still ends the back-off when no refills stand', () => {
    expect(observe(guardWith({ view: 'v2', pending, tokens: unitWith({ level: 2 }) }), { size: 99 }).tokens.level).toBe(0);
    expect(observe(guardWith({ view: 'v2', pending, tokens: unitWith({ level: 2, refills: 1 }) }), { size: 99 }).tokens.level).toBe(2);
  });
});

describe('O4: it worked, and new content filled the room', () => {
  it.each([
    [100, 1],
    [120, 21],
    [500, 500],
  ])('size %i with %i grown: the wait ends, strikes stay', (size, grown) => {
    const before = trippedGuard({ strikes: 1, pending });
    expect(observe(before, { size, grown })).toEqual({ ...before, pending: undefined });
  });
});

describe('O5: ineffective', () => {
  it('is a first strike with its proof, and no rest', () => {
    expect(observe(waiting, { size: 130, grown: 20 })).toEqual(
      guardWith({ view: 'v2', strikes: 1, proof: { size: 110, mark: 100, models: ['m'] } }),
    );
  });

  it('at exactly the mark', () => expect(observe(waiting, { size: 120, grown: 20 }).strikes).toBe(1));

  it('the second in a row rests, from the size of the reading', () => {
    const before = guardWith({ view: 'v2', strikes: 1, proof, pending: { ...pending, model: 'n' } });
    expect(observe(before, { size: 130, grown: 20, model: 'n' })).toEqual(
      guardWith({
        view: 'v2',
        strikes: 2,
        proof: { size: 110, mark: 100, models: ['m', 'n'] },
        tokens: unitWith({ rest: restWith({ reason: 'ineffective', size: 130 }), level: 1 }),
      }),
    );
  });

  it('every further one rests longer', () => {
    expect(observe(trippedGuard({ pending }))).toMatchObject({
      strikes: 3,
      tokens: { level: 2, rest: { periodMs: 600_000, sinceMs: NOW } },
    });
  });

  it('under the mark of an older proof counts anew', () => {
    const before = trippedGuard({ proof: { size: 220, mark: 200, models: ['m'] }, pending });
    expect(observe(before)).toEqual({ ...before, pending: undefined, strikes: 1, proof: { size: 120, mark: 100, models: ['m'] } });
  });

  it('names four models at most', () => {
    const before = trippedGuard({ proof: { ...proof, models: ['a', 'b', 'c', 'd'] }, pending });
    expect(observe(before).proof?.models).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is counted once, however often it is told', () => {
    const once = observe(waiting);
    expect(observe(once)).toBe(once);
  });
});

describe('O6: no verdict is pending, and a tried model is under the proven mark', () => {
  it('clears', () =>
    expect(observe(trippedGuard(), { size: 99 })).toMatchObject({ strikes: 0, proof: undefined, tokens: { rest: undefined, level: 0 } }));

  it('keeps a rest of another reason', () => {
    for (const reason of ['refill', 'undone', 'nothing_to_compact'] as const) {
      const tokens = unitWith({ rest: restWith({ reason }), refills: 1, level: 2 });
      expect(observe(trippedGuard({ tokens }), { size: 99 })).toMatchObject({ strikes: 0, tokens });
    }
  });
});

describe('O7: anything else', () => {
  it.each([
    ['at the mark', { size: 100 }],
    ['by an untried model', { size: 99, model: 'n' }],
    ['without a size', { size: undefined }],
  ])('%s: nothing', (_, parts) => {
    const guard = trippedGuard();
    expect(observe(guard, parts)).toBe(guard);
  });

  it('without strikes: nothing', () => {
    const guard = guardWith({ view: 'v2', tokens: unitWith({ level: 1 }) });
    expect(observe(guard, { size: 1 })).toBe(guard);
  });
});

describe('O8: the provider refused a request that speaks', () => {
  const overflow = (parts: Partial<Extract<GuardEvent, { type: 'overflow-verdict' }>> = {}): GuardEvent => ({
    type: 'overflow-verdict',
    reading: readingWith({ size: undefined }),
    ...parts,
  });

  it.each([
    [{ actual: 700, limit: 600 }, 700],
    [{ limit: 600 }, 600],
    [{ actual: 50 }, 100],
    [{}, 100],
  ])('%o is a strike of size %i', (numbers, size) => {
    expect(reduceGuard(waiting, overflow(numbers), NOW).guard).toMatchObject({ pending: undefined, strikes: 1, proof: { size } });
  });

  it('trips like any other', () => {
    const before = guardWith({ view: 'v2', strikes: 1, proof, pending });
    expect(reduceGuard(before, overflow({ actual: 700 }), NOW).guard.tokens).toMatchObject({
      level: 1,
      rest: { reason: 'ineffective', size: 700 },
    });
  });

  it('is no strike when what was added fills it', () => {
    const event = overflow({ actual: 700, reading: readingWith({ size: undefined, grown: 601 }) });
    expect(reduceGuard(waiting, event, NOW).guard).toEqual({ ...waiting, pending: undefined });
  });

  it('of another model says nothing', () => {
    expect(reduceGuard(waiting, overflow({ actual: 700, reading: readingWith({ model: 'n' }) }), NOW).guard).toBe(waiting);
  });

  it('without a pending verdict: nothing', () => {
    const guard = trippedGuard();
    expect(reduceGuard(guard, overflow({ actual: 700 }), NOW).guard).toBe(guard);
  });
});
