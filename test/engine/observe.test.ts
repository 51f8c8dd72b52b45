// observe: what the provider's own numbers do, durably: anchors, calibration, a learnt window, verdicts. All of it survives a new process.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { UllageError } from '../../src/index.ts';
import { bodyOf, encodeAnswer, encodeAsk } from '../support/conversation.ts';
import { answerOf } from '../support/provider.ts';
import { grown, makeWorld } from '../support/recovery.ts';

const hello = (api: Api) => bodyOf(api, encodeAsk(api, 'hi'));
const wide = { window: 1_000_000, maxOutputTokens: 8_000 };

describe('usage of the APIs and their relatives (F05)', () => {
  const shapes: [Api, unknown, number | undefined][] = [
    ['openai-chat', { prompt_tokens: 184_704, completion_tokens: 49, prompt_tokens_details: { cached_tokens: 183_936 } }, 184_704],
    ['anthropic', { input_tokens: 3, cache_read_input_tokens: 80_000, cache_creation_input_tokens: 5_000, output_tokens: 9 }, 85_003],
    ['openai-responses', { input_tokens: 38_000, input_tokens_details: { cached_tokens: 30_000 }, output_tokens: 5 }, 38_000],
    ['openai-chat', { usage: { prompt_tokens: 500, completion_tokens: 1 } }, 500],
    ['anthropic', { content: [], usage: { input_tokens: 500, output_tokens: 1 } }, 500],
    ['openai-chat', { prompt_eval_count: 700, eval_count: 3 }, 700],
    ['anthropic', { input_tokens: 900, cache_read_input_tokens: 41_000_000, output_tokens: 1 }, undefined],
    ['openai-chat', undefined, undefined],
    ['openai-chat', null, undefined],
    ['openai-chat', 'odd', undefined],
    ['openai-chat', { prompt_tokens: 0, completion_tokens: 0 }, undefined],
    ['openai-chat', { prompt_tokens: -5 }, undefined],
    ['openai-chat', { prompt_tokens: Number.NaN }, undefined],
    ['openai-chat', { totalUsage: { inputTokens: 99_999 } }, undefined],
  ];

  it.each(shapes)('%s %j → %s', async (api, usage, size) => {
    const session = await makeWorld({ api, models: wide }).open().session('k');
    const prepared = await session.prepare(hello(api));
    const observation = await session.observe(prepared.id, usage);
    expect(observation.size).toBe(size);
    const next = await session.prepare(hello(api));
    expect(next.context).toEqual(size === undefined ? prepared.context : { kind: 'measured', tokens: size });
  });

  it('a cumulative counter is unknown, and trips nothing (B040, B041)', async () => {
    const session = await makeWorld({ api: 'anthropic', models: { window: 200_000 } })
      .open()
      .session('k');
    const prepared = await session.prepare(hello('anthropic'));
    const observation = await session.observe(prepared.id, { input_tokens: 900, cache_read_input_tokens: 41_000_000, output_tokens: 1 });
    expect(observation).toMatchObject({ size: undefined, flag: 'over_window' });
    expect(observation.silentOverflow).toBeUndefined();
    expect((await session.prepare(hello('anthropic'))).outcome).toBeUndefined();
  });
});

