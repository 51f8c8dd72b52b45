// The invariants on long random walks of three processes, and those that need more than one step. One transition is judged in testing/.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTripped } from './derive.ts';
import { GUARD_DEFAULTS, type Guard, type GuardEvent } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { type Action, act, type Transition } from './testing/act.ts';
import { askWith, guardWith, NOW, restWith } from './testing/fixtures.ts';
import { broken, type InvariantId, isBounded } from './testing/invariants.ts';
import { choices, type Menu, MINUTE_MS } from './testing/menu.ts';
import { Play } from './testing/play.ts';
import { SharedRecord } from './testing/shared-record.ts';
import { createWorld, type Setup, type World } from './testing/world.ts';

/** Walks are not shrunk: the exploration finds the short traces. */
const RUNS = { seed: 20_260_102, numRuns: 100, endOnFailure: true };
const REST_MS = 300_000;
const DAY_MS = 86_400_000;

interface Ground {
  readonly setup: Partial<Setup>;
  readonly menu: Menu;
  readonly isPossible?: (world: World) => (action: Action) => boolean;
}

/** Two models, both units, every kind, growth, undo, refusals, a clock that jumps. */
const EVERYTHING: Ground = {
  setup: { hidden: 60, marks: { m: 100, n: 130, o: 110, p: 115, q: 125 }, messageLimit: 4, window: 400 },
  menu: {
    kinds: ['automatic', 'automatic', 'background', 'manual', 'overflow'],
    units: ['tokens', 'tokens', 'messages'],
    models: ['m', 'm', 'n', 'o', 'p', 'q'],
    grows: [5, 30],
    canUndo: true,
    canOverflow: true,
    ticks: [20_000, MINUTE_MS, REST_MS, 4 * REST_MS, -MINUTE_MS, -DAY_MS],
    maxInFlight: 4,
    maxEntries: 40,
  },
};

/** Nothing that is folded helps, and nothing grows. */
const FLOORED: Ground = { setup: { hidden: 95 }, menu: { ticks: [MINUTE_MS, REST_MS], maxInFlight: 3 } };

/** The newest entry decides whether a compaction helps: some strike, some clear. */
const TURNING: Ground = { setup: { hidden: 60 }, menu: { grows: [5, 30], maxEntries: 60, ticks: [MINUTE_MS, REST_MS] } };

/** A walk that takes, of all that can happen next, the one that each number points to. */
function walk(
  { setup, menu, isPossible = () => () => true }: Ground,
  picks: readonly number[],
  visit: (transition: Transition) => void,
): void {
  picks.reduce<World>(
    (world, pick) => {
      const actions = choices(menu, world).filter(isPossible(world)).flatMap(likely);
      const step = act(world, actions[pick % actions.length] as Action);
      step.transitions.forEach(visit);
      return step.world;
    },
    createWorld(setup, 3),
  );
}

/** What brings an attempt to its end is taken more often, so that walks get somewhere. */
function likely(action: Action): Action[] {
  const isForward = action.do === 'claim' || action.do === 'commit' || (action.do === 'call' && action.isGood);
  return isForward || (action.do === 'answer' && action.how === 'usage') ? [action, action, action, action] : [action];
}

