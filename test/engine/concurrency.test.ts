// Several writers on one store: one commit per base, losers adopt, nothing that was said is lost, no wait is unbounded (F26, F27, G4, G5).
import { describe, expect, it } from 'vitest';
import type { Summarizer } from '../../src/index.ts';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { messagesOf } from '../support/conversation.ts';
import { compacted, grown, makeWorld, marksOf, occurrences, settled, usageOf, type World } from '../support/world.ts';

const API = 'openai-chat';
const SUMMARY = { text: '## Goal\nMend the build.\n\n## Done\n1. Read the parts.\n', finishReason: 'stop' };

/** A summarizer whose answer waits until it is let go. */
function gated(): { readonly summarizer: Summarizer; readonly release: () => void; readonly calls: () => number } {
  let calls = 0;
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const summarizer: Summarizer = async () => {
    calls++;
    await gate;
    return SUMMARY;
  };
  return { summarizer, release: () => open(), calls: () => calls };
}

async function views(world: World): Promise<number> {
  const row = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
  return (await world.store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! })).views.length;
}

describe('two processes that are due at once', () => {
  it('make one commit, and the loser adopts it within its wait', async () => {
    const world = makeWorld();
    const { summarizer, release, calls } = gated();
    const body = grown(API, 5).ask();
    const first = (await world.session('k', { summarizer })).prepare(body);
    await settled();
    const second = (await world.session('k', { summarizer })).prepare(body);
    await settled();
    release();
    await world.clock.advance(100);
    const [winner, loser] = await Promise.all([first, second]);
    expect(winner.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(loser.outcome).toBeUndefined();
    expect(loser.text).toBe(winner.text);
    expect(calls()).toBe(1);
    expect(await views(world)).toBe(1);
  });

  it('of which one hangs: the other’s wait ends after two seconds, its request goes out as it is, deferred, not exhausted', async () => {
    const world = makeWorld();
    const body = grown(API, 5).ask();
    const hanging = (await world.session('k', { summarizer: scriptedSummarizer({ type: 'hang' }) })).prepare(body);
    await settled();
    const second = (await world.session()).prepare(body);
    await world.clock.advance(2_000);
    const prepared = await second;
    expect(prepared.outcome).toMatchObject({ status: 'deferred', reason: 'in_progress', exhausted: false });
    expect(prepared.text).toBe(JSON.stringify(body));
    expect(world.clock.now()).toBe(1_002_000);
    await world.clock.advance(18_000);
    expect((await hanging).outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect(await views(world)).toBe(1);
  });

  it('over the window: the loser gets a plan for itself alone, and nothing of it is stored', async () => {
    const world = makeWorld();
    const body = grown(API, 8).ask();
    const hanging = (await world.session('k', { summarizer: scriptedSummarizer({ type: 'hang' }) })).prepare(body);
    await settled();
    const second = (await world.session()).prepare(body);
    await world.clock.advance(2_000);
    const prepared = await second;
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts', exhausted: false });
    expect(prepared.context.tokens).toBeLessThanOrEqual(prepared.budget.usable);
    expect(await views(world)).toBe(0);
    // Its reading is about nothing that was committed.
    const other = await world.session();
    await other.observe(prepared.id, usageOf(API, 19_000));
    await world.clock.advance(18_000);
    await hanging;
    expect(await views(world)).toBe(1);
    expect((await other.guard()).strikes).toBe(0);
  });

  it('many at once: one commit, all send the same', async () => {
    const world = makeWorld();
    const body = grown(API, 5).ask();
    const sessions = await Promise.all(Array.from({ length: 12 }, () => world.session()));
    const preparing = Promise.all(sessions.map((session) => session.prepare(body)));
    await world.clock.advance(2_000);
    const all = await preparing;
    expect(all.filter((prepared) => prepared.outcome?.status === 'compacted')).toHaveLength(1);
    expect(new Set(all.map((prepared) => prepared.text)).size).toBe(1);
    expect(await views(world)).toBe(1);
  });

  it('one of which undoes: the attempt loses its base and commits nothing over it', async () => {
    const world = makeWorld();
    const { conversation, prepared, session } = await compacted(world);
    await session.observe(prepared.id, usageOf(API, prepared.context.tokens));
    const { summarizer, release } = gated();
    const compacting = (await world.session('k', { summarizer })).compact();
    await settled();
    await session.undo();
    release();
    expect(await compacting).toMatchObject({ status: 'deferred', reason: 'base_changed' });
    expect(await session.guard()).toMatchObject({ reason: 'guard_undone' });
    const reader = await world.session('k', { models: { window: 1_000_000 } });
    const body = conversation.ask();
    expect(marksOf(await reader.prepare(body))).toEqual(marksOf({ body }));
  });
});

describe('leases', () => {
  it('a holder that comes back after its lease ran out and was taken commits nothing (X20)', async () => {
    const world = makeWorld('openai-chat', { guard: { renewMs: 3_600_000 } });
    const { summarizer, release } = gated();
    const body = grown(API, 5).ask();
    const stale = (await world.session('k', { summarizer, summaryDeadlineMs: 600_000 })).prepare(body);
    await settled();
    world.clock.set(world.clock.now() + 60_000);
    const fresh = await (await world.session()).prepare(body);
    expect(fresh.outcome?.status).toBe('compacted');
    release();
    const late = await stale;
    expect(late.text).toBe(fresh.text);
    expect(await views(world)).toBe(1);
  });

  it('a holder that comes back after its lease ran out, which nobody took, still commits', async () => {
    const world = makeWorld('openai-chat', { guard: { renewMs: 3_600_000 } });
    const { summarizer, release } = gated();
    const stale = (await world.session('k', { summarizer, summaryDeadlineMs: 600_000 })).prepare(grown(API, 5).ask());
    await settled();
    world.clock.set(world.clock.now() + 90_000);
    release();
    expect((await stale).outcome).toMatchObject({ status: 'compacted', summary: 'model' });
  });

  it('is renewed while a model writes, so that a long summary is not lost', async () => {
    const world = makeWorld();
    const { summarizer, release } = gated();
    const body = grown(API, 5).ask();
    const slow = (await world.session('k', { summarizer, summaryDeadlineMs: 600_000 })).prepare(body);
    await settled();
    for (let waited = 0; waited < 100_000; waited += 20_000) {
      await world.clock.advance(20_000);
      expect(await (await world.session()).guard()).toMatchObject({ state: 'compacting', reason: 'in_progress' });
    }
    release();
    expect((await slow).outcome).toMatchObject({ status: 'compacted', summary: 'model' });
  });

  it('is not renewed for ever: after three minutes the model is given up, and the facts are committed (B183)', async () => {
    const world = makeWorld();
    const summarizer = scriptedSummarizer({ type: 'hang' }, { id: 'stuck' });
    const session = await world.session('k', { summarizer, summaryDeadlineMs: 3_600_000 });
    const conversation = grown(API, 5);
    const stuck = session.prepare(conversation.ask());
    await settled();
    await world.clock.advance(180_000);
    await settled();
    expect((await stuck).outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect([summarizer.calls, summarizer.aborted]).toEqual([1, 1]);
    expect((await (await world.session()).guard()).state).toBe('pending');
  });

  it('of a dead holder ends by itself, and its path is cooling (X3, A2)', async () => {
    const world = makeWorld();
    const dead = scriptedSummarizer({ type: 'hang' }, { id: 'model-a' });
    void (await world.session('k', { summarizer: dead, summaryDeadlineMs: 3_600_000, guard: { renewMs: 3_600_000 } })).prepare(
      grown(API, 5).ask(),
    );
    await settled();
    world.clock.set(world.clock.now() + 60_000);
    const alive = scriptedSummarizer({ type: 'text' }, { id: 'model-a' });
    const prepared = await (await world.session('k', { summarizer: alive })).prepare(grown(API, 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect(alive.calls).toBe(0);
  });
});

describe('while a summary is written', () => {
  it('entries that are appended stay live, each once, in order (F27)', async () => {
    const world = makeWorld();
    const { summarizer, release } = gated();
    const conversation = grown(API, 5);
    const compacting = (await world.session('k', { summarizer })).prepare(conversation.ask());
    await settled();
    const other = await world.session('k', { models: { window: 1_000_000 } });
    const marks = ['MARK-ONE', 'MARK-TWO', 'MARK-THREE'];
    for (const mark of marks) {
      conversation.messages.push({ role: 'user', content: mark }, { role: 'assistant', content: `heard ${mark.toLowerCase()}` });
      await other.prepare(conversation.ask());
    }
    release();
    expect((await compacting).outcome?.status).toBe('compacted');
    const after = await other.prepare(conversation.ask());
    expect(messagesOf(after.body).length).toBeLessThan(messagesOf(conversation.ask()).length / 2);
    const places = marks.map((mark) => after.text.indexOf(`"${mark}"`));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const mark of marks) expect(occurrences(after.text, mark)).toBe(1);
  });

  it('an abort ends the wait, not the attempt', async () => {
    const world = makeWorld();
    const { summarizer, release } = gated();
    const body = grown(API, 5).ask();
    const session = await world.session('k', { summarizer });
    const stop = new AbortController();
    const preparing = session.prepare(body, { signal: stop.signal });
    await settled();
    stop.abort(new Error('the user left'));
    const prepared = await preparing;
    expect(prepared.outcome).toMatchObject({ status: 'deferred', reason: 'cancelled', exhausted: false });
    expect(prepared.text).toBe(JSON.stringify(body));
    release();
    await settled();
    const next = await session.prepare(body);
    expect(next.outcome).toBeUndefined();
    expect(messagesOf(next.body).length).toBeLessThan(messagesOf(body).length / 2);
    expect((await session.outcomes()).map((outcome) => outcome.summary)).toContain('model');
  });

  it('an abort before it began lets the request go, and one over the window fits all the same', async () => {
    const world = makeWorld();
    const session = await world.session('k', { summarizer: scriptedSummarizer({ type: 'hang' }) });
    const prepared = await session.prepare(grown(API, 8).ask(), { signal: AbortSignal.abort() });
    expect(prepared.context.tokens).toBeLessThanOrEqual(prepared.budget.usable);
    expect(prepared.outcome?.exhausted).toBe(false);
    await world.clock.advance(20_000);
  });

  it('an abort while waiting for another’s compaction ends that wait', async () => {
    const world = makeWorld();
    const body = grown(API, 5).ask();
    const hanging = (await world.session('k', { summarizer: scriptedSummarizer({ type: 'hang' }) })).prepare(body);
    await settled();
    const stop = new AbortController();
    const waiting = (await world.session()).prepare(body, { signal: stop.signal });
    await settled();
    stop.abort();
    expect((await waiting).outcome).toMatchObject({ status: 'deferred', exhausted: false });
    expect(world.clock.now()).toBe(1_000_000);
    await world.clock.advance(20_000);
    await hanging;
  });
});
