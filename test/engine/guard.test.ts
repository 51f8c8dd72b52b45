// guard(): every state with its reason and its time, the same in every process, and asking never writes (G1, G3).
import { describe, expect, it } from 'vitest';
import { UllageError } from '../../src/core/errors.ts';
import type { Prepared, Session } from '../../src/index.ts';
import { memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf, type Conversation } from '../support/conversation.ts';
import { compacted, grown, makeWorld, settled, usageOf, type World } from '../support/world.ts';

const API = 'openai-chat';

/** Grows and prepares until an automatic compaction is committed; answers each request with the size given by `sizeOf`. */
async function untilCompacted(session: Session, conversation: Conversation, sizeOf: (prepared: Prepared) => number): Promise<Prepared> {
  for (;;) {
    conversation.grow({ steps: 3, resultWords: 250 });
    const prepared = await session.prepare(conversation.ask());
    await session.observe(prepared.id, usageOf(API, sizeOf(prepared)));
    if (prepared.outcome?.status === 'compacted') return prepared;
  }
}

/** A provider that counts more than the threshold whatever is sent. */
const useless = (prepared: Prepared): number => prepared.budget.threshold + 100;

async function guardsAgree(world: World, session: Session) {
  const mine = await session.guard();
  expect(await (await world.session()).guard()).toEqual(mine);
  return mine;
}

describe('guard()', () => {
  it('is clear before anything is sent, and while nothing is held against it', async () => {
    const world = makeWorld();
    const session = await world.session();
    expect(await guardsAgree(world, session)).toEqual({ state: 'clear', decision: 'allow', health: 'ok', strikes: 0 });
    await session.prepare(grown(API, 1).ask());
    expect(await guardsAgree(world, session)).toMatchObject({ state: 'clear', decision: 'allow' });
  });

  it('is pending until the verdict, and says when it stops waiting', async () => {
    const world = makeWorld();
    const { session, prepared } = await compacted(world);
    expect(await guardsAgree(world, session)).toMatchObject({
      state: 'pending',
      decision: 'deferred',
      reason: 'verdict_pending',
      retryAtMs: world.clock.now() + 300_000,
    });
    await session.observe(prepared.id, usageOf(API, prepared.context.tokens));
    expect(await guardsAgree(world, session)).toMatchObject({ state: 'clear', decision: 'allow' });
  });

  it('counts strikes, rests after the second, and probes when the rest is over', async () => {
    const world = makeWorld();
    const session = await world.session();
    const conversation = grown(API, 2);
    await untilCompacted(session, conversation, useless);
    expect(await guardsAgree(world, session)).toMatchObject({ state: 'striking', strikes: 1, decision: 'allow' });
    await untilCompacted(session, conversation, useless);
    const resting = await guardsAgree(world, session);
    expect(resting).toMatchObject({ state: 'resting', strikes: 2, decision: 'blocked', retryAtMs: world.clock.now() + 300_000 });
    expect(['guard_ineffective', 'floor_above_target']).toContain(resting.reason);
    expect(resting.reason === 'guard_ineffective' ? resting.retryTokens : 1).toBeGreaterThan(0);
    await world.clock.advance(300_000);
    expect((await guardsAgree(world, session)).decision).toMatch(resting.reason === 'guard_ineffective' ? /probe/ : /blocked/);
  });

  it('clears with one reading below the mark, durably', async () => {
    const world = makeWorld();
    const session = await world.session();
    const conversation = grown(API, 2);
    await untilCompacted(session, conversation, useless);
    const next = await session.prepare(conversation.ask());
    await session.observe(next.id, usageOf(API, 7_000));
    expect(await guardsAgree(world, session)).toMatchObject({ state: 'clear', strikes: 0, decision: 'allow' });
  });

  it('says guard_undone after an undo, with the hour and the size that end it', async () => {
    const world = makeWorld();
    const { session, prepared } = await compacted(world);
    await session.undo();
    const status = await guardsAgree(world, session);
    expect(status).toMatchObject({ state: 'resting', reason: 'guard_undone', retryAtMs: world.clock.now() + 3_600_000 });
    expect(Math.abs(status.retryTokens! - 0.95 * prepared.budget.usable)).toBeLessThan(2);
  });

  it('says guard_nothing_to_compact after an attempt that found nothing', async () => {
    const world = makeWorld(API, { policy: { tailTokens: 4_000 } });
    const session = await world.session();
    const prepared = await session.prepare(bodyOf(API, [{ role: 'user', content: 'word1 '.repeat(8_000) }]));
    expect(prepared.outcome).toMatchObject({ status: 'no_op' });
    expect(prepared.context.tokens).toBeLessThan(prepared.budget.window);
    expect(await guardsAgree(world, session)).toMatchObject({
      state: 'resting',
      reason: 'guard_nothing_to_compact',
      retryAtMs: world.clock.now() + 300_000,
    });
  });

  it('is compacting while an attempt runs, and not when its holder died', async () => {
    const world = makeWorld();
    const session = await world.session('k', { summarizer: scriptedSummarizer({ type: 'hang' }) });
    const running = session.prepare(grown(API, 5).ask());
    await settled();
    const status = await (await world.session()).guard();
    expect(status).toMatchObject({
      state: 'compacting',
      decision: 'deferred',
      reason: 'in_progress',
      retryAtMs: world.clock.now() + 60_000,
    });
    world.clock.set(world.clock.now() + 60_000);
    expect(await (await world.session()).guard()).toMatchObject({ state: 'clear', decision: 'allow' });
    await world.clock.advance(20_000);
    await running;
  });

  it('names a floor that leaves nothing to gain', async () => {
    const world = makeWorld(API, { policy: { threshold: 6_000, target: 3_000, tailTokens: 4_000 } });
    const session = await world.session();
    await session.prepare(grown(API, 3).ask());
    expect(await guardsAgree(world, session)).toMatchObject({ decision: 'blocked', reason: 'floor_above_target' });
  });

  it('is unreadable while the store is down, and lets no automatic work through (Law 9, G16)', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const session = await world.session();
    await session.prepare(grown(API, 1).ask());
    store.findSession = () => Promise.reject(new UllageError('store_unavailable', 'gone'));
    expect(await session.guard()).toMatchObject({
      state: 'unreadable',
      decision: 'deferred',
      reason: 'store_unavailable',
      health: 'unreadable',
    });
  });

  it('writes nothing', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const { session } = await compacted(world);
    const { conversationId } = (await session.outcomes())[0]!;
    const version = async () => (await store.readGuard({ tenant: 'local', guardKey: conversationId })).version;
    const before = await version();
    for (let ask = 0; ask < 3; ask++) await session.guard();
    expect(await version()).toBe(before);
  });
});
