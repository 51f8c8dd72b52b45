// compact(): what a person asks for, below the threshold too, told as it was (F26, F35).
import { describe, expect, it } from 'vitest';
import { checkOutcome } from '../../src/core/plan/outcome-rules.ts';
import type { CompactionOutcome } from '../../src/index.ts';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf, messagesOf } from '../support/conversation.ts';
import { compacted, grown, makeWorld, marksOf, settled, type World } from '../support/world.ts';

const API = 'openai-chat';

async function opened(turns = 3, world = makeWorld()) {
  const session = await world.session();
  const conversation = grown(world.api, turns);
  const body = conversation.ask();
  await session.prepare(body);
  return { world, session, conversation, body };
}

/** All that is stored of the session and decides something. */
async function storedState(world: World) {
  const row = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
  const { sessionId, currentConversationId } = row;
  const located = await world.store.loadConversation({ tenant: 'local', conversationId: currentConversationId! });
  const outcomes = await world.store.outcomes({ tenant: 'local', sessionId, limit: 100 });
  return JSON.stringify({ row, located, outcomes });
}

function honest(outcome: CompactionOutcome): void {
  expect(checkOutcome(outcome)).toEqual([]);
}

describe('compact()', () => {
  it('compacts below the threshold, to half or less, and the next request is sent that way, in every process', async () => {
    const { world, session, body } = await opened();
    const before = await session.prepare(body);
    const outcome = await session.compact();
    honest(outcome);
    expect(outcome).toMatchObject({ status: 'compacted', triggerReason: 'manual', summary: 'facts' });
    expect(outcome.newRequestTokens).toBeLessThanOrEqual(0.51 * outcome.oldRequestTokens);
    expect(outcome.oldRequestTokens).toBe(before.context.tokens);
    for (const reader of [session, await world.session()]) {
      const after = await reader.prepare(body);
      expect(after.outcome).toBeUndefined();
      expect(Math.abs(after.context.tokens - outcome.newRequestTokens)).toBeLessThanOrEqual(2);
    }
    expect(await session.outcomes()).toEqual([JSON.parse(JSON.stringify(outcome))]);
  });

  it('is honoured to the token where a size is given, and refuses sizes that are none', async () => {
    const { session } = await opened();
    const outcome = await session.compact({ targetTokens: 5_000 });
    expect(outcome.newRequestTokens).toBeLessThanOrEqual(5_100);
    for (const targetTokens of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(session.compact({ targetTokens })).rejects.toMatchObject({ code: 'option_invalid' });
  });

  it('asks the summarizer once, with the focus', async () => {
    const { world } = await opened();
    const summarizer = scriptedSummarizer();
    const session = await world.session('k', { summarizer });
    const outcome = await session.compact({ focus: 'the migration of the token table' });
    expect(outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(summarizer.calls).toBe(1);
    expect(summarizer.requests[0]!.focus).toBe('the migration of the token table');
    expect(summarizer.requests[0]!.instructions).toContain('the migration of the token table');
  });

  it('favours the focus in the facts as well', async () => {
    const counts = await Promise.all(
      [undefined, 'queue socket cache'].map(async (focus) => {
        const { session } = await opened(3);
        await session.compact({ focus, targetTokens: 3_000 });
        return (await session.export({ compacted: true })).match(/queue|socket|cache/g)!.length;
      }),
    );
    expect(counts[1]!).toBeGreaterThanOrEqual(counts[0]!);
  });

  it('dry: writes nothing, asks no model, and its plan is what is executed', async () => {
    const { world } = await opened();
    const summarizer = scriptedSummarizer();
    const session = await world.session('k', { summarizer });
    const before = await storedState(world);
    const planned = await session.compact({ dryRun: true });
    honest(planned);
    expect(await storedState(world)).toBe(before);
    expect(summarizer.calls).toBe(0);
    expect(planned.plan!.fold!.to).toBeGreaterThan(5);
    const plain = await world.session();
    const done = await plain.compact();
    expect(done.newRequestTokens).toBe(planned.newRequestTokens);
    const view = (await world.store.view({ tenant: 'local', viewId: done.viewId! }))!;
    expect(view.body.fold).toMatchObject({ to: planned.plan!.fold!.to, text: planned.plan!.fold!.text });
    expect(view.body.replacements.map(({ position }) => position)).toEqual(
      expect.arrayContaining(planned.plan!.edits.map(({ position }) => position)),
    );
  });

  it('changes no byte when nothing can be gained, and says so, again and again', async () => {
    const { session, body } = await opened();
    await session.compact();
    const before = marksOf(await session.prepare(body));
    let outcome = await session.compact({ targetTokens: 100_000 });
    expect(outcome).toMatchObject({ status: 'no_op', reason: 'unchanged' });
    for (let round = 0; round < 8 && outcome.status !== 'compacted'; round++) outcome = await session.compact({ targetTokens: 100_000 });
    expect(outcome.status).toBe('no_op');
    honest(outcome);
    expect(marksOf(await session.prepare(body))).toEqual(before);
  });

  it('of a conversation with nothing to fold is a no-op with a reason, and leaves no rest behind', async () => {
    const session = await makeWorld().session();
    await session.prepare(bodyOf(API, [{ role: 'user', content: 'hi' }]));
    const outcome = await session.compact();
    honest(outcome);
    expect(outcome).toMatchObject({ status: 'no_op', exhausted: false });
    expect(await session.guard()).toMatchObject({ state: 'clear', decision: 'allow' });
  });

  it('is never blocked by a rest, and leaves strikes and rests alone (G11)', async () => {
    const world = makeWorld();
    const { session } = await compacted(world);
    await session.undo();
    const before = await session.guard();
    expect((await session.compact()).status).toBe('compacted');
    expect(await session.guard()).toEqual(before);
  });

  it('says in_progress, and until when, while another compaction runs (F26)', async () => {
    const { world, session, conversation } = await opened(5, makeWorld(API, { models: { window: 100_000 } }));
    const small = { models: { window: 20_000, maxOutputTokens: 2_000 } };
    const other = await world.session('k', { ...small, summarizer: scriptedSummarizer({ type: 'hang' }) });
    const running = other.prepare(conversation.ask());
    await settled();
    const outcome = await session.compact();
    honest(outcome);
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'in_progress', retryAtMs: world.clock.now() + 60_000 });
    await world.clock.advance(20_000);
    expect((await running).outcome?.status).toBe('compacted');
  });

  it('is honest about a floor: what can be saved is saved', async () => {
    const world = makeWorld(API, { policy: { tailTokens: 2_000, threshold: 0.8 } });
    const session = await world.session();
    const conversation = grown(API, 3);
    const body = { ...conversation.ask(), tools: [{ type: 'function', function: { name: 'big', description: 'word '.repeat(6_000) } }] };
    await session.prepare(body);
    const outcome = await session.compact();
    honest(outcome);
    expect(outcome.floor.contributors[0]!.name).toMatch(/big|tool/);
    if (outcome.status === 'compacted') expect(outcome.newRequestTokens).toBeLessThan(outcome.oldRequestTokens);
    else expect(outcome.reason).toBeDefined();
  });

  it('aims at what can be reached where most of the request cannot be compacted', async () => {
    for (const models of [{ window: 100_000 }, { window: 200_000 }]) {
      const { session, body } = await opened(3, makeWorld(API, { models }));
      const prepared = await session.prepare(body);
      await session.observe(prepared.id, { prompt_tokens: 58_000, completion_tokens: 5 });
      const outcome = await session.compact();
      honest(outcome);
      expect(outcome.oldRequestTokens).toBe(58_000);
      const room = outcome.oldRequestTokens - outcome.floor.tokens;
      expect(outcome.targetTokens).toBeGreaterThanOrEqual(outcome.floor.tokens + 0.25 * room);
      expect(outcome).toMatchObject({ status: 'compacted', fitsTarget: true });
      // What is told of the target is used.
      expect(outcome.newRequestTokens).toBeGreaterThan(0.9 * outcome.targetTokens);
    }
  });

  it.each(['openai-chat', 'anthropic', 'openai-responses'] as const)(
    'counts the messages and bytes that are really sent (%s)',
    async (api) => {
      const { session, body } = await opened(3, makeWorld(api));
      const before = await session.prepare(body);
      const planned = await session.compact({ dryRun: true });
      const outcome = await session.compact();
      const after = await session.prepare(body);
      for (const told of [planned, outcome]) {
        expect([told.oldMessageCount, told.oldBytes]).toEqual([messagesOf(before.body).length, Buffer.byteLength(before.text)]);
        expect([told.newMessageCount, told.newBytes]).toEqual([messagesOf(after.body).length, Buffer.byteLength(after.text)]);
      }
    },
  );

  it('needs a conversation', async () => {
    await expect((await makeWorld().session()).compact()).rejects.toMatchObject({ code: 'session_not_found' });
  });
});

describe('outcomes()', () => {
  it('gives the newest first, at most so many, of this session alone', async () => {
    const { world, session, conversation } = await opened();
    const first = await session.compact();
    await world.clock.advance(1_000);
    conversation.grow({ steps: 3, resultWords: 200 });
    await session.prepare(conversation.ask());
    const second = await session.compact();
    expect((await session.outcomes()).map((outcome) => outcome.attemptId)).toEqual([second.attemptId, first.attemptId]);
    expect((await session.outcomes({ limit: 1 })).map((outcome) => outcome.attemptId)).toEqual([second.attemptId]);
    expect(await (await world.session('other')).outcomes()).toEqual([]);
  });
});
