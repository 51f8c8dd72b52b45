// Rows A1 to A4, renew and path.
import { describe, expect, it } from 'vitest';
import type { Guard, GuardEvent } from './guard.ts';
import { ANY_DEADLINE_MS } from './paths.ts';
import { reduceGuard } from './reduce.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const claim = (ask = askWith(), path = 'summarizer'): GuardEvent => ({ type: 'claim', ask, attemptId: 'b', path });
const cooling = { failures: 2, sinceMs: NOW, periodMs: 300_000, deadlineMs: 20_000, reason: 'timeout' };
const expired = guardWith({ fence: 7, lease: leaseWith() });

describe('A1: refused', () => {
  const cases: [string, Guard, ReturnType<typeof askWith>, object][] = [
    ['not due', guardWith(), askWith({ size: 99 }), { decision: 'not_due' }],
    ['deferred', guardWith({ lease: leaseWith() }), askWith(), { decision: 'deferred', reason: 'in_progress' }],
    ['pending', guardWith({ pending: { mark: 100, model: 'm', sinceMs: NOW } }), askWith(), { reason: 'verdict_pending' }],
    ['blocked', trippedGuard(), askWith(), { decision: 'blocked', reason: 'guard_ineffective' }],
  ];
  it.each(cases)('%s: with that decision, and nothing to write', (...[, guard, ask, decision]) => {
    const result = reduceGuard(guard, claim(ask), NOW);
    expect(result.status).toBe('refused');
    expect(result.decision).toMatchObject(decision);
    expect(result.guard).toBe(guard);
  });
});

describe('A2: a lease that is over', () => {
  it('charges its summarizer path from the moment it ended', () => {
    const { guard } = reduceGuard(expired, claim(askWith(), 'facts'), NOW + 90_000);
    const charged = { failures: 1, sinceMs: NOW + 60_000, periodMs: 60_000, deadlineMs: ANY_DEADLINE_MS, reason: 'lease_expired' };
    expect(guard.paths).toEqual({ summarizer: charged });
    expect(guard.lease).toMatchObject({ attemptId: 'b', fence: 8 });
  });

  it('counts on, for 60, 300 and then always 900 s', () => {
    const periods = [1, 2, 3, 4].map((failures) => {
      const paths: Guard['paths'] = failures === 1 ? {} : { summarizer: { ...cooling, failures: failures - 1 } };
      return reduceGuard({ ...expired, paths }, claim(), NOW + 60_000).guard.paths.summarizer?.periodMs;
    });
    expect(periods).toEqual([60_000, 300_000, 900_000, 900_000]);
  });

  it.each(['facts', 'none'])('on %s charges nobody', (path) => {
    const { guard } = reduceGuard({ ...expired, lease: leaseWith({ path }) }, claim(), NOW + 60_000);
    expect(guard.paths).toEqual({});
  });

  it('that ended because the clock was set back cools from now', () => {
    const { guard } = reduceGuard(expired, claim(), NOW - 86_400_000);
    expect(guard.paths.summarizer?.sinceMs).toBe(NOW - 86_400_000);
  });
});

describe('A3: taken', () => {
  it('raises the fence and notes attempt, path and time', () => {
    const result = reduceGuard(guardWith({ fence: 4 }), claim(), NOW);
    expect(result).toMatchObject({ status: 'accepted', decision: { decision: 'allow', paths: ['summarizer'] } });
    expect(result.guard).toEqual(
      guardWith({ fence: 5, lease: { attemptId: 'b', fence: 5, path: 'summarizer', sinceMs: NOW, claimedAtMs: NOW } }),
    );
  });

  it('a probe does not untrip (X7)', () => {
    const before = trippedGuard({
      tokens: unitWith({ rest: restWith({ reason: 'ineffective', sinceMs: NOW - 300_000 }), refills: 1, level: 2 }),
    });
    const { guard, decision } = reduceGuard(before, claim(), NOW);
    expect(decision).toMatchObject({ decision: 'probe' });
    expect(guard).toEqual({ ...before, fence: 1, lease: guard.lease });
  });

  it('notes no path that the decision does not allow', () => {
    const paths = { summarizer: cooling };
    expect(reduceGuard(guardWith({ paths }), claim(), NOW).guard.lease?.path).toBe('facts');
    const chain = askWith({ paths: [...askWith().paths, { path: 'second', deadlineMs: 20_000 }] });
    expect(reduceGuard(guardWith({ paths }), claim(chain), NOW).guard.lease?.path).toBe('second');
    expect(reduceGuard(guardWith({ paths }), claim(chain, 'none'), NOW).guard.lease?.path).toBe('none');
  });
});