describe('after a restart', () => {
  it('the next size is the anchor and what was added since (F19: resume)', async () => {
    const world = makeWorld({ api: 'openai-chat', models: wide });
    const messages: object[] = [...encodeAsk('openai-chat', 'hi')];
    const first = await (await world.open().session('k')).prepare(bodyOf('openai-chat', messages));
    await (await world.open().session('k')).observe(first.id, { prompt_tokens: 150_000, completion_tokens: 5 });
    messages.push(...encodeAnswer('openai-chat', 'ok'), ...encodeAsk('openai-chat', 'word '.repeat(3_000)));
    const next = await (await world.open().session('k')).prepare(bodyOf('openai-chat', messages));
    expect(next.context.kind).toBe('measured');
    expect(next.context.tokens).toBeGreaterThan(152_500);
    expect(next.context.tokens).toBeLessThan(156_000);
  });

  it('calibration is kept for the model and route, for every session, and for no other model', async () => {
    const world = makeWorld({ api: 'openai-chat', models: wide });
    const session = await world.open().session('k');
    const conversation = grown('openai-chat', 3);
    for (let turn = 0; turn < 4; turn++) {
      conversation.grow();
      const prepared = await session.prepare(conversation.ask());
      const estimate = prepared.context.kind === 'estimated' ? prepared.context.tokens : prepared.context.tokens;
      await session.observe(prepared.id, { prompt_tokens: Math.round(turn === 0 ? estimate * 1.3 : estimate * 1), completion_tokens: 1 });
    }
    const calibration = await world.store.calibrations({ route: 'openai-chat', model: 'm' });
    expect(calibration!.samples).toBe(4);
    expect(calibration!.factor).toBeGreaterThan(1.1);
    const body = grown('openai-chat', 2).ask();
    const calibrated = await (await world.open().session('other')).prepare(body);
    const plain = await (await world.open().session('third')).prepare({ ...body, model: 'another' });
    expect(calibrated.context.tokens / plain.context.tokens).toBeGreaterThan(1.1);
    const elsewhere = await (await world.open({ route: 'other' }).session('fourth')).prepare(body);
    expect(elsewhere.context.tokens).toBe(plain.context.tokens);
  });

  it('a floor that no estimate saw still counts (unexplained)', async () => {
    const world = makeWorld({ api: 'openai-chat', models: wide });
    const body = hello('openai-chat');
    const first = await (await world.open().session('k')).prepare(body);
    await (await world.open().session('k')).observe(first.id, { prompt_tokens: 52_000, completion_tokens: 1 });
    const next = await (await world.open().session('k')).prepare(body);
    expect(next.budget.floor.tokens).toBeGreaterThan(51_000);
  });

  it('an answer observed in another process is the verdict, once (G7)', async () => {
    const world = makeWorld({ api: 'openai-chat', policy: { threshold: 12_000, target: 6_000, tailTokens: 2_000 } });
    const session = await world.open().session('k');
    const prepared = await session.prepare(grown('openai-chat', 10).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted' });
    for (let process = 0; process < 3; process++) {
      const other = await world.open().session('k');
      await other.observe(prepared.id, { prompt_tokens: 30_000, completion_tokens: 1 });
      expect(await other.guard()).toMatchObject({ strikes: 1 });
    }
  });
});

describe('observing twice, late, or for something that is gone', () => {
  it('is harmless: the same anchor, one calibration sample, no error', async () => {
    const world = makeWorld({ api: 'openai-chat', models: wide });
    const session = await world.open().session('k');
    const prepared = await session.prepare(grown('openai-chat', 3).ask());
    const usage = { prompt_tokens: Math.round(prepared.context.tokens * 1.2), completion_tokens: 1 };
    for (let again = 0; again < 3; again++) await session.observe(prepared.id, usage);
    await (await world.open().session('k')).observe(prepared.id, undefined);
    expect((await world.store.calibrations({ route: 'openai-chat', model: 'm' }))!.samples).toBe(1);
  });

  it('of a session that was deleted meanwhile says nothing and stores nothing', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    const session = await world.open().session('k');
    const prepared = await session.prepare(hello('openai-chat'));
    await session.delete();
    expect(await session.observe(prepared.id, { prompt_tokens: 50, completion_tokens: 1 })).toMatchObject({ usage: { promptTokens: 50 } });
  });

  it('while the store is down loses the reading, not the verdict (Law 9)', async () => {
    const world = makeWorld({ api: 'openai-chat', policy: { threshold: 12_000, target: 6_000, tailTokens: 2_000 } });
    const session = await world.open().session('k');
    const prepared = await session.prepare(grown('openai-chat', 10).ask());
    const { loadConversation } = world.store;
    world.store.loadConversation = () => Promise.reject(new UllageError('store_unavailable', 'down'));
    expect((await session.observe(prepared.id, { prompt_tokens: 5_000, completion_tokens: 1 })).size).toBeUndefined();
    world.store.loadConversation = loadConversation;
    expect(await session.guard()).toMatchObject({ state: 'pending' });
    await session.observe(prepared.id, { prompt_tokens: 5_000, completion_tokens: 1 });
    expect(await session.guard()).toMatchObject({ state: 'clear', strikes: 0 });
  });

  it('a late answer to a request from before the compaction changes no verdict (X4)', async () => {
    const world = makeWorld({ api: 'openai-chat', policy: { threshold: 12_000, target: 6_000, tailTokens: 2_000 } });
    const session = await world.open().session('k');
    const conversation = grown('openai-chat', 5);
    const early = await session.prepare(conversation.ask());
    for (let turn = 0; turn < 6; turn++) conversation.grow({ steps: 3, resultWords: 250 });
    await session.prepare(conversation.ask());
    await session.observe(early.id, { prompt_tokens: 30_000, completion_tokens: 1 });
    expect(await session.guard()).toMatchObject({ state: 'pending', strikes: 0 });
  });
});

