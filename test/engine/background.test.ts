// Background preparation: after a response that passed the soft mark, the same attempt that the threshold would make, while nobody waits.
import { describe, expect, it } from 'vitest';
import type { CompactionOutcome, UllageOptions } from '../../src/index.ts';
import { memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { makeConversation } from '../support/conversation.ts';
import { mortalStore } from '../support/mortal-store.ts';
import { exchange, makeWorld, settled, usageOf, type World } from '../support/world.ts';

const API = 'openai-chat';
const BACKGROUND: Partial<UllageOptions> = { policy: { tailTokens: 2_000, background: true } };

/** A conversation whose next request lies between the soft mark and the threshold. */
async function nearThreshold(world: World, options: Partial<UllageOptions>) {
  const conversation = makeConversation(API, 21);
  for (let turn = 0; turn < 60; turn++) {
    conversation.grow({ steps: 1, resultWords: 120 });
    const ask = conversation.ask();
    const session = await makeWorld(API, { models: { window: 20_000, maxOutputTokens: 2_000 } }).session('probe', {
      policy: { tailTokens: 2_000 },
    });
    const { context, budget } = await session.prepare(ask);
    if (context.tokens < budget.soft) continue;
    expect(context.tokens).toBeLessThan(budget.threshold);
    return { conversation, ask, session: await world.session('k', options), tokens: context.tokens };
  }
  throw new Error('The soft mark was never passed.');
}

const compactionsOf = async (world: World): Promise<readonly CompactionOutcome[]> =>
  (await (await world.session()).outcomes()).filter((outcome) => outcome.status === 'compacted');

describe('background preparation', () => {
  it('is off by default: between the marks nothing happens', async () => {
    const world = makeWorld();
    const { session, ask } = await nearThreshold(world, {});
    await exchange(session, API, ask);
    await settled();
    expect(await compactionsOf(world)).toEqual([]);
  });

  it('starts after the response, and the next request finds it done without waiting', async () => {
    const summarizer = scriptedSummarizer({ type: 'text' }, { id: 'a' });
    const world = makeWorld(API);
    const { session, ask, conversation, tokens } = await nearThreshold(world, { ...BACKGROUND, summarizer });
    const prepared = await session.prepare(ask);
    expect(prepared.outcome).toBeUndefined();
    expect(summarizer.calls).toBe(0);
    await session.observe(prepared.id, usageOf(API, tokens));
    await settled();
    expect(summarizer.calls).toBe(1);
    expect(await compactionsOf(world)).toMatchObject([{ triggerReason: 'background', summary: 'model', fitsThreshold: true }]);
    const next = await session.prepare(conversation.ask());
    expect(next.outcome).toBeUndefined();
    expect(next.text).toContain('<ullage-summary>');
    expect(next.context.tokens).toBeLessThan(next.budget.soft);
    expect(summarizer.calls).toBe(1);
  });

  it('is the same through send, and nothing is started below the soft mark', async () => {
    const world = makeWorld(API);
    const { session, ask, tokens } = await nearThreshold(world, BACKGROUND);
    const answer = (counted: number) => async () => ({ choices: [{ message: { content: 'ok' } }], usage: usageOf(API, counted) });
    await session.send(ask, answer(Math.round(tokens / 2)));
    await settled();
    expect(await compactionsOf(world)).toEqual([]);
    await session.send(ask, answer(tokens));
    await settled();
    expect(await compactionsOf(world)).toHaveLength(1);
  });

  it('does the same after a restart: another process may observe, and what was begun and died is begun again', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const { session, ask, tokens } = await nearThreshold(world, BACKGROUND);
    const prepared = await session.prepare(ask);
    const dying = scriptedSummarizer({ type: 'hang' }, { id: 'a' });
    const mortal = mortalStore(store, Number.POSITIVE_INFINITY, 'after');
    const dead = await world.session('k', { ...BACKGROUND, store: mortal.store, summarizer: dying });
    await dead.observe(prepared.id, usageOf(API, tokens));
    await settled();
    expect(dying.calls).toBe(1);
    mortal.kill();
    expect((await session.guard()).state).toBe('compacting');
    await world.clock.advance(60_000);
    const good = scriptedSummarizer({ type: 'text' }, { id: 'b' });
    const living = await world.session('k', { ...BACKGROUND, summarizer: [scriptedSummarizer({ type: 'text' }, { id: 'a' }), good] });
    const again = await living.prepare(ask);
    await living.observe(again.id, usageOf(API, tokens));
    await settled();
    expect(good.calls).toBe(1);
    expect(await compactionsOf(world)).toMatchObject([{ triggerReason: 'background', summary: 'model' }]);
  });

  it('gives a model more time than a turn would; a cooldown learnt in a turn does not bind it', async () => {
    const world = makeWorld(API);
    const slow = scriptedSummarizer({ type: 'hang' }, { id: 'a' });
    const { session, ask, tokens } = await nearThreshold(world, { ...BACKGROUND, summarizer: slow });
    const prepared = await session.prepare(ask);
    await session.observe(prepared.id, usageOf(API, tokens));
    await settled();
    await world.clock.advance(60_000);
    expect(slow.aborted).toBe(0);
    await world.clock.advance(60_000);
    await settled();
    expect(slow.aborted).toBe(1);
    expect(await compactionsOf(world)).toMatchObject([{ triggerReason: 'background', summary: 'facts' }]);
  });

  it('never asks a summarizer that writes on its caller’s account, and without another leaves the work to the turn (F34)', async () => {
    const callers = Object.assign(scriptedSummarizer({ type: 'text' }, { id: 'callers' }), { hasCaller: () => true });
    const own = scriptedSummarizer({ type: 'text' }, { id: 'own' });
    for (const [summarizer, commits] of [
      [[callers], 0],
      [[callers, own], 1],
    ] as const) {
      const world = makeWorld(API);
      const { session, ask, tokens } = await nearThreshold(world, { ...BACKGROUND, summarizer });
      const prepared = await session.prepare(ask);
      await session.observe(prepared.id, usageOf(API, tokens));
      await settled();
      expect(await compactionsOf(world)).toHaveLength(commits);
    }
    expect([callers.calls, own.calls]).toEqual([0, 1]);
  });

  it('ends with close: nothing is committed, the lease is free, and the path cools (F2)', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const { ask, tokens } = await nearThreshold(world, BACKGROUND);
    const hanging = scriptedSummarizer({ type: 'hang' }, { id: 'a' });
    const ullage = world.ullage({ ...BACKGROUND, summarizer: hanging });
    const session = await ullage.session('k');
    const prepared = await session.prepare(ask);
    await session.observe(prepared.id, usageOf(API, tokens));
    await settled();
    expect(hanging.calls).toBe(1);
    await ullage.close();
    expect(hanging.aborted).toBe(1);
    expect(world.clock.pendingWaits).toBe(0);
    await store.open();
    const row = (await store.findSession({ tenant: 'local', key: 'k' }))!;
    const { guard } = await store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! });
    expect(guard.lease).toBeUndefined();
    expect(guard.view).toBeUndefined();
    expect(guard.paths).toMatchObject({ a: { failures: 1, reason: 'aborted' } });
    expect(await session.outcomes()).toMatchObject([{ status: 'failed', reason: 'cancelled', triggerReason: 'background' }]);
  });

  it('is judged at the soft mark, and a useless one is not repeated at every response (G17)', async () => {
    const world = makeWorld(API);
    const { session, ask, conversation, tokens } = await nearThreshold(world, BACKGROUND);
    const observe = async (body: object) => {
      const prepared = await session.prepare(body);
      // A provider that always measures as much: an effect that no estimate knows of.
      await session.observe(prepared.id, usageOf(API, tokens));
      await settled();
    };
    await observe(ask);
    for (let turn = 0; turn < 6; turn++) {
      await observe(conversation.ask());
      await world.clock.advance(1_000);
    }
    expect((await compactionsOf(world)).length).toBeLessThanOrEqual(2);
  });

  it('leaves a conversation alone that has gone on since', async () => {
    const world = makeWorld(API);
    const { session, ask, conversation, tokens } = await nearThreshold(world, BACKGROUND);
    const prepared = await session.prepare(ask);
    await session.prepare(conversation.ask());
    await session.observe(prepared.id, usageOf(API, tokens));
    await settled();
    expect(await compactionsOf(world)).toEqual([]);
  });

  it('is not an option that is taken for something else', () => {
    expect(() => makeWorld().ullage({ policy: { background: 'yes' as never } })).toThrow(/background/);
  });
});
