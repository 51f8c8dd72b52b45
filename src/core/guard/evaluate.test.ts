// Rows E0 to E8, each against its neighbours.
import { describe, expect, it } from 'vitest';
import { isResting, isTripped, over } from './derive.ts';
import { evaluate } from './evaluate.ts';
import type { Ask, AskKind, Guard } from './guard.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const KINDS: readonly AskKind[] = ['automatic', 'background', 'manual', 'overflow'];
const SELF_STARTED: readonly AskKind[] = ['automatic', 'background'];
const allow = (...paths: string[]) => ({ decision: 'allow', paths });
const pending = { mark: 100, model: 'm', sinceMs: NOW };
const cooling = (parts = {}) => ({ failures: 1, sinceMs: NOW, periodMs: 60_000, deadlineMs: 20_000, reason: 'timeout', ...parts });

const ask = (kind: AskKind, parts: Partial<Ask> = {}) => askWith({ kind, ...parts });

describe('E0: below the mark', () => {
  it.each(SELF_STARTED)('%s is not due, and the guard is not even read', (kind) => {
    expect(evaluate('unreadable', ask(kind, { size: 99 }), NOW)).toEqual({ decision: 'not_due' });
    expect(evaluate(trippedGuard({ lease: leaseWith() }), ask(kind, { size: 99 }), NOW)).toEqual({ decision: 'not_due' });
  });

  it('at the mark it is due', () => expect(evaluate(guardWith(), askWith({ size: 100 }), NOW).decision).toBe('allow'));

  it.each(['manual', 'overflow'] as const)('%s has no mark', (kind) => {
    expect(evaluate(guardWith(), ask(kind, { size: 1 }), NOW).decision).toBe('allow');
  });
});

describe('E1: the guard is not readable', () => {
  it.each(['automatic', 'background', 'manual'] as const)('%s is deferred', (kind) => {
    expect(evaluate('unreadable', ask(kind), NOW)).toEqual({ decision: 'deferred', reason: 'store_unavailable' });
  });

  it('an overflow is answered with facts', () => expect(evaluate('unreadable', ask('overflow'), NOW)).toEqual(allow()));
});

describe('E2: a live lease', () => {
  it.each(KINDS)('defers %s until it ends', (kind) => {
    const guard = guardWith({ lease: leaseWith({ sinceMs: NOW - 59_999 }) });
    expect(evaluate(guard, ask(kind), NOW)).toEqual({ decision: 'deferred', reason: 'in_progress', retryAtMs: NOW + 1 });
  });

  it('comes before a rest and a pending verdict', () => {
    expect(evaluate(trippedGuard({ lease: leaseWith(), pending }), askWith(), NOW)).toMatchObject({ reason: 'in_progress' });
  });

  it.each([-60_000, 60_000])('is over when the clock is %i ms away', (ms) => {
    expect(evaluate(guardWith({ lease: leaseWith() }), askWith(), NOW + ms).decision).toBe('allow');
  });

  it('run out is read as if A2 had charged its path', () => {
    const guard = guardWith({ lease: leaseWith() });
    expect(evaluate(guard, askWith(), NOW + 119_999)).toEqual(allow());
    expect(evaluate(guard, askWith(), NOW + 120_000)).toEqual(allow('summarizer'));
    expect(evaluate(guardWith({ lease: leaseWith({ path: 'facts' }) }), askWith(), NOW + 60_000)).toEqual(allow('summarizer'));
    expect(guard.lease).toBeDefined();
  });
});

describe('E3: manual', () => {
  it('is allowed on every path, whatever rests, waits or cools', () => {
    const guard = trippedGuard({ pending, paths: { summarizer: cooling() } });
    expect(evaluate(guard, ask('manual'), NOW)).toEqual(allow('summarizer'));
  });
});