describe('a server that cuts without an error', () => {
  it('equal readings of three growing requests teach a smaller window, for good (plateau)', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    const conversation = grown('openai-chat', 4);
    let flag: string | undefined;
    for (let turn = 0; turn < 3; turn++) {
      const session = await world.open().session('k');
      conversation.grow({ steps: 3, resultWords: 200 });
      const prepared = await session.prepare(conversation.ask());
      ({ flag } = await session.observe(prepared.id, { prompt_tokens: 8_192, completion_tokens: 1 }));
    }
    expect(flag).toBe('plateau');
    const next = await (await world.open().session('other')).prepare(hello('openai-chat'));
    expect(next.budget.window).toBe(8_192);
  });

  it('a reading far under a calibrated estimate is told and not believed (truncated)', async () => {
    const world = makeWorld({ api: 'openai-chat', models: wide });
    const session = await world.open().session('k');
    const conversation = grown('openai-chat', 3);
    const first = await session.prepare(conversation.ask());
    await session.observe(first.id, { prompt_tokens: first.context.tokens, completion_tokens: 1 });
    for (let turn = 0; turn < 6; turn++) conversation.grow();
    const second = await session.prepare(conversation.ask());
    const observation = await session.observe(second.id, answerOf('openai-chat', 2_048));
    expect(observation).toMatchObject({ size: undefined, flag: 'truncated', silentOverflow: 'truncated-upstream' });
    const guard = await session.guard();
    expect(guard.lastFault).toContain('truncated');
  });

  it('more than the window of a model nobody knows proves the guess wrong, not the reading', async () => {
    const world = makeWorld({ api: 'openai-chat', models: () => undefined });
    const session = await world.open().session('k');
    const body = { ...bodyOf('openai-chat', encodeAsk('openai-chat', 'word '.repeat(100_000))), model: 'nobody-knows-it' };
    const prepared = await session.prepare(body);
    expect((await session.observe(prepared.id, { prompt_tokens: 150_000, completion_tokens: 1 })).size).toBe(150_000);
    const next = await session.prepare(body);
    expect(await session.observe(next.id, { prompt_tokens: 161_800_000, completion_tokens: 1 })).toMatchObject({ flag: 'over_window' });
  });

  it('a learnt window holds for readings, too: told 40,000, proved 10,000, counted 30,000 is flagged', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    await world.store.recordObservation({
      operationId: 'learnt',
      atMs: 0,
      tenant: 'local',
      ...(await idsOf(world)),
      calibration: { route: 'openai-chat', model: 'm', factor: 1, samples: 0, windowTokens: 10_000 },
    });
    const session = await world.open().session('k');
    const prepared = await session.prepare(hello('openai-chat'));
    expect(await session.observe(prepared.id, { prompt_tokens: 30_000, completion_tokens: 1 })).toMatchObject({ flag: 'over_window' });
  });
});

async function idsOf(world: ReturnType<typeof makeWorld>): Promise<{ sessionId: string; conversationId: string }> {
  const session = await world.open().session('k');
  await session.prepare(hello('openai-chat'));
  const row = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
  const [conversation] = await world.store.conversations({ tenant: 'local', sessionId: row.sessionId });
  return { sessionId: row.sessionId, conversationId: conversation!.conversationId };
}

describe('requests that are nobody’s verdict', () => {
  it('a branch is observed without an anchor or a verdict (X5)', async () => {
    const world = makeWorld({ api: 'openai-chat', policy: { threshold: 12_000, target: 6_000, tailTokens: 2_000 } });
    const session = await world.open().session('k');
    const body = grown('openai-chat', 10).ask();
    await session.prepare(body);
    const messages = (body as { messages: object[] }).messages;
    const branch = await session.prepare({
      ...body,
      messages: [...messages.slice(0, -1), { role: 'user', content: 'Give this a title.' }],
    });
    expect(await session.observe(branch.id, { prompt_tokens: 300, completion_tokens: 1 })).toMatchObject({ size: 300 });
    expect(await session.guard()).toMatchObject({ state: 'pending' });
  });
});
