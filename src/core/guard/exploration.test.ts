// Every interleaving of two processes up to a depth: crashes between any two steps, late, lost and unknown answers, steps of the clock.
// The number of states reached is part of each test, so that none can become empty.
import { describe, expect, it } from 'vitest';
import { type Action, act } from './testing/act.ts';
import { explore } from './testing/explore.ts';
import { broken, isBounded } from './testing/invariants.ts';
import { choices, type Menu, MINUTE_MS } from './testing/menu.ts';
import { createWorld, type Setup } from './testing/world.ts';

interface Part {
  readonly setup: Partial<Setup>;
  readonly menu: Menu;
  /** What happened before. */
  readonly prelude?: readonly Action[];
  readonly depth: number;
  /** Different states that must be reached at least. */
  readonly minStates: number;
}

const REST_MS = 5 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The whole request is over the threshold whatever is folded. */
const FLOORED = { hidden: 95 };

/** A whole automatic compaction, and the answer to the request that follows it: a strike over a floor. */
const compaction = (request: number, how: 'usage' | 'unknown' = 'usage'): Action[] => [
  { do: 'prepare', agent: 0 },
  { do: 'claim', agent: 0 },
  { do: 'call', agent: 0, isGood: true },
  { do: 'commit', agent: 0 },
  { do: 'answer', request, how },
];
const AFTER_REST: Action[] = [{ do: 'tick', ms: REST_MS }];
const ONE_STRIKE = compaction(0);
const TRIPPED = [...compaction(0), ...compaction(1)];
/** Two strikes, and the rest of a refill streak over theirs. */
const REFILLED = [TRIPPED, AFTER_REST, compaction(2, 'unknown'), AFTER_REST, compaction(3, 'unknown')].flat();

const PARTS: Readonly<Record<string, Part>> = {
  'an incompressible floor': { setup: FLOORED, menu: {}, depth: 11, minStates: 6_000 },
  'a floor after one strike, the clock set back': {
    setup: FLOORED,
    menu: { ticks: [-MINUTE_MS, REST_MS, -DAY_MS] },
    prelude: ONE_STRIKE,
    depth: 9,
    minStates: 3_000,
  },
  'a tripped guard': { setup: FLOORED, menu: {}, prelude: TRIPPED, depth: 11, minStates: 5_000 },
  'people, refusals and undo over a floor': {
    setup: { ...FLOORED, window: 150 },
    menu: { kinds: ['automatic', 'manual', 'overflow'], canUndo: true, canOverflow: true, ticks: [REST_MS], maxInFlight: 1 },
    depth: 9,
    minStates: 3_000,
  },
  'growth under a compaction that works': {
    setup: {},
    menu: { grows: [15, 60], ticks: [REST_MS] },
    depth: 7,
    minStates: 6_000,
  },
  'two models after one strike': {
    setup: { ...FLOORED, marks: { m: 100, n: 130 } },
    menu: { models: ['m', 'n'], ticks: [REST_MS] },
    prelude: ONE_STRIKE,
    depth: 10,
    minStates: 6_000,
  },
  'background work between the marks': {
    setup: { hidden: 65 },
    menu: { kinds: ['automatic', 'background'], grows: [20] },
    depth: 7,
    minStates: 5_000,
  },
  'growth over a floor, two strikes and a refill rest': {
    setup: FLOORED,
    menu: { grows: [25], ticks: [REST_MS] },
    prelude: REFILLED,
    depth: 9,
    minStates: 1,
  },
  'tokens and messages': {
    setup: { ...FLOORED, messageLimit: 2 },
    menu: { units: ['tokens', 'messages'], ticks: [REST_MS] },
    depth: 9,
    minStates: 2_500,
  },
};

describe('bounded exploration', () => {
  it.each(Object.entries(PARTS))('%s', (name, { setup, menu, prelude = [], depth, minStates }) => {
    const { states, transitions, failure } = explore({
      begin: prelude.reduce((world, action) => act(world, action).world, createWorld(setup)),
      actions: (world) => choices(menu, world),
      depth,
      broken: (transition) => [...broken(transition), ...(menu.grows === undefined && !isBounded(transition) ? ['G9'] : [])],
    });
    process.stdout.write(`guard exploration, ${name}: ${states} states, ${transitions} events\n`);
    expect(failure).toBeUndefined();
    expect(states).toBeGreaterThanOrEqual(minStates);
  });

  it('finds what is there: the shortest way to a second automatic commit', () => {
    const found = explore({
      begin: createWorld(FLOORED),
      actions: (world) => choices({}, world),
      depth: 9,
      broken: ({ after }) => (after.commits.length >= 2 ? ['two commits'] : []),
    });
    expect(found.failure?.trace.filter((action) => action.do === 'commit')).toHaveLength(2);
  });
});