describe('E4: overflow', () => {
  it('is allowed on open paths', () => {
    expect(evaluate(guardWith({ pending }), ask('overflow'), NOW)).toEqual(allow('summarizer'));
    expect(evaluate(guardWith({ paths: { summarizer: cooling() } }), ask('overflow'), NOW)).toEqual(allow());
  });

  it('gets facts only while resting', () => {
    const guard = guardWith({ tokens: unitWith({ rest: restWith() }) });
    expect(evaluate(guard, ask('overflow'), NOW)).toEqual(allow());
    expect(evaluate(guard, ask('overflow'), NOW + 300_000)).toEqual(allow('summarizer'));
    expect(evaluate(guard, ask('overflow', { size: 140 }), NOW)).toEqual(allow('summarizer'));
  });

  it('gets facts only when there is little to gain', () => {
    expect(evaluate(guardWith(), ask('overflow', { gain: 9 }), NOW)).toEqual(allow());
    expect(evaluate(guardWith(), ask('overflow', { gain: 10 }), NOW)).toEqual(allow('summarizer'));
  });
});

describe('E5: a pending verdict', () => {
  it.each(SELF_STARTED)('defers %s for verdictWaitMs', (kind) => {
    const guard = guardWith({ pending });
    expect(evaluate(guard, ask(kind), NOW + 299_999)).toEqual({
      decision: 'deferred',
      reason: 'verdict_pending',
      retryAtMs: NOW + 300_000,
    });
    expect(evaluate(guard, ask(kind), NOW + 300_000)).toEqual(allow('summarizer'));
  });

  it('is a matter of tokens', () => {
    expect(evaluate(guardWith({ pending }), askWith({ unit: 'messages' }), NOW).decision).toBe('allow');
  });

  it('comes before a rest', () => {
    expect(evaluate(trippedGuard({ pending }), askWith(), NOW)).toMatchObject({ decision: 'deferred', reason: 'verdict_pending' });
  });
});

describe('E6: a rest', () => {
  it.each([
    ['ineffective', 'guard_ineffective'],
    ['refill', 'guard_refill'],
    ['nothing_to_compact', 'guard_nothing_to_compact'],
    ['undone', 'guard_undone'],
  ] as const)('%s blocks with its reason and both ways out', (reason, named) => {
    const guard = trippedGuard({ tokens: unitWith({ rest: restWith({ reason }) }) });
    expect(evaluate(guard, askWith(), NOW)).toEqual({ decision: 'blocked', reason: named, retryAtMs: NOW + 300_000, retryTokens: 140 });
  });

  it.each([
    ['by time', askWith(), NOW + 300_000],
    ['by a clock set back by a period', askWith(), NOW - 300_000],
    ['by growth', askWith({ size: 140 }), NOW],
    ['for an untried model', askWith({ model: 'untried' }), NOW],
    ['for a mark that the proof does not reach', askWith({ mark: 130, size: 131 }), NOW],
  ])('ends %s', (_, later, now) => {
    expect(evaluate(trippedGuard(), later, now).decision).toBe('probe');
  });

  it.each([
    ['just before its time', askWith(), NOW + 299_999],
    ['just below its growth', askWith({ size: 139 }), NOW],
    ['at a mark that the proof still reaches', askWith({ mark: 129, size: 130 }), NOW],
  ])('holds %s', (_, early, now) => {
    expect(evaluate(trippedGuard(), early, now).decision).toBe('blocked');
  });

  it('of another reason binds every model and mark', () => {
    const guard = trippedGuard({ tokens: unitWith({ rest: restWith({ reason: 'refill' }) }) });
    expect(evaluate(guard, askWith({ model: 'untried', mark: 130, size: 131 }), NOW).decision).toBe('blocked');
  });

  it('binds untried models once four were tried', () => {
    const guard = trippedGuard({ proof: { size: 120, mark: 100, models: ['a', 'b', 'c', 'd'] } });
    expect(evaluate(guard, askWith({ model: 'e' }), NOW).decision).toBe('blocked');
  });

  it('binds when the proof was lost', () => {
    expect(evaluate(trippedGuard({ proof: undefined }), askWith({ model: 'untried' }), NOW).decision).toBe('blocked');
  });

  it('belongs to its unit', () => {
    expect(evaluate(trippedGuard(), askWith({ unit: 'messages' }), NOW).decision).toBe('allow');
    const guard = guardWith({ messages: unitWith({ rest: restWith() }) });
    expect(evaluate(guard, askWith({ unit: 'messages' }), NOW)).toMatchObject({ reason: 'guard_refill' });
    expect(evaluate(guard, askWith(), NOW).decision).toBe('allow');
  });
});

