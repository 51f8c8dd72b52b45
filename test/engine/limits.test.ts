// A change of model derives all budgets again, and compacts before the first request that would not fit (F30).
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../support/conversation.ts';
import { exchange, grown, makeWorld, occurrences } from '../support/world.ts';

const API = 'openai-chat';
const models = (name: string) => ({ window: name === 'large' ? 200_000 : 20_000, maxOutputTokens: 2_000 });

describe('model switch', () => {
  it('to a smaller window compacts before the first request, and says why', async () => {
    const world = makeWorld(API, { models });
    const session = await world.session();
    const conversation = grown(API, 7);
    const large = await exchange(session, API, { ...conversation.ask(), model: 'large' });
    expect(large.outcome).toBeUndefined();
    expect(large.budget.window).toBe(200_000);
    const small = await (await world.session()).prepare({ ...conversation.ask(), model: 'small' });
    expect(small.outcome).toMatchObject({ status: 'compacted', triggerReason: 'model_switch' });
    expect(small.budget.window).toBe(20_000);
    expect(small.context.tokens).toBeLessThan(small.budget.threshold);
    expect(small.text).toContain('"model":"small"');
  });

  it('that names the model beside the body counts the same', async () => {
    const world = makeWorld(API, { models });
    const session = await world.session();
    const conversation = grown(API, 7);
    await session.prepare(conversation.ask(), { model: 'large' });
    const small = await session.prepare(conversation.ask(), { model: 'small' });
    expect(small.outcome).toMatchObject({ status: 'compacted', triggerReason: 'model_switch' });
  });

  it('back to the larger window is no reason to compact again', async () => {
    const world = makeWorld(API, { models });
    const session = await world.session();
    const conversation = grown(API, 5);
    for (const model of ['small', 'large', 'small', 'large']) {
      const prepared = await exchange(session, API, { ...conversation.ask(), model });
      expect(prepared.outcome?.status).toBe(model === 'small' && prepared.outcome ? 'compacted' : undefined);
    }
    expect((await session.outcomes()).length).toBe(1);
  });

  it('derives a threshold in tokens that no longer fits again, and says so', async () => {
    const world = makeWorld(API, { models, policy: { threshold: 150_000, target: 70_000 } });
    const session = await world.session();
    const prepared = await session.prepare({ ...grown(API, 1).ask(), model: 'small' });
    expect(prepared.budget.threshold).toBeLessThanOrEqual(prepared.budget.usable);
    expect(prepared.budget.adjusted).toBeDefined();
  });
});

describe('message hygiene', () => {
  const policy = { tailTokens: 4_000, messageLimit: 40 };
  const roomy = { window: 1_000_000, maxOutputTokens: 2_000 };

  it('lowers the count to three quarters of the limit or less, with tokens far below their threshold', async () => {
    const world = makeWorld(API, { models: roomy, policy });
    const session = await world.session();
    const conversation = grown(API, 4);
    const prepared = await session.prepare(conversation.ask());
    const outcome = prepared.outcome!;
    expect(outcome).toMatchObject({ status: 'compacted', triggerReason: 'message_hygiene', exhausted: false });
    expect(outcome.oldMessageCount).toBeGreaterThan(40);
    expect(outcome.newMessageCount).toBeLessThanOrEqual(30);
    expect((prepared.body as { messages: unknown[] }).messages).toHaveLength(outcome.newMessageCount);
    expect((await session.prepare(conversation.ask())).outcome).toBeUndefined();
  });

  it('that cannot reach it commits nothing, says message_limit_unreachable once, and rests (C6)', async () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
    const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
    const body = bodyOf(API, [
      { role: 'user', content: 'Read all fifty.' },
      { role: 'assistant', content: null, tool_calls: ids.map(call) },
      ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `content of ${id}` })),
    ]);
    const world = makeWorld(API, { models: roomy, policy });
    const session = await world.session();
    const prepared = await session.prepare(body);
    expect(prepared.outcome).toMatchObject({ status: 'no_op', reason: 'message_limit_unreachable', exhausted: false });
    expect(prepared.outcome!.message).not.toMatch(/context length|exhaust/i);
    expect(prepared.text).toBe(JSON.stringify(body));
    expect((await session.prepare(body)).outcome).toMatchObject({ status: 'blocked', reason: 'guard_nothing_to_compact' });
    expect(await session.guard()).toMatchObject({ decision: 'allow' });
  });

  it('obeys its own rest and not that of tokens (G17)', async () => {
    const world = makeWorld(API, { models: roomy, policy });
    const session = await world.session();
    const conversation = grown(API, 2);
    await session.prepare(conversation.ask());
    expect((await session.compact()).status).toBe('compacted');
    await session.undo();
    for (let turn = 0; turn < 3; turn++) conversation.grow({ steps: 3, resultWords: 20 });
    expect((await session.prepare(conversation.ask())).outcome).toMatchObject({ status: 'compacted', triggerReason: 'message_hygiene' });
  });
});

describe('one message larger than the window', () => {
  it('is shortened in what is sent, never in what is stored, and the newest ask stays word for word', async () => {
    const world = makeWorld(API);
    const session = await world.session();
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"big.log"}' } };
    const huge = Array.from({ length: 12_000 }, (_, line) => `line ${line} ok`).join('\n');
    const messages = [
      { role: 'user', content: 'Read big.log and tell me its last line.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: huge },
    ];
    const prepared = await session.prepare(bodyOf(API, messages));
    expect(prepared.outcome?.status).toBe('compacted');
    expect(prepared.context.tokens).toBeLessThanOrEqual(prepared.budget.usable);
    expect(occurrences(prepared.text, 'Read big.log and tell me its last line.')).toBe(1);
    expect(prepared.text).toContain('line 11999 ok');
    expect(JSON.parse(await session.export())).toEqual({ messages });
  });
});