/** Cheaper than an expectation, of which there would be a million. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const picks = fc.array(fc.nat(9_999), { minLength: 60, maxLength: 150, size: 'max' });

const SAYS: Readonly<Record<InvariantId, string>> = {
  G2: 'strikes and proof come together, two strikes rest, a pending verdict is about the newest view',
  G3: 'an event that changes nothing writes nothing',
  G4: 'at most one live lease, claimed only on allow or probe at its own now',
  G5: 'at most one commit per base view, and a refused attempt changes nothing',
  G6: 'no automatic token commit between an automatic commit and its verdict, but after verdictWaitMs',
  G7: 'a strike needs a request of that very view over the mark without what was added, once per commit',
  G8: 'a strike is cleared only by a reading of the current view, under its mark, by a model it was judged with',
  G10: 'while over the mark an attempt becomes possible by time alone',
  G11: 'manual and overflow change no streak and are never blocked',
  G12: 'a probe leaves the guard tripped, and a dead holder blocks for leaseMs at most',
  G13: 'an overflow is never blocked, only deferred, so that exhausted cannot be said of a deferral (the half of the guard)',
  G16: 'an unreadable record lets nothing automatic through (the half without a store)',
  G17: 'each unit has its own streaks and rest, each attempt is judged at its own mark',
};

describe('on random walks', () => {
  const seen = new Set<string>();
  const faults = new Map<InvariantId, string>();

  beforeAll(() => {
    const grounds = [EVERYTHING, FLOORED, TURNING];
    for (const [index, path] of fc.sample(picks, { seed: 20_260_103, numRuns: 450 }).entries()) {
      walk(grounds[index % grounds.length] as Ground, path, (transition) => {
        note(seen, transition);
        for (const id of broken(transition)) faults.set(id, `walk ${index}: ${transition.event.type}`);
      });
    }
  }, 60_000);

  it.each(Object.entries(SAYS) as [InvariantId, string][])('%s: %s', (id) => {
    expect(faults.get(id)).toBeUndefined();
  });

  it('the walks reach what the invariants are about', () => {
    const events = ['claim', 'renew', 'path', 'commit', 'end-failed', 'end-noop', 'end-superseded'];
    const reached = [
      ...events.flatMap((type) => [`${type} accepted`, `${type} refused`]),
      ...['undo accepted', 'observe accepted', 'overflow-verdict accepted', 'struck', 'cleared'],
      ...['allow', 'probe', 'blocked', 'deferred'].map((decision) => `decided ${decision}`),
      ...['ineffective', 'refill', 'nothing_to_compact', 'undone'].map((reason) => `rest ${reason}`),
    ];
    expect([...seen].sort()).toEqual(reached.sort());
  });
});

function note(seen: Set<string>, { before, event, result, after }: Transition): void {
  seen.add(`${event.type} ${result.status}`);
  if (result.decision) seen.add(`decided ${result.decision.decision}`);
  if (after.guard.strikes !== before.guard.strikes) seen.add(after.guard.strikes > before.guard.strikes ? 'struck' : 'cleared');
  for (const { rest } of [after.guard.tokens, after.guard.messages]) if (rest) seen.add(`rest ${rest.reason}`);
}

describe('G9: an incompressible floor over the mark, nothing grows (F03, F20)', () => {
  it('at most four automatic commits at once whatever happens, then one per rest', () => {
    fc.assert(
      fc.property(picks, (path) => {
        walk(FLOORED, path, (transition) => must(isBounded(transition), 'a fifth commit'));
      }),
      { ...RUNS, numRuns: 200 },
    );
  });

  it('at most two when every answer comes, then one per rest, each longer than the one before', () => {
    const ground: Ground = {
      ...FLOORED,
      menu: { ...FLOORED.menu, canFail: false },
      isPossible: (world) => (action) => action.do !== 'tick' || world.requests.length === 0,
    };
    fc.assert(
      fc.property(picks, (path) => {
        const commits: number[] = [];
        walk(ground, path, ({ event, result, before }) => {
          if (event.type === 'commit' && result.status === 'accepted') commits.push(before.nowMs);
        });
        for (const [index, at] of commits.entries()) {
          const period = GUARD_DEFAULTS.restMs[Math.min(Math.max(index - 2, 0), 4)] ?? 0;
          const before = commits[index - 1] ?? 0;
          must(index < 2 || at - before >= period, `commit ${index} after ${at - before} ms`);
        }
      }),
      { ...RUNS, numRuns: 200 },
    );
  });

  it('a greedy client: two commits at once, and six within two hours', () => {
    const play = new Play({ hidden: 95 });
    const minutes: number[] = [];
    for (let minute = 0; minute < 120; minute++) {
      const before = play.selfStarted;
      play.turn().turn();
      minutes.push(...Array<number>(play.selfStarted - before).fill(minute));
      play.wait(MINUTE_MS);
    }
    // The fourth is a refill rest as well, so the level moves by two.
    expect(minutes).toEqual([0, 0, 5, 15, 55, 115]);
  });

  it('deaths before the commit add one call per cooling period', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 60, maxLength: 60, size: 'max' }), (moods) => {
        const play = new Play({ hidden: 95 });
        let paidAt = Number.NEGATIVE_INFINITY;
        for (const mood of moods) {
          const { calls } = play.world;
          if (play.begin()) play.do({ do: 'call', agent: 0, isGood: mood > 0 }, { do: 'crash', agent: 0 });
          if (play.world.calls > calls) {
            expect(play.world.nowMs - paidAt).toBeGreaterThanOrEqual(2 * MINUTE_MS);
            paidAt = play.world.nowMs;
          }
          play.wait(MINUTE_MS / 2);
        }
        expect(play.world.calls).toBeLessThanOrEqual(4);
      }),
      { ...RUNS, numRuns: 20 },
    );
  });
});

describe('G10: an attempt becomes possible again', () => {
  const tripped = () => new Play({ hidden: 95, marks: { m: 100, n: 100, big: 170 } }).turn().turn();

  it('by time, by long growth, by an untried model, by a larger mark, by another agent’s clear', () => {
    expect(tripped().decide().decision).toBe('blocked');
    expect(tripped().wait(REST_MS).decide().decision).toBe('probe');
    expect(tripped().append(20).decide().decision).toBe('probe');
    expect(tripped().append(19).decide().decision).toBe('blocked');
    expect(tripped().decide({ model: 'n' }).decision).toBe('probe');
    const larger = tripped();
    larger.world = { ...larger.world, setup: { ...larger.world.setup, marks: { m: 180 } }, entries: [50, 69] };
    expect(larger.decide().decision).toBe('probe');
    const cleared = tripped();
    cleared.world = { ...cleared.world, requests: [{ id: 90, view: cleared.guard.view, grown: 0, size: 99, model: 'm' }] };
    expect(cleared.do({ do: 'answer', request: 90, how: 'usage' }).decide({ agent: 1 }).decision).toBe('allow');
  });
});

describe('G12: a probe', () => {
  it.each([
    ['dies before its call', (play: Play) => play.do({ do: 'crash', agent: 0 })],
    ['dies after its call', (play: Play) => play.do({ do: 'call', agent: 0, isGood: true }, { do: 'crash', agent: 0 })],
  ])('that %s blocks for leaseMs, and the next one is a probe too', (_, die) => {
    const play = new Play({ hidden: 95 }).turn().turn().wait(REST_MS);
    expect(play.begin()).toBe(true);
    die(play);
    expect(play.wait(MINUTE_MS - 1).decide().decision).toBe('deferred');
    expect(play.wait(1).decide().decision).toBe('probe');
    expect(isTripped(play.guard)).toBe(true);
  });
});

/** Commits one after another, each after so much growth in per cent of the mark, all of them effective. */
function commitSeries(growths: readonly number[]): Guard {
  return growths.reduce(commitOnce, guardWith());
}