describe('E7: a probe', () => {
  it.each(['ineffective', 'refill'] as const)('follows a rest of reason %s', (reason) => {
    const guard = trippedGuard({
      tokens: unitWith({ rest: restWith({ reason }) }),
      paths: { summarizer: cooling({ sinceMs: NOW + 299_999 }) },
    });
    expect(evaluate(guard, askWith(), NOW + 300_000)).toEqual({ decision: 'probe', paths: [] });
    expect(evaluate(guard, askWith(), NOW + 400_000)).toEqual({ decision: 'probe', paths: ['summarizer'] });
  });

  it.each(['nothing_to_compact', 'undone'] as const)('does not follow %s', (reason) => {
    const guard = guardWith({ tokens: unitWith({ rest: restWith({ reason }) }) });
    expect(evaluate(guard, askWith(), NOW + 300_000)).toEqual(allow('summarizer'));
  });
});

describe('E8: paths', () => {
  const paths = ['a', 'b', 'c'].map((path) => ({ path, deadlineMs: 20_000 }));

  it('leaves out those that cool, in chain order', () => {
    const guard = guardWith({ paths: { b: cooling() } });
    expect(evaluate(guard, askWith({ paths }), NOW)).toEqual(allow('a', 'c'));
    expect(evaluate(guard, askWith({ paths }), NOW + 60_000)).toEqual(allow('a', 'b', 'c'));
  });

  it('is the facts path when none is left; cooling never defers', () => {
    expect(evaluate(guardWith({ paths: { summarizer: cooling() } }), askWith(), NOW)).toEqual(allow());
    expect(evaluate(guardWith(), askWith({ paths: [] }), NOW)).toEqual(allow());
  });

  it('does not hold a cooldown against a longer deadline (F21)', () => {
    const guard = guardWith({ paths: { summarizer: cooling() } });
    expect(evaluate(guard, askWith({ paths: [{ path: 'summarizer', deadlineMs: 20_001 }] }), NOW)).toEqual(allow('summarizer'));
  });

  it.each(['constructor', '__proto__', 'toString'])('takes a path called %s for a path', (path) => {
    expect(evaluate(guardWith(), askWith({ paths: [{ path, deadlineMs: 1 }] }), NOW)).toEqual(allow(path));
  });
});

describe('what is derived', () => {
  it.each([
    [0, false],
    [99, false],
    [100, true],
    [-99, false],
    [-100, true],
  ])('over: %i ms from the beginning of a period of 100 → %s', (ms, isOver) => {
    expect(over({ sinceMs: NOW }, 100, NOW + ms)).toBe(isOver);
  });

  it('tripped is a rest that compactions earned, in its unit', () => {
    const withRest = (reason: 'ineffective' | 'refill' | 'nothing_to_compact' | 'undone'): Guard =>
      guardWith({ tokens: unitWith({ rest: restWith({ reason }) }) });
    expect(isTripped(withRest('ineffective'))).toBe(true);
    expect(isTripped(withRest('refill'), 'tokens')).toBe(true);
    expect(isTripped(withRest('refill'), 'messages')).toBe(false);
    expect(isTripped(withRest('nothing_to_compact'))).toBe(false);
    expect(isTripped(withRest('undone'))).toBe(false);
    expect(isTripped(guardWith())).toBe(false);
  });

  it('resting is E6 for this ask', () => {
    expect(isResting(trippedGuard(), askWith(), NOW)).toBe(true);
    expect(isResting(trippedGuard(), askWith({ size: 140 }), NOW)).toBe(false);
    expect(isResting(trippedGuard(), askWith({ model: 'untried' }), NOW)).toBe(false);
    expect(isResting(guardWith(), askWith(), NOW)).toBe(false);
  });
});
