// Traces about leases, crashes, streaks, keys and clocks. Each is a shortest trace in which looser rules went wrong; here the rules hold.
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { GuardEvent } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { askWith, guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';
import { Play } from './testing/play.ts';
import { SharedRecord } from './testing/shared-record.ts';
import { chainAt, createWorld, currentView, growthAfter, messagesThrough } from './testing/world.ts';

const FLOORED = { hidden: 95 };
const MINUTE_MS = 60_000;
const REST_MS = 300_000;
const DAY_MS = 86_400_000;

describe('X3: a process that dies after every summary call (F20, F21)', () => {
  /** Minutes at which a call was paid for. */
  function paidMinutes(minutes: number, die: (play: Play) => void): number[] {
    const play = new Play(FLOORED);
    const paid: number[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      const { calls } = play.world;
      if (play.begin()) play.do({ do: 'call', agent: 0, isGood: true });
      die(play);
      if (play.world.calls > calls) paid.push(minute);
      play.wait(MINUTE_MS);
    }
    return paid;
  }

  it('pays at most once per cooling period, which grows', () => {
    const paid = paidMinutes(60, (play) => play.do({ do: 'crash', agent: 0 }));
    expect(paid).toEqual([0, 2, 8, 24, 40, 56]);
  });

  it('so does a client that hangs up and tries again, when that aborts the attempt', () => {
    const play = new Play(FLOORED);
    for (let minute = 0; minute < 60; minute++) {
      if (play.begin() && play.world.agents[0]?.at === 'working') play.do({ do: 'abort', agent: 0 });
      play.wait(MINUTE_MS);
    }
    expect(play.guard.paths.summarizer).toMatchObject({ failures: 6, reason: 'aborted' });
  });
});

describe('X8: two processes both saw "allow", and one claims on what it saw', () => {
  it('the claim decides again, on the record it replaces', () => {
    const play = new Play(FLOORED).turn();
    play.do({ do: 'prepare', agent: 0 }, { do: 'prepare', agent: 1 });
    expect(play.world.agents.map(({ at }) => at)).toEqual(['decided', 'decided']);
    play.do({ do: 'claim', agent: 0 }, { do: 'call', agent: 0, isGood: true }, { do: 'commit', agent: 0 });
    play.do({ do: 'answer', request: play.newest.id, how: 'usage' });
    expect(play.guard.strikes).toBe(2);
    play.do({ do: 'claim', agent: 1 });
    expect(play.world.agents[1]).toEqual({ at: 'idle' });
    expect(play.world.calls).toBe(2);
  });
});

describe('X16: facts folds while the summarizer is down', () => {
  it('the path is tried again after 900 s at the latest: nothing latches (F21)', () => {
    const play = new Play();
    for (let i = 0; i < 6; i++) {
      play.append(60, 60).begin();
      play.do({ do: 'call', agent: 0, isGood: false }, { do: 'commit', agent: 0 });
      play.do({ do: 'answer', request: play.newest.id, how: 'usage' }).wait(901_000);
    }
    expect(play.guard.paths.summarizer?.failures).toBe(6);
    play.append(60, 60);
    expect(play.decide()).toEqual({ decision: 'allow', paths: ['summarizer'] });
    play.turn();
    expect(play.guard.paths).toEqual({});
  });
});

describe('X17: results of 30k a turn under a threshold of 100k, and compaction to 45k works every time', () => {
  it('200 rounds are never blocked', () => {
    const play = new Play({ summary: 5 });
    for (let round = 0; round < 200; round++) {
      play.append(30);
      expect(play.decide().decision).not.toBe('blocked');
      play.turn();
    }
    expect(play.selfStarted).toBeGreaterThan(60);
    expect(play.guard.tokens.refills).toBe(0);
  });
});

describe('X18: growth that alternates around one limit', () => {
  it('cannot dodge the refill rest: 9 compactions in 1,200 s, not 60 (F20)', () => {
    const growths = [9.9, 10.1];
    let guard = guardWith();
    let commits = 0;
    for (let second = 0; second < 1_200; second += 20) {
      const now = NOW + second * 1_000;
      const ask = askWith();
      const claimed = reduceGuard(guard, { type: 'claim', ask, attemptId: 'a', path: 'facts' }, now);
      if (claimed.status === 'refused') continue;
      const growth = growths[commits % 2] ?? 0;
      const viewId = `v${commits++}`;
      const commit: GuardEvent = {
        type: 'commit',
        fence: claimed.guard.fence,
        baseView: guard.view,
        viewId,
        ask,
        watermark: viewId,
        growthAfter: () => growth,
        failed: [],
      };
      const committed = reduceGuard(claimed.guard, commit, now).guard;
      guard = reduceGuard(committed, { type: 'observe', reading: { view: viewId, grown: 0, size: 50, model: 'm' } }, now).guard;
    }
    expect(commits).toBeLessThanOrEqual(9);
    expect(guard.tokens.rest?.reason).toBe('refill');
  });
});

describe('X19: many small messages in a large window', () => {
  it('2,000 rounds of message hygiene are never blocked, though tokens hardly grow', () => {
    const play = new Play({ messageLimit: 220, keep: 110, window: 1_000_000, marks: { m: 800_000 } });
    for (let round = 0; round < 2_000; round++) {
      play.append(1);
      const isDue = messagesThrough(play.world, currentView(play.world)) >= 220;
      expect(play.decide({ unit: 'messages' }).decision).toBe(isDue ? 'allow' : 'not_due');
      if (isDue) play.turn('usage', { unit: 'messages' });
    }
    expect(play.selfStarted).toBeGreaterThan(15);
    expect(play.guard.messages).toMatchObject({ refills: 0, rest: undefined });
  });

  it('a rest in tokens does not block it, nor the other way round', () => {
    const rest = restWith();
    const [tokens, messages] = [askWith(), askWith({ unit: 'messages' })];
    const decide = (guard: ReturnType<typeof guardWith>) => [tokens, messages].map((ask) => evaluate(guard, ask, NOW).decision);
    expect(decide(guardWith({ tokens: unitWith({ rest }) }))).toEqual(['blocked', 'allow']);
    expect(decide(guardWith({ messages: unitWith({ rest }) }))).toEqual(['allow', 'blocked']);
  });
});

describe('X20: a lease runs out while its holder works, and another takes it', () => {
  const both = () => {
    const play = new Play();
    play.begin({ agent: 0 });
    play.wait(MINUTE_MS).begin({ agent: 1 });
    expect(play.world.agents.map(({ at }) => at)).toEqual(['working', 'working']);
    return play;
  };

  it.each([
    ['before', [0, 1], [0, 1]],
    ['after', [1, 0], [1, 1]],
  ])('whoever lost the fence cannot commit, %s the other', (_, order, commits) => {
    const play = both();
    const after = order.map((agent) => {
      play.do({ do: 'call', agent, isGood: true }, { do: 'commit', agent });
      return play.world.commits.length;
    });
    expect(after).toEqual(commits);
    expect(play.world.views).toHaveLength(1);
  });

  it('nor can a holder whose base was taken back meanwhile', () => {
    const play = new Play(FLOORED).turn();
    play.begin();
    play.do({ do: 'undo' }, { do: 'call', agent: 0, isGood: true }, { do: 'commit', agent: 0 });
    expect(play.world.commits).toHaveLength(1);
    expect(play.guard.lease).toBeUndefined();
  });
});

describe('X21: two answers are read, modified and written at once', () => {
  const reading = { view: 'v1', grown: 0, size: 120, model: 'm' };
  const waiting = guardWith({ view: 'v1', pending: { mark: 100, model: 'm', sinceMs: NOW } });

  it('one verdict is counted once', () => {
    const record = new SharedRecord(waiting);
    record.apply({ type: 'observe', reading }, NOW, () => record.apply({ type: 'observe', reading }, NOW));
    expect(record.read()).toMatchObject({ strikes: 1, version: 1 });
    expect(record).toMatchObject({ writes: 1, conflicts: 1 });
  });

  it('and none is lost to a write in between', () => {
    const record = new SharedRecord({ ...waiting, fence: 7, lease: { attemptId: 'a', fence: 7, path: 'facts', sinceMs: NOW } });
    record.apply({ type: 'observe', reading }, NOW, () => record.apply({ type: 'renew', fence: 7 }, NOW + 1));
    expect(record.read()).toMatchObject({ strikes: 1, lease: { sinceMs: NOW + 1 }, version: 2 });
  });

  it('of two claims one wins, and the other hears why', () => {
    const record = new SharedRecord(guardWith());
    const claim = (attemptId: string): GuardEvent => ({ type: 'claim', ask: askWith(), attemptId, path: 'facts' });
    const result = record.apply(claim('a'), NOW, () => record.apply(claim('b'), NOW));
    expect(result).toMatchObject({ status: 'refused', decision: { reason: 'in_progress' } });
    expect(record.read().lease?.attemptId).toBe('b');
  });
});

describe('X22: what another agent wrote is seen at the next decision (the half without a store: nothing is remembered between calls)', () => {
  it.each([
    [
      'arm',
      guardWith({ view: 'v2', strikes: 1, proof: { size: 120, mark: 100, models: ['m'] }, pending: { mark: 100, model: 'm', sinceMs: 0 } }),
      120,
      'blocked',
    ],
    ['clear', trippedGuard(), 90, 'allow'],
  ] as const)('%s', (_, guard, size, after) => {
    const record = new SharedRecord(guard);
    const decide = () => evaluate(record.read(), askWith(), NOW).decision;
    expect(decide()).not.toBe(after);
    record.apply({ type: 'observe', reading: { view: 'v2', grown: 0, size, model: 'm' } }, NOW);
    expect(decide()).toBe(after);
  });
});

describe('X23: a conversation is rotated after every compaction', () => {
  it('the child reads and writes the record of its root: two compactions, not twelve', () => {
    const play = new Play(FLOORED);
    for (let i = 0; i < 12; i++) {
      play.turn();
      // The child begins with the summary: none of the parent's positions is in its chain.
      play.world = { ...play.world, entries: [10, 50] };
    }
    expect(play.world.calls).toBe(2);
    expect(play.decide()).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
  });

  it('a position that is not in the chain reads as its first entry', () => {
    const world = { ...createWorld(), entries: [10, 50, 7] };
    expect(growthAfter(world, 'tokens')(chainAt(40))).toBe(57);
    expect(growthAfter(world, 'messages')(chainAt(0))).toBe(2);
  });
});

describe('X24: what may be called exhausted (the half of the guard: "not now" and "never" are told apart)', () => {
  const flags = [false, true];
  const cases = flags.flatMap((rest) =>
    flags.flatMap((lease) =>
      flags.flatMap((pending) =>
        flags.flatMap((cools) => flags.flatMap((gains) => flags.map((readable) => ({ rest, lease, pending, cools, gains, readable })))),
      ),
    ),
  );

  it('in 64 cases an overflow is refused only while another attempt runs, and says so', () => {
    expect(cases).toHaveLength(64);
    for (const { rest, lease, pending, cools, gains, readable } of cases) {
      const guard = guardWith({
        lease: lease ? leaseWith() : undefined,
        pending: pending ? { mark: 100, model: 'm', sinceMs: NOW } : undefined,
        tokens: unitWith({ rest: rest ? restWith() : undefined }),
        paths: cools ? { summarizer: { failures: 1, sinceMs: NOW, periodMs: 60_000, deadlineMs: 20_000, reason: 'rate' } } : {},
      });
      const ask = askWith({ kind: 'overflow', gain: gains ? 80 : 0 });
      const decision = evaluate(readable ? guard : 'unreadable', ask, NOW);
      const isModelOpen = readable && !rest && !cools && gains;
      const allowed = { decision: 'allow', paths: isModelOpen ? ['summarizer'] : [] };
      expect(decision).toEqual(readable && lease ? { decision: 'deferred', reason: 'in_progress', retryAtMs: NOW + MINUTE_MS } : allowed);
    }
  });
});

describe('X25: the clock is set back one day', () => {
  it.each(['ineffective', 'refill', 'nothing_to_compact', 'undone'] as const)(
    'a rest of reason %s ends instead of lasting a day',
    (reason) => {
      const guard = trippedGuard({ tokens: unitWith({ rest: restWith({ reason }) }) });
      expect(['allow', 'probe']).toContain(evaluate(guard, askWith(), NOW - DAY_MS).decision);
    },
  );

  it('a smaller step lengthens it by less than one period', () => {
    const guard = trippedGuard();
    const setBack = NOW - REST_MS + 1;
    expect(evaluate(guard, askWith(), setBack).decision).toBe('blocked');
    expect(evaluate(guard, askWith(), setBack + 2 * REST_MS - 1).decision).toBe('probe');
  });

  it('a lease, a pending verdict and a cooldown end as well', () => {
    const play = new Play(FLOORED).turn('lost');
    play.wait(-DAY_MS);
    expect(play.begin()).toBe(true);
    play.do({ do: 'crash', agent: 0 }).wait(-DAY_MS);
    expect(play.decide()).toMatchObject({ decision: 'allow' });
  });
});

describe('X26: the write of a verdict fails', () => {
  it('it is dropped and not queued: the record still waits, and the next answer decides', () => {
    const play = new Play(FLOORED);
    const { id: unwritten } = play.prepare();
    const before = play.guard;
    play.do({ do: 'answer', request: unwritten, how: 'lost' }, { do: 'crash', agent: 0 });
    expect(play.guard).toEqual(before);
    play.turn();
    expect(play.guard).toMatchObject({ strikes: 1, pending: undefined });
  });

  it('a strike whose clearing was not written is cleared by the next reading', () => {
    const unwritten = { type: 'observe', reading: { view: 'v2', grown: 0, size: 90, model: 'm' } } as const;
    reduceGuard(trippedGuard(), unwritten, NOW);
    expect(reduceGuard(trippedGuard(), unwritten, NOW + 1).guard.strikes).toBe(0);
  });
});

describe('X27: long growth ends a refill rest while two strikes stand', () => {
  it('the strikes get their rest back, so that nothing is free', () => {
    const proof = { size: 120, mark: 100, models: ['m'] };
    const last = { mark: 100, watermark: chainAt(0) };
    const tokens = unitWith({ rest: restWith({ sinceMs: 0 }), refills: 3, level: 2, last });
    const play = new Play({ hidden: 40 });
    play.world = { ...play.world, guard: guardWith({ view: 'v0', strikes: 2, proof, tokens }) };
    play.turn('unknown');
    expect(play.guard).toMatchObject({
      strikes: 2,
      tokens: { refills: 0, level: 2, rest: { reason: 'ineffective', periodMs: 1_200_000 } },
    });
    for (let i = 0; i < 5; i++) play.turn('unknown');
    expect(play.selfStarted).toBe(1);
    expect(play.decide()).toMatchObject({ decision: 'blocked', reason: 'guard_ineffective' });
  });
});