function commitOnce(guard: Guard, growth: number, index: number): Guard {
  const now = NOW + index;
  const viewId = `v${index}`;
  const fence = guard.fence + 1;
  const held = { ...guard, fence, lease: { attemptId: 'a', fence, path: 'facts', sinceMs: now } };
  const growthAfter = () => growth;
  const ask = askWith();
  const commit: GuardEvent = { type: 'commit', fence, baseView: guard.view, viewId, ask, watermark: viewId, growthAfter, failed: [] };
  const reading = { view: viewId, grown: 0, size: 50, model: 'm' };
  return reduceGuard(reduceGuard(held, commit, now).guard, { type: 'observe', reading }, now).guard;
}

describe('G14: what trips the refill rest', () => {
  it('ordinary growth never does', () => {
    const ordinary = fc.array(fc.double({ min: 20, max: 500, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(ordinary, (growths) => {
        const { refills, rest } = commitSeries(growths).tokens;
        expect({ refills, rest }).toEqual({ refills: 0, rest: undefined });
      }),
      RUNS,
    );
  });

  it('growth below the long one, with a short one now and then, always does', () => {
    const windows = fc.array(
      fc.tuple(fc.double({ min: 0, max: 9.99, noNaN: true }), fc.array(fc.double({ min: 0, max: 19.99, noNaN: true }))),
      {
        minLength: 3,
        maxLength: 10,
      },
    );
    fc.assert(
      fc.property(windows, (parts) => {
        const growths = [100, ...parts.flatMap(([short, others]) => [...others, short])];
        expect(commitSeries(growths).tokens.rest?.reason).toBe('refill');
      }),
      RUNS,
    );
  });
});

describe('G15: parent, rotated child and continuation share one record (the half without a store: nothing in it names a conversation)', () => {
  it('what the child proves binds the parent', () => {
    const record = new SharedRecord(guardWith({ view: 'v1', strikes: 1, proof: { size: 120, mark: 100, models: ['m'] } }));
    const [parent, child] = [record, record];
    const claim: GuardEvent = { type: 'claim', ask: askWith(), attemptId: 'child', path: 'facts' };
    const { fence } = child.apply(claim, NOW).guard;
    const commit: GuardEvent = {
      type: 'commit',
      fence,
      baseView: 'v1',
      viewId: 'v2',
      ask: askWith(),
      watermark: 'child-1',
      growthAfter: () => 50,
      failed: [],
    };
    child.apply(commit, NOW);
    child.apply({ type: 'observe', reading: { view: 'v2', grown: 0, size: 120, model: 'm' } }, NOW);
    expect(parent.apply({ ...claim, attemptId: 'parent' }, NOW)).toMatchObject({
      status: 'refused',
      decision: { reason: 'guard_ineffective' },
    });
    expect(parent.read().tokens.rest).toEqual(restWith({ reason: 'ineffective' }));
  });
});