describe('A4: manual, in addition', () => {
  it('forgets every cooldown', () => {
    expect(reduceGuard(guardWith({ paths: { summarizer: cooling } }), claim(askWith({ kind: 'manual' })), NOW).guard.paths).toEqual({});
    expect(reduceGuard(expired, claim(askWith({ kind: 'manual' })), NOW + 60_000).guard.paths).toEqual({});
  });

  it('an overflow does not', () => {
    const paths = { summarizer: cooling };
    expect(reduceGuard(guardWith({ paths }), claim(askWith({ kind: 'overflow' })), NOW).guard.paths).toEqual(paths);
  });
});

describe('renew', () => {
  const held = guardWith({ fence: 7, lease: leaseWith() });

  it('with the same fence begins the lease anew', () => {
    const result = reduceGuard(held, { type: 'renew', fence: 7 }, NOW + 20_000);
    expect(result.status).toBe('accepted');
    expect(result.guard.lease).toEqual(leaseWith({ sinceMs: NOW + 20_000 }));
  });

  it('with another fence, or without a lease, is refused', () => {
    for (const guard of [held, guardWith({ fence: 6 })]) {
      expect(reduceGuard(guard, { type: 'renew', fence: 6 }, NOW)).toMatchObject({ status: 'refused', guard });
    }
  });

  it('revives a lease that ran out but that nobody took', () => {
    expect(reduceGuard(held, { type: 'renew', fence: 7 }, NOW + 90_000).status).toBe('accepted');
  });

  it('is refused once the lease was held for leaseCapMs', () => {
    const renewed = guardWith({ fence: 7, lease: leaseWith({ sinceMs: NOW + 160_000 }) });
    expect(reduceGuard(renewed, { type: 'renew', fence: 7 }, NOW + 179_999).status).toBe('accepted');
    expect(reduceGuard(renewed, { type: 'renew', fence: 7 }, NOW + 180_000).status).toBe('refused');
    const unknown = guardWith({ fence: 7, lease: leaseWith({ claimedAtMs: undefined }) });
    expect(reduceGuard(unknown, { type: 'renew', fence: 7 }, NOW + 20_000).status).toBe('accepted');
  });
});

describe('path', () => {
  const held = guardWith({ fence: 7, lease: leaseWith() });

  it('is noted by the holder only', () => {
    expect(reduceGuard(held, { type: 'path', fence: 7, path: 'second' }, NOW).guard.lease).toEqual(leaseWith({ path: 'second' }));
    expect(reduceGuard(held, { type: 'path', fence: 6, path: 'second' }, NOW)).toMatchObject({ status: 'refused', guard: held });
  });

  it('already noted is nothing to write', () => {
    expect(reduceGuard(held, { type: 'path', fence: 7, path: 'summarizer' }, NOW).guard).toBe(held);
  });

  it('is what A2 charges', () => {
    const { guard } = reduceGuard(held, { type: 'path', fence: 7, path: 'second' }, NOW);
    expect(Object.keys(reduceGuard(guard, claim(), NOW + 60_000).guard.paths)).toEqual(['second']);
  });
});
