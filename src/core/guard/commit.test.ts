// Rows C1 and C3 to C9.
import { describe, expect, it } from 'vitest';
import type { Ask, Guard, GuardEvent, UnitState } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

type Commit = Extract<GuardEvent, { type: 'commit' }>;

const held = { view: 'v1', fence: 7, lease: leaseWith() } satisfies Partial<Guard>;
const last = { mark: 100, watermark: 'c1' };

function commitWith(ask: Partial<Ask> = {}, parts: Partial<Commit> & { growth?: number } = {}): Commit {
  const { growth = 0, ...rest } = parts;
  return {
    type: 'commit',
    fence: 7,
    baseView: 'v1',
    viewId: 'v2',
    ask: askWith(ask),
    watermark: 'c9',
    growthAfter: () => growth,
    failed: [],
    ...rest,
  };
}

const commit = (guard: Guard, event: Commit): Guard => reduceGuard(guard, event, NOW).guard;

/** The unit after a commit that grew by so much since the one before. */
function unitAfter(tokens: UnitState, growth: number, guard: Partial<Guard> = {}): UnitState {
  return commit(guardWith({ ...held, tokens, ...guard }), commitWith({}, { growth })).tokens;
}

describe('commit', () => {
  it('lands: view, lease, pending, last', () => {
    const { guard, status } = reduceGuard(guardWith(held), commitWith(), NOW);
    expect(status).toBe('accepted');
    expect(guard).toEqual(
      guardWith({
        view: 'v2',
        fence: 7,
        pending: { mark: 100, model: 'm', sinceMs: NOW },
        tokens: unitWith({ last: { mark: 100, watermark: 'c9' } }),
      }),
    );
  });

  it.each([
    ['another fence holds the lease', guardWith({ ...held, fence: 8, lease: leaseWith({ fence: 8 }) })],
    ['the lease is gone', guardWith({ ...held, lease: undefined })],
    ['the view changed', guardWith({ ...held, view: 'other' })],
    ['the view is gone', guardWith({ ...held, view: undefined })],
  ])('is refused when %s, and changes nothing', (_, guard) => {
    expect(reduceGuard(guard, commitWith(), NOW)).toMatchObject({ status: 'refused' });
    expect(reduceGuard(guard, commitWith(), NOW).guard).toBe(guard);
  });

  it('is not refused by a lease that ran out but that nobody took', () => {
    expect(reduceGuard(guardWith(held), commitWith(), NOW + 3_600_000).status).toBe('accepted');
  });

  it('lands on no view at all', () => {
    expect(reduceGuard(guardWith({ ...held, view: undefined }), commitWith({}, { baseView: undefined }), NOW).status).toBe('accepted');
  });

  it('cools failed paths, and forgets the failures of the one that wrote the summary', () => {
    const cooling = { failures: 2, sinceMs: 0, periodMs: 300_000, deadlineMs: 1, reason: 'rate' };
    const failed = [{ path: 'a', deadlineMs: 20_000, reason: 'timeout' }];
    const guard = commit(guardWith({ ...held, paths: { b: cooling, c: cooling } }), commitWith({}, { failed, modelPath: 'b' }));
    expect(guard.paths).toEqual({ a: { failures: 1, sinceMs: NOW, periodMs: 60_000, deadlineMs: 20_000, reason: 'timeout' }, c: cooling });
  });
});

describe('C1: manual and overflow', () => {
  it.each(['manual', 'overflow'] as const)('%s ends a pending verdict as unknown and touches no streak (F20)', (kind) => {
    const pending = { mark: 100, model: 'm', sinceMs: NOW };
    const before = trippedGuard({ ...held, pending, tokens: unitWith({ rest: restWith(), refills: 2, last, level: 2 }) });
    const guard = commit(before, commitWith({ kind, size: 500 }, { growth: 0 }));
    expect(guard).toEqual({ ...before, view: 'v2', lease: undefined, pending: undefined });
  });
});

describe('C4: refills', () => {
  it.each([
    [0, 2],
    [9.9, 2],
    [10, 1],
    [19.9, 1],
    [20, 0],
    [500, 0],
  ])('growth of %s per cent of the mark: one refill becomes %s', (growth, refills) => {
    expect(unitAfter(unitWith({ refills: 1, last }), growth)).toEqual(unitWith({ refills, last: { mark: 100, watermark: 'c9' } }));
  });

  it('does not count the first commit, nor one at a smaller mark', () => {
    expect(unitAfter(unitWith({ refills: 1 }), 0).refills).toBe(1);
    expect(unitAfter(unitWith({ refills: 1, last: { ...last, mark: 101 } }), 0)).toMatchObject({ refills: 1, last: { mark: 100 } });
    expect(unitAfter(unitWith({ refills: 1, last: { ...last, mark: 99 } }), 0).refills).toBe(2);
  });

  it('measures from the watermark of the commit before', () => {
    const asked: string[] = [];
    const growthAfter = (watermark: string): number => asked.push(watermark) * 0;
    commit(guardWith({ ...held, tokens: unitWith({ last }) }), commitWith({}, { growthAfter }));
    expect(asked).toEqual(['c1']);
  });

  it.each(['automatic', 'background'] as const)('counts %s', (kind) => {
    expect(commit(guardWith({ ...held, tokens: unitWith({ last }) }), commitWith({ kind })).tokens.refills).toBe(1);
  });

  it('counts each unit for itself', () => {
    const before = guardWith({ ...held, tokens: unitWith({ refills: 2, last }), messages: unitWith({ refills: 1, last }) });
    const guard = commit(before, commitWith({ unit: 'messages' }, { growth: 5 }));
    expect(guard.messages).toEqual(unitWith({ refills: 2, last: { mark: 100, watermark: 'c9' } }));
    expect(guard.tokens).toBe(before.tokens);
  });
});

