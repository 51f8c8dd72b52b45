// A chain [slow, down, small, good] in a process that is killed between any two steps: one summary is committed, what failed cools, and no turn
// waits longer than the deadline (F21, F24).
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.ts';
import { memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { mortalStore } from '../support/mortal-store.ts';
import { grown, makeWorld, settled, type World } from '../support/world.ts';

const API = 'openai-chat';
const DEADLINE_MS = 20_000;
const LEASE_MS = 60_000;

function chain() {
  return {
    slow: scriptedSummarizer({ type: 'hang' }, { id: 'slow' }),
    down: scriptedSummarizer({ type: 'status', status: 503 }, { id: 'down' }),
    small: scriptedSummarizer({ type: 'text' }, { id: 'small', windowTokens: 1_200 }),
    good: scriptedSummarizer({ type: 'text' }, { id: 'good' }),
  };
}

/** Prepares while time passes; undefined when the process died of it. `waitedMs` is what the turn cost. */
async function turn(world: World, store: Store, isDead: () => boolean = () => false) {
  const summarizers = chain();
  const startedAtMs = world.clock.now();
  const session = world.ullage({ store, summarizer: Object.values(summarizers) }).session('k');
  let ended: Awaited<ReturnType<Awaited<typeof session>['prepare']>> | undefined;
  const body = grown(API, 5).ask();
  void session
    .then((opened) => opened.prepare(body))
    .then((prepared) => {
      ended = prepared;
    });
  for (let second = 0; second < 100 && !ended; second++) {
    await settled();
    if (isDead()) break;
    if (!ended) await world.clock.advance(1_000);
  }
  return { prepared: ended, waitedMs: world.clock.now() - startedAtMs, summarizers };
}

async function stored(store: Store) {
  const row = await store.findSession({ tenant: 'local', key: 'k' });
  const conversationId = row?.currentConversationId;
  if (!row || conversationId === undefined) return undefined;
  const { guard } = await store.loadConversation({ tenant: 'local', conversationId });
  const outcomes = await store.outcomes({ tenant: 'local', sessionId: row.sessionId, limit: 50 });
  return { guard, commits: outcomes.filter((outcome) => outcome.status === 'compacted') };
}

describe('a chain [slow, down, small, good]', () => {
  it('ends in a summary of the last; each that failed cools by its own deadline, and the turn waits half of it for the slow one', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const { prepared, waitedMs, summarizers } = await turn(world, store);
    expect(prepared!.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(waitedMs).toBe(DEADLINE_MS / 2);
    const { slow, down, small, good } = summarizers;
    expect([slow, down, small, good].map((summarizer) => summarizer.calls)).toEqual([1, 1, 0, 1]);
    expect((await stored(store))!.guard.paths).toMatchObject({
      slow: { reason: 'timeout', periodMs: 60_000, deadlineMs: DEADLINE_MS / 2 },
      down: { reason: 'rate', periodMs: 60_000 },
      small: { reason: 'overflow', periodMs: 60_000 },
    });
    expect(Object.keys((await stored(store))!.guard.paths)).not.toContain('good');
  });

  it('two slow ones use up the deadline: the facts are committed, and the next attempt begins with the others', async () => {
    const slow = (id: string) => scriptedSummarizer({ type: 'hang' }, { id });
    const world = makeWorld(API, { summarizer: [slow('a'), slow('b'), scriptedSummarizer({ type: 'text' }, { id: 'good' })] });
    const preparing = (await world.session()).prepare(grown(API, 5).ask());
    await settled();
    await world.clock.advance(DEADLINE_MS);
    expect((await preparing).outcome).toMatchObject({ status: 'compacted', summary: 'facts', durationMs: DEADLINE_MS });
    expect((await stored(world.store))!.guard.paths).toMatchObject({ a: { reason: 'timeout' }, b: { reason: 'timeout' } });
  });

  it('killed between any two steps commits one summary, and cools what it was at when it died', async () => {
    const whole = mortalStore(memoryStore(), Number.POSITIVE_INFINITY, 'before');
    await turn(makeWorld(API, { store: whole.store }), whole.store);
    expect(whole.calls).toBeGreaterThan(10);
    for (let lastCall = 1; lastCall <= whole.calls; lastCall++) {
      for (const when of ['before', 'after'] as const) {
        const store = memoryStore();
        const world = makeWorld(API, { store });
        const mortal = mortalStore(store, lastCall, when);
        await turn(world, mortal.store, () => mortal.isDead);
        const left = await stored(store);
        const isHeld = left?.guard.lease !== undefined;
        const pathAtDeath = left?.guard.lease?.path;
        if (isHeld) await world.clock.advance(LEASE_MS);
        const next = await turn(world, store);
        expect(next.waitedMs).toBeLessThanOrEqual(DEADLINE_MS);
        const after = (await stored(store))!;
        expect([lastCall, when, after.commits.length]).toEqual([lastCall, when, 1]);
        expect(after.commits[0]!.summary).toBe(pathAtDeath === 'good' ? 'facts' : 'model');
        expect(after.guard.lease).toBeUndefined();
        if (pathAtDeath && !['none', 'facts'].includes(pathAtDeath))
          expect(after.guard.paths[pathAtDeath]).toMatchObject({ failures: 1, reason: 'lease_expired' });
      }
    }
  });
});
