// Rows F1 to F4: an attempt that ends without a commit.
import { describe, expect, it } from 'vitest';
import type { Ask, FailedPath, GuardEvent } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const held = guardWith({ fence: 7, lease: leaseWith() });
const failed: FailedPath[] = [
  { path: 'a', deadlineMs: 20_000, reason: 'timeout' },
  { path: 'b', deadlineMs: 30_000, reason: 'refusal' },
];
const noop = (ask: Partial<Ask> = {}, paths: FailedPath[] = []): GuardEvent => ({
  type: 'end-noop',
  fence: 7,
  ask: askWith(ask),
  failed: paths,
});

describe('a lost fence', () => {
  const events: GuardEvent[] = [
    { type: 'end-failed', fence: 6, failed, isAborted: false },
    { type: 'end-failed', fence: 6, failed, isAborted: true },
    { type: 'end-noop', fence: 6, ask: askWith(), failed },
    { type: 'end-superseded', fence: 6 },
  ];
  it.each(events)('writes nothing: $type', (event) => {
    expect(reduceGuard(held, event, NOW)).toMatchObject({ status: 'refused' });
    expect(reduceGuard(held, event, NOW).guard).toBe(held);
    const free = guardWith({ fence: 6 });
    expect(reduceGuard(free, event, NOW).guard).toBe(free);
  });
});

describe('F1: every path failed', () => {
  it('ends the lease, each path cools from now', () => {
    const before = { ...held, paths: { b: { failures: 1, sinceMs: 0, periodMs: 60_000, deadlineMs: 1, reason: 'rate' } } };
    const { guard, status } = reduceGuard(before, { type: 'end-failed', fence: 7, failed, isAborted: false }, NOW);
    expect(status).toBe('accepted');
    expect(guard).toEqual({
      ...held,
      lease: undefined,
      paths: {
        a: { failures: 1, sinceMs: NOW, periodMs: 60_000, deadlineMs: 20_000, reason: 'timeout' },
        b: { failures: 2, sinceMs: NOW, periodMs: 300_000, deadlineMs: 30_000, reason: 'refusal' },
      },
    });
  });

  it('touches neither strikes nor rest: an outage of a summarizer is not an ineffective compaction (F21)', () => {
    const before = trippedGuard({ fence: 7, lease: leaseWith() });
    const { guard } = reduceGuard(before, { type: 'end-failed', fence: 7, failed, isAborted: false }, NOW);
    expect(guard).toEqual({ ...before, lease: undefined, paths: guard.paths });
  });

  it('keeps a deadline without an end storable', () => {
    const endless = [{ path: 'a', deadlineMs: Number.POSITIVE_INFINITY, reason: 'network' }];
    const { guard } = reduceGuard(held, { type: 'end-failed', fence: 7, failed: endless, isAborted: false }, NOW);
    expect(guard.paths.a?.deadlineMs).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['facts', 'none'])('cools nothing called %s', (path) => {
    const event: GuardEvent = { type: 'end-failed', fence: 7, failed: [{ path, deadlineMs: 1, reason: 'store' }], isAborted: false };
    expect(reduceGuard(held, event, NOW).guard).toEqual({ ...held, lease: undefined });
  });

  it.each(['__proto__', 'constructor'])('cools a path called %s', (path) => {
    const { guard } = reduceGuard(
      held,
      { type: 'end-failed', fence: 7, failed: [{ path, deadlineMs: 1, reason: 'rate' }], isAborted: false },
      NOW,
    );
    expect(Object.entries(guard.paths)).toMatchObject([[path, { failures: 1 }]]);
  });
});

describe('F2: aborted', () => {
  it('is F1 with that reason', () => {
    const { guard } = reduceGuard(held, { type: 'end-failed', fence: 7, failed, isAborted: true }, NOW);
    expect(guard.lease).toBeUndefined();
    expect(Object.values(guard.paths).map(({ reason, failures }) => [reason, failures])).toEqual([
      ['aborted', 1],
      ['aborted', 1],
    ]);
  });
});

describe('F3: nothing was worth doing', () => {
  it.each(['automatic', 'background'] as const)('%s: rests for noopRestMs, or until minGain more is there', (kind) => {
    const { guard } = reduceGuard(held, noop({ kind }), NOW);
    const rest = { reason: 'nothing_to_compact', sinceMs: NOW, periodMs: 300_000, size: 120, step: 10 };
    expect(guard).toEqual({ ...held, lease: undefined, tokens: unitWith({ rest: rest as ReturnType<typeof restWith> }) });
  });

  it.each(['manual', 'overflow'] as const)('%s: ends the lease, nothing else', (kind) => {
    expect(reduceGuard(held, noop({ kind }), NOW).guard).toEqual({ ...held, lease: undefined });
  });

  it('in the unit of the ask', () => {
    const { guard } = reduceGuard(held, noop({ unit: 'messages' }), NOW);
    expect(guard.tokens.rest).toBeUndefined();
    expect(guard.messages.rest?.reason).toBe('nothing_to_compact');
  });

  it.each(['ineffective', 'refill'] as const)(
    'after a rest of reason %s keeps that reason: the next attempt is still a probe',
    (reason) => {
      const tokens = unitWith({ rest: restWith({ reason, sinceMs: NOW - 300_000 }), level: 3 });
      const { guard } = reduceGuard(trippedGuard({ fence: 7, lease: leaseWith(), tokens }), noop(), NOW);
      expect(guard.tokens).toEqual({ ...tokens, rest: restWith({ reason, step: 10 }) });
    },
  );

  it('leaves a rest that still holds alone', () => {
    const before = trippedGuard({ fence: 7, lease: leaseWith() });
    expect(reduceGuard(before, noop(), NOW).guard).toEqual({ ...before, lease: undefined });
  });

  it('holds an untried model that found nothing under the rest, too, so that it does not plan at every request', () => {
    const tripped = { ...trippedGuard(), fence: 7, lease: leaseWith() };
    const { guard } = reduceGuard(tripped, noop({ model: 'untried' }), NOW);
    expect(guard.proof?.models).toEqual([...(tripped.proof?.models ?? []), 'untried']);
    expect(guard.tokens.rest?.reason).toBe('ineffective');
    expect(reduceGuard(guard, { type: 'claim', ask: askWith({ model: 'untried' }), attemptId: 'x', path: 'none' }, NOW).status).toBe(
      'refused',
    );
  });

  it('charges paths that failed on the way', () => {
    expect(Object.keys(reduceGuard(held, noop({}, failed), NOW).guard.paths)).toEqual(['a', 'b']);
    expect(Object.keys(reduceGuard(held, noop({ kind: 'overflow' }, failed), NOW).guard.paths)).toEqual(['a', 'b']);
  });
});

describe('F4: lost the base', () => {
  it('ends the lease only', () => {
    const before = trippedGuard({ fence: 7, lease: leaseWith() });
    expect(reduceGuard(before, { type: 'end-superseded', fence: 7 }, NOW)).toEqual({
      status: 'accepted',
      guard: { ...before, lease: undefined },
    });
  });
});