describe('C5: tokens wait for a verdict', () => {
  it('and a tripped guard gives each untried model one try', () => {
    const before = trippedGuard(held);
    expect(commit(before, commitWith({ model: 'n' })).proof).toEqual({ size: 120, mark: 100, models: ['m', 'n'] });
    expect(commit(before, commitWith({ model: 'm' })).proof?.models).toEqual(['m']);
    expect(commit(before, commitWith({ model: 'n' })).pending).toEqual({ mark: 100, model: 'n', sinceMs: NOW });
  });

  it('but not one that has a single strike', () => {
    expect(commit(trippedGuard({ ...held, strikes: 1 }), commitWith({ model: 'n' })).proof?.models).toEqual(['m']);
  });

  it('of four models at most', () => {
    const models = ['a', 'b', 'c', 'd'];
    expect(commit(trippedGuard({ ...held, proof: { size: 120, mark: 100, models } }), commitWith({ model: 'e' })).proof?.models).toEqual(
      models,
    );
  });
});

describe('C6: messages are known', () => {
  it('so nothing is pending, and strikes and proof are not theirs', () => {
    const before = trippedGuard({ ...held, pending: { mark: 100, model: 'm', sinceMs: NOW } });
    const guard = commit(before, commitWith({ unit: 'messages', model: 'n' }));
    expect(guard).toEqual({
      ...before,
      view: 'v2',
      lease: undefined,
      pending: undefined,
      messages: unitWith({ last: { mark: 100, watermark: 'c9' } }),
    });
  });
});

describe('C7: too many refills', () => {
  it('rest until 20 % of the mark is added', () => {
    expect(unitAfter(unitWith({ refills: 2, last }), 0)).toMatchObject({ refills: 3, level: 1, rest: restWith({ reason: 'refill' }) });
  });

  it.each([
    [0, 300_000],
    [1, 600_000],
    [2, 1_200_000],
    [3, 2_400_000],
    [4, 3_600_000],
    [9, 3_600_000],
  ])('at level %i for %i ms', (level, periodMs) => {
    expect(unitAfter(unitWith({ refills: 2, last, level }), 0)).toMatchObject({ level: level + 1, rest: { periodMs } });
  });

  it('comes before C8 and C9: a rest is replaced', () => {
    const rest = restWith({ reason: 'undone', size: 1 });
    expect(unitAfter(unitWith({ refills: 3, last, rest, level: 1 }), 15).rest).toEqual(restWith({ periodMs: 600_000 }));
  });
});

describe('C8: a rest that the commit answers', () => {
  const spent: [string, UnitState, number][] = [
    ['nothing_to_compact', unitWith({ rest: restWith({ reason: 'nothing_to_compact', sinceMs: 0 }), level: 2, last, refills: 1 }), 15],
    ['undone', unitWith({ rest: restWith({ reason: 'undone', sinceMs: 0 }), level: 2, last }), 15],
    ['refill, after long growth', unitWith({ rest: restWith({ sinceMs: 0 }), level: 2, last, refills: 3 }), 20],
  ];
  it.each(spent)('%s: gone, and with it the level', (_, tokens, growth) => {
    expect(unitAfter(tokens, growth)).toMatchObject({ rest: undefined, level: 0 });
  });

  it.each(spent)('%s: gone, but the level stays while a strike stands', (_, tokens, growth) => {
    const proof = { size: 120, mark: 100, models: ['m'] };
    expect(unitAfter(tokens, growth, { strikes: 1, proof })).toMatchObject({ rest: undefined, level: 2 });
  });

  it.each(spent)('%s: with two strikes the rest goes on as ineffective, size and step kept (X27)', (_, tokens, growth) => {
    const proof = { size: 120, mark: 100, models: ['m'] };
    const rest = { reason: 'ineffective', sinceMs: NOW, periodMs: 1_200_000, size: 120, step: 20 };
    expect(unitAfter(tokens, growth, { strikes: 2, proof })).toMatchObject({ rest, level: 2 });
  });

  it('in the unit messages two strikes say nothing', () => {
    const messages = unitWith({ rest: restWith({ reason: 'nothing_to_compact', sinceMs: 0 }), level: 1 });
    const guard = commit(trippedGuard({ ...held, messages }), commitWith({ unit: 'messages' }));
    expect(guard.messages).toMatchObject({ rest: undefined, level: 0 });
  });
});

describe('C9: a probe', () => {
  it.each(['ineffective', 'refill'] as const)('%s: the rest begins anew', (reason) => {
    const tokens = unitWith({ rest: restWith({ reason, sinceMs: 0 }), level: 1, last, refills: 1 });
    expect(unitAfter(tokens, 15, { strikes: 2, proof: { size: 120, mark: 100, models: ['m'] } })).toEqual({
      ...tokens,
      last: { mark: 100, watermark: 'c9' },
      rest: restWith({ reason }),
    });
  });
});
