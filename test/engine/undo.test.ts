// undo: the newest fold and prunes come back, stay back, and automatic work rests until it must not.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import type { Prepared } from '../../src/index.ts';
import { compacted, exchange, grown, makeWorld, marksOf, usageOf } from '../support/world.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

describe.each(APIS)('undo in %s', (api) => {
  it('sends everything as it came again, also in another process', async () => {
    const world = makeWorld(api);
    const { session, body, prepared } = await compacted(world);
    expect(marksOf(prepared).length).toBeLessThan(marksOf({ body }).length);
    const undone = await session.undo();
    expect(undone.viewId).toBe(prepared.outcome!.viewId);
    expect(undone.restoredMessages).toBeGreaterThan(10);
    for (const reader of [session, await world.session()]) {
      const again = await reader.prepare(body);
      expect(marksOf(again)).toEqual(marksOf({ body }));
      expect(again.outcome).toMatchObject({ status: 'blocked', reason: 'guard_undone' });
    }
  });
});

describe('undo', () => {
  it('rests until the context reaches 95 % of usable (X11)', async () => {
    const world = makeWorld();
    const { session, conversation } = await compacted(world);
    await session.undo();
    const seen: (string | undefined)[] = [];
    let last: Prepared | undefined;
    while (last?.outcome?.status !== 'compacted') {
      last = await session.prepare(conversation.ask());
      const { tokens } = last.context;
      if (last.outcome?.status === 'blocked') expect(tokens).toBeLessThan(0.95 * last.budget.usable + 1);
      else expect(last.outcome!.oldRequestTokens).toBeGreaterThanOrEqual(Math.floor(0.95 * last.budget.usable));
      seen.push(last.outcome?.status);
      conversation.grow({ steps: 1, resultWords: 60 });
    }
    expect(seen.filter((status) => status === 'blocked').length).toBeGreaterThan(0);
  });

  it('rests an hour at most, and the refused fold is not made again', async () => {
    const world = makeWorld();
    const { session, conversation, prepared } = await compacted(world);
    const view = (await world.store.view({ tenant: 'local', viewId: prepared.outcome!.viewId! }))!;
    await session.undo();
    const guard = await session.guard();
    expect(guard).toMatchObject({
      state: 'resting',
      decision: 'blocked',
      reason: 'guard_undone',
      retryAtMs: world.clock.now() + 3_600_000,
    });
    await world.clock.advance(3_599_000);
    expect((await session.prepare(conversation.ask())).outcome).toMatchObject({ status: 'blocked', reason: 'guard_undone' });
    await world.clock.advance(1_000);
    const again = await session.prepare(conversation.ask());
    expect(again.outcome?.status).toBe('compacted');
    const next = (await world.store.view({ tenant: 'local', viewId: again.outcome!.viewId! }))!;
    expect(next.body.fold!.toChain).not.toBe(view.body.fold!.toChain);
  });

  it('leaves manual compaction alone, which folds elsewhere', async () => {
    const world = makeWorld();
    const { session, body, prepared } = await compacted(world);
    const before = (await world.store.view({ tenant: 'local', viewId: prepared.outcome!.viewId! }))!;
    await session.undo();
    const outcome = await session.compact();
    expect(outcome.status).toBe('compacted');
    const after = (await world.store.view({ tenant: 'local', viewId: outcome.viewId! }))!;
    expect(after.body.fold!.to).not.toBe(before.body.fold!.to);
    expect(marksOf(await session.prepare(body)).length).toBeLessThan(marksOf({ body }).length);
  });

  it('twice goes back two compactions, a third time there is nothing', async () => {
    const world = makeWorld();
    const { session, conversation, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf('openai-chat', prepared.context.tokens));
    let second: Prepared | undefined;
    while (second?.outcome?.status !== 'compacted') {
      conversation.grow({ steps: 3, resultWords: 250 });
      second = await exchange(session, 'openai-chat', conversation.ask());
    }
    const body = conversation.ask();
    // A window in which nothing is due shows the view alone.
    const reader = await world.session('k', { models: { window: 1_000_000 } });
    const under = async () => marksOf(await reader.prepare(body));
    const folded = await under();
    await session.undo();
    const onceBack = await under();
    expect(onceBack.length).toBeGreaterThan(folded.length);
    expect(onceBack.slice(0, 5)).toEqual(marksOf(prepared).slice(0, 5));
    await session.undo();
    expect(await under()).toEqual(marksOf({ body }));
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('after a compaction that followed an undo takes back only that one', async () => {
    const world = makeWorld();
    const { session, body } = await compacted(world);
    await session.undo();
    const again = await session.compact();
    expect(again.status).toBe('compacted');
    expect((await session.undo()).viewId).toBe(again.viewId);
    expect(marksOf(await session.prepare(body))).toEqual(marksOf({ body }));
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('takes back a compaction that only pruned', async () => {
    const world = makeWorld('openai-chat', { policy: { tailTokens: 2_000, threshold: 0.8, target: 0.7, pruneShare: 0.5 } });
    const { session, body, prepared } = await compacted(world);
    expect(prepared.outcome!.stages.map((stage) => stage.kind)).toEqual(['prune']);
    await session.undo();
    expect(marksOf(await session.prepare(body))).toEqual(marksOf({ body }));
  });

  it('says nothing_to_undo where nothing was compacted, and session_not_found where nothing was sent', async () => {
    const world = makeWorld();
    const session = await world.session();
    await expect(session.undo()).rejects.toMatchObject({ code: 'session_not_found' });
    await session.prepare(grown('openai-chat', 1).ask());
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('leaves no verdict behind: a large reading afterwards is no strike (X10)', async () => {
    const world = makeWorld();
    const { session, body, prepared } = await compacted(world);
    await session.undo();
    await session.observe(prepared.id, usageOf('openai-chat', 19_000));
    const again = await session.prepare(body);
    await session.observe(again.id, usageOf('openai-chat', 16_000));
    expect((await session.guard()).strikes).toBe(0);
  });
});
