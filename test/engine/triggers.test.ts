// When a compaction starts: before every call, on the size of that very request, and for no other reason.
import { describe, expect, it } from 'vitest';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf, encodeAnswer, encodeAsk } from '../support/conversation.ts';
import { fakeProvider, overflowError } from '../support/provider.ts';
import { failureOf, grown, makeWorld } from '../support/recovery.ts';

const API = 'openai-chat';
const models = { window: 200_000, maxOutputTokens: 8_000 };

/** A history that a server counts as so many tokens. */
function longHistory(turns = 40): object[] {
  return grown(API, turns).messages;
}

describe('after a good compaction (F02)', () => {
  it('nothing starts again until new usage is over the threshold, whatever is appended and whoever asks (B010, B012)', async () => {
    const summarizer = scriptedSummarizer();
    const world = makeWorld({ api: API, models, summarizer });
    const messages = longHistory();
    const first = await (await world.open().session('k')).prepare(bodyOf(API, [...messages, ...encodeAsk(API, 'go')]));
    await (await world.open().session('k')).observe(first.id, { prompt_tokens: 180_000, completion_tokens: 5 });
    messages.push(...encodeAsk(API, 'go'), ...encodeAnswer(API, 'ok'));
    const compacted = await (await world.open().session('k')).prepare(bodyOf(API, [...messages, ...encodeAsk(API, 'on')]));
    expect(compacted.outcome).toMatchObject({ status: 'compacted' });
    const calls = summarizer.calls;
    messages.push(...encodeAsk(API, 'on'), ...encodeAnswer(API, 'ok'), { role: 'system', content: 'The date is another one.' });
    for (let turn = 0; turn < 3; turn++) {
      messages.push(...encodeAsk(API, 'ok'));
      const next = await (await world.open().session('k')).prepare(bodyOf(API, messages));
      expect(next.outcome).toBeUndefined();
      await (await world.open().session('k')).observe(next.id, turn === 0 ? undefined : { prompt_tokens: 70_000, completion_tokens: 5 });
      messages.push(...encodeAnswer(API, 'yes'));
    }
    expect(summarizer.calls).toBe(calls);
    messages.push({ role: 'user', content: 'Read this.' }, { role: 'assistant', content: 'word '.repeat(120_000) });
    const due = await (await world.open().session('k')).prepare(bodyOf(API, [...messages, ...encodeAsk(API, 'and?')]));
    expect(due.outcome).toMatchObject({ status: 'compacted', triggerReason: 'token_threshold' });
  });

  it('a change of the model, of its effort or of the tools alone is no reason (B018)', async () => {
    const world = makeWorld({ api: API, models });
    const session = await world.open().session('k');
    const body = bodyOf(API, [...longHistory(), ...encodeAsk(API, 'go')]);
    const first = await session.prepare(body);
    await session.observe(first.id, { prompt_tokens: 50_000, completion_tokens: 5 });
    for (const change of [{ model: 'another' }, { reasoning_effort: 'high' }, { tools: [{ type: 'function', function: { name: 'x' } }] }])
      expect((await session.prepare({ ...body, ...change })).outcome).toBeUndefined();
  });
});

describe('the check runs before every call (F19)', () => {
  /** A server that counts as we estimate, and a threshold 15,000 tokens above what there is. */
  async function nearThreshold() {
    const messages = [...longHistory(), ...encodeAsk(API, 'go')];
    const probe = await (await makeWorld({ api: API, models }).open().session('k')).prepare(bodyOf(API, messages));
    const { tokens } = probe.context;
    const session = await makeWorld({ api: API, models, policy: { threshold: tokens + 15_000, target: 30_000 } })
      .open()
      .session('k');
    return { messages, tokens, session };
  }

  it('inside one turn, on the results just added', async () => {
    const { messages, tokens, session } = await nearThreshold();
    const statuses: (string | undefined)[] = [];
    for (let step = 0; step < 5 && statuses.at(-1) === undefined; step++) {
      const prepared = await session.prepare(bodyOf(API, messages));
      statuses.push(prepared.outcome?.status);
      await session.observe(prepared.id, { prompt_tokens: tokens + step * 10_000, completion_tokens: 5 });
      const call = { id: `c${step}`, type: 'function', function: { name: 'read', arguments: '{}' } };
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: `c${step}`, content: 'word '.repeat(9_900) });
    }
    expect(statuses).toEqual([undefined, undefined, 'compacted']);
  });

  it('on resume, where nobody knows a usage yet (B138)', async () => {
    const session = await makeWorld({ api: API, models: { window: 20_000, maxOutputTokens: 1_000 } })
      .open()
      .session('k');
    const prepared = await session.prepare(bodyOf(API, [...longHistory(), ...encodeAsk(API, 'go')]));
    expect(prepared.outcome).toMatchObject({ status: 'compacted' });
  });

  it('with one single large jump (B137)', async () => {
    const { messages, tokens, session } = await nearThreshold();
    const first = await session.prepare(bodyOf(API, messages));
    await session.observe(first.id, { prompt_tokens: tokens, completion_tokens: 5 });
    messages.push(...encodeAnswer(API, 'ok'), ...encodeAsk(API, 'word '.repeat(22_000)));
    expect((await session.prepare(bodyOf(API, messages))).outcome).toMatchObject({ status: 'compacted' });
  });
});

describe('what is set is obeyed, and told (F29)', () => {
  it('406 messages at a third of the window start nothing; a messageLimit does, under its own name (B197)', async () => {
    const messages = Array.from({ length: 203 }, (_, index) => [
      ...encodeAsk(API, `ask ${index}`),
      ...encodeAnswer(API, `answer ${index}`),
    ]).flat();
    const body = bodyOf(API, [...messages, ...encodeAsk(API, 'go')]);
    const plain = await makeWorld({ api: API, models }).open().session('k');
    const first = await plain.prepare(body);
    await plain.observe(first.id, { prompt_tokens: 68_000, completion_tokens: 5 });
    expect((await plain.prepare(body)).outcome).toBeUndefined();
    const limited = await makeWorld({ api: API, models, policy: { messageLimit: 400 } })
      .open()
      .session('k');
    expect((await limited.prepare(body)).outcome).toMatchObject({ triggerReason: 'message_hygiene' });
  });

  it('a hook that cancels is obeyed on an overflow, too: the provider’s error comes back, and nothing is exhausted (B196)', async () => {
    const world = makeWorld({ api: API, beforeCompact: () => 'cancel' });
    const session = await world.open().session('k');
    const error = overflowError(API, { limit: 30_000, actual: 45_000 });
    const provider = fakeProvider(API, () => {
      throw error;
    });
    expect(await failureOf(session.send(grown(API).ask(), provider.call))).toBe(error);
    expect(provider.received).toHaveLength(1);
    expect((await session.outcomes())[0]).toMatchObject({ reason: 'cancelled', exhausted: false });
  });
});
