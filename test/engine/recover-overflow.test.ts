// recover and send after an overflow: once, at n, always; with numbers and without; learnt for good; no loop, no false exhaustion.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { type Session, UllageError } from '../../src/index.ts';
import { manualClock, memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, encodeAsk, makeConversation, messagesOf } from '../support/conversation.ts';
import { fakeProvider, overflowError, windowedProvider } from '../support/provider.ts';
import { failureOf, grown, makeWorld } from '../support/recovery.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
describe.each(APIS)('an overflow in %s', (api) => {
  it('is answered by one compaction and one more request, valid and smaller (F22)', async () => {
    const provider = windowedProvider(api, 10_000);
    const session = await makeWorld({ api }).open().session('k');
    const response = await session.send(grown(api).ask(), provider.call);
    expect(response).toMatchObject({ usage: {} });
    expect(provider.received).toHaveLength(2);
    expect(provider.received[1]!.tokens).toBeLessThan(10_000);
    expect(codecFor(api).validate(provider.received[1]!.text)).toEqual([]);
    const [outcome] = await session.outcomes();
    expect(outcome).toMatchObject({ status: 'compacted', triggerReason: 'provider_overflow', exhausted: false });
  });

  it('without numbers shrinks the request in its own proportion (F22)', async () => {
    const provider = windowedProvider(api, 8_000, 'nothing');
    const session = await makeWorld({ api }).open().session('k');
    await session.send(grown(api).ask(), provider.call);
    expect(provider.received.length).toBeLessThanOrEqual(4);
    expect(provider.received.at(-1)!.tokens).toBeLessThanOrEqual(8_000);
  });

  it('in the middle of a conversation is recovered, and the next request extends what was sent (F33)', async () => {
    const { open } = makeWorld({ api });
    const conversation = makeConversation(api, 9);
    const provider = windowedProvider(api, 9_000);
    let session = await open().session('k');
    for (let turn = 0; turn < 10; turn++) {
      conversation.grow({ steps: 3, resultWords: 200 });
      if (turn % 3 === 2) session = await open({ policy: { tailTokens: 1_500 } }).session('k');
      await session.send(conversation.ask(), provider.call);
    }
    const refused = provider.received.filter(({ tokens }) => tokens > 9_000);
    expect(refused).toHaveLength(1);
    const retry = refused[0]!.index + 1;
    const [last, next] = provider.received
      .slice(retry, retry + 2)
      .map(({ body }) => messagesOf(body).map((message) => JSON.stringify(message)));
    expect(next!.slice(0, last!.length)).toEqual(last);
  });
});

describe('two processes that meet the same overflow (F26)', () => {
  it('compact once: the second one adopts what the first did, early or late', async () => {
    const body = grown('openai-chat').ask();
    for (const isLate of [false, true]) {
      const { open, clock } = makeWorld({ api: 'openai-chat' });
      const provider = windowedProvider('openai-chat', 10_000);
      const [first, second] = [await open().session('k'), await open().session('k')];
      if (isLate) {
        const prepared = await second.prepare(body);
        await first.send(body, provider.call);
        const recovery = await second.recover(prepared.id, overflowError('openai-chat', { limit: 10_000, actual: 20_000 }));
        expect(recovery).toMatchObject({ action: 'retry', prepared: { text: provider.received.at(-1)!.text } });
      } else {
        let isOver = false;
        const both = Promise.all([first.send(body, provider.call), second.send(body, provider.call)]).finally(() => {
          isOver = true;
        });
        while (!isOver) await clock.advance(50);
        await both;
        expect(provider.received.length).toBeLessThanOrEqual(4);
      }
      const compacted = (await first.outcomes()).filter(({ status }) => status === 'compacted');
      expect(compacted).toHaveLength(1);
      expect(provider.received.at(-1)!.tokens).toBeLessThanOrEqual(10_000);
    }
  });
});

describe('an overflow that never ends (F03)', () => {
  it('is tried at most maxPasses times, never with equal requests, and ends in a typed error that carries the numbers', async () => {
    const provider = fakeProvider('openai-chat', ({ tokens }) => {
      throw overflowError('openai-chat', { limit: 600, actual: tokens + 50_000 });
    });
    const { open } = makeWorld({ api: 'openai-chat' });
    const session = await open().session('k');
    const error = await failureOf(session.send(grown('openai-chat').ask(), provider.call));
    expect(UllageError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'context_window_exceeded', details: { kind: 'overflow', limit: 600, exhausted: true } });
    expect((error as UllageError).message).toMatch(/\d+ tokens/);
    expect((error as UllageError).cause).toMatchObject({ status: 400 });
    expect(provider.received.length).toBeLessThanOrEqual(4);
    expect(new Set(provider.received.map(({ text }) => text)).size).toBe(provider.received.length);
    expect((await session.outcomes())[0]).toMatchObject({ exhausted: true });
  });

  it.each([1, 2, 3])('with maxPasses %i makes at most as many retries', async (maxPasses) => {
    const provider = fakeProvider('anthropic', () => {
      throw overflowError('anthropic');
    });
    const { open } = makeWorld({ api: 'anthropic', policy: { maxPasses, tailTokens: 2_000 } });
    const error = await failureOf((await open().session('k')).send(grown('anthropic').ask(), provider.call));
    expect(error).toMatchObject({ code: 'context_window_exceeded' });
    expect(provider.received.length).toBeLessThanOrEqual(1 + maxPasses);
  });

  it('over five turns costs at most four requests each, buys no summary for every message, and leaves the history whole (X13)', async () => {
    const provider = fakeProvider('openai-chat', ({ tokens }) => {
      throw overflowError('openai-chat', { limit: 40_000, actual: tokens + 45_000 });
    });
    const summarizer = scriptedSummarizer();
    const { open } = makeWorld({ api: 'openai-chat', summarizer });
    const conversation = grown('openai-chat');
    const calls: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const session = await open().session('k');
      const before = provider.received.length;
      expect(await failureOf(session.send(conversation.ask(), provider.call))).toMatchObject({ code: 'context_window_exceeded' });
      calls.push(provider.received.length - before);
    }
    expect(Math.max(...calls)).toBeLessThanOrEqual(4);
    expect(summarizer.calls).toBeLessThanOrEqual(3);
    const exported = JSON.parse(await (await open().session('k')).export()) as { messages: object[] };
    expect(exported.messages).toEqual(conversation.messages.slice(0, -1));
  });

  it.each(APIS)('of a request in %s that holds nothing but a huge newest message ends at once in a typed error', async (api) => {
    const provider = windowedProvider(api, 20_000);
    const body = bodyOf(api, encodeAsk(api, 'look at this. '.repeat(9_000)));
    const error = await failureOf((await makeWorld({ api }).open().session('k')).send(body, provider.call));
    expect(error).toMatchObject({ code: 'context_window_exceeded', details: { limit: 20_000 } });
    expect(provider.received).toHaveLength(1);
  });

  it('of a history that is minimal already costs one request a turn and says so every time', async () => {
    const { open } = makeWorld({ api: 'openai-chat' });
    const provider = fakeProvider('openai-chat', () => {
      throw overflowError('openai-chat');
    });
    for (let turn = 1; turn <= 5; turn++) {
      const session = await open().session('k');
      const error = await failureOf(session.send(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')), provider.call));
      expect(error).toMatchObject({ code: 'context_window_exceeded', details: { exhausted: true } });
      expect(provider.received).toHaveLength(turn);
      expect(await session.guard()).toMatchObject({ state: 'clear', strikes: 0 });
    }
  });

  it('of a preamble that is larger than the window names its largest parts at once', async () => {
    const provider = windowedProvider('openai-chat', 5_000);
    const messages = [
      { role: 'system', content: 'Rules and more rules. '.repeat(3_000) },
      { role: 'user', content: 'hi' },
    ];
    const error = await failureOf(
      (await makeWorld({ api: 'openai-chat' }).open().session('k')).send({ model: 'm', messages }, provider.call),
    );
    expect(error).toMatchObject({ code: 'floor_exceeds_window', details: { windowTokens: 5_000, exhausted: true } });
    expect((error as UllageError).message).toContain('system');
    expect(provider.received).toHaveLength(1);
  });
});

describe('what an overflow teaches', () => {
  async function windowOf(session: Session): Promise<number> {
    return (await session.prepare(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')))).budget.window;
  }

  it('a printed limit lowers the window for every session and after a restart, and only downward (F22)', async () => {
    const { open } = makeWorld({ api: 'openai-chat' });
    const limits = [12_000, 30_000, 11_000];
    const provider = fakeProvider('openai-chat', ({ index, tokens }) => {
      const limit = limits[index];
      if (limit === undefined) return undefined;
      throw overflowError('openai-chat', { limit, actual: Math.max(tokens, limit + 1) });
    });
    const session = await open().session('k');
    const body = grown('openai-chat').ask();
    const first = await session.prepare(body);
    const windows: number[] = [];
    let prepared = first;
    for (let attempt = 0; attempt < 3; attempt++) {
      const recovery = await session.recover(prepared.id, await failureOf(provider.call(prepared.body)));
      windows.push(await windowOf(await open().session('other')));
      if (recovery.action === 'retry') prepared = recovery.prepared as typeof prepared;
    }
    expect(windows).toEqual([12_000, 12_000, 11_000]);
    expect(await windowOf(await open({ route: 'elsewhere' }).session('other'))).toBe(40_000);
  });

  it('a limit that is larger than the told window, or none, changes nothing (F22)', async () => {
    const { open } = makeWorld({ api: 'openai-chat' });
    const session = await open().session('k');
    for (const error of [overflowError('openai-chat', { limit: 90_000, actual: 95_000 }), overflowError('openai-chat')]) {
      const prepared = await session.prepare(grown('openai-chat').ask());
      await session.recover(prepared.id, error);
      expect(await windowOf(await open().session('other'))).toBe(40_000);
    }
  });

  it('a window that was only guessed becomes the printed one, also a larger one', async () => {
    const { open } = makeWorld({ api: 'openai-chat', models: () => undefined });
    const session = await open().session('k');
    const prepared = await session.prepare({ ...grown('openai-chat').ask(), model: 'nobody-knows-it' });
    expect(prepared.budget.window).toBe(128_000);
    await session.recover(prepared.id, overflowError('openai-chat', { limit: 500_000, actual: 600_000 }));
    const other = await open().session('other');
    const next = await other.prepare({ ...bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')), model: 'nobody-knows-it' });
    expect(next.budget.window).toBe(500_000);
  });

  it('is learnt by a process that never held the request, too; the caller prepares again', async () => {
    const { open } = makeWorld({ api: 'openai-chat' });
    const body = grown('openai-chat').ask();
    const prepared = await (await open().session('k')).prepare(body);
    const other = await open().session('k');
    const error = overflowError('openai-chat', { limit: 10_000, actual: 20_000 });
    const recovery = await other.recover(prepared.id, error);
    expect(recovery).toMatchObject({ action: 'surface', error: { code: 'provider_error', cause: error } });
    expect((recovery as { error: Error }).error.message).toContain('prepare it again');
    const again = await other.prepare(body);
    expect(again.budget.window).toBe(10_000);
    expect(again.outcome).toMatchObject({ status: 'compacted' });
  });

  it('is a verdict on the compaction before it: a strike, once, also after a restart (X12)', async () => {
    const { open, clock } = makeWorld({ api: 'openai-chat', policy: { threshold: 16_000, target: 8_000, tailTokens: 2_000 } });
    const session = await open().session('k');
    const prepared = await session.prepare(grown('openai-chat').ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', triggerReason: 'token_threshold' });
    expect(await session.guard()).toMatchObject({ state: 'pending', strikes: 0 });
    const restarted = await open().session('k');
    await restarted.recover(prepared.id, overflowError('openai-chat', { limit: 40_000, actual: 45_000 }));
    expect(await restarted.guard()).toMatchObject({ strikes: 1 });
    await restarted.recover(prepared.id, overflowError('openai-chat', { limit: 40_000, actual: 45_000 }));
    expect(await restarted.guard()).toMatchObject({ strikes: 1 });
    expect(clock.now()).toBe(0);
  });
});

describe('exhaustion is never said of what was only put off (G13)', () => {
  it('another process compacts: the request gets a plan of its own, and when that is not enough the error says deferred', async () => {
    const clock = manualClock(0);
    const hanging = scriptedSummarizer({ type: 'hang' });
    const { open } = makeWorld({ api: 'openai-chat', clock });
    const body = grown('openai-chat').ask();
    const holder = await open({ summarizer: hanging }).session('k');
    await holder.prepare(body);
    const running = holder.compact();
    while (hanging.calls === 0) await Promise.resolve();
    const session = await open({ leaseWaitMs: 0 }).session('k');
    const provider = windowedProvider('openai-chat', 12_000);
    await session.send(body, provider.call);
    expect(provider.received).toHaveLength(2);
    const never = fakeProvider('openai-chat', ({ tokens }) => {
      throw overflowError('openai-chat', { limit: 600, actual: tokens + 600 });
    });
    const error = await failureOf(session.send(body, never.call));
    expect(error).toMatchObject({ code: 'compaction_deferred', details: { exhausted: false } });
    expect(never.received.length).toBeLessThanOrEqual(4);
    expect((await session.outcomes()).some(({ exhausted }) => exhausted)).toBe(false);
    await clock.advance(30_000);
    await running;
  });

  it('without a store the request is compacted for itself alone; nothing is written and nothing is exhausted', async () => {
    const store = memoryStore();
    const { open } = makeWorld({ api: 'openai-chat', store });
    const session = await open().session('k');
    const down = new UllageError('store_unavailable', 'down');
    for (const name of ['locate', 'readGuard', 'calibrations', 'loadConversation', 'recordObservation'] as const)
      Object.assign(store, { [name]: () => Promise.reject(down) });
    const provider = windowedProvider('openai-chat', 12_000);
    await session.send(grown('openai-chat').ask(), provider.call);
    expect(provider.received.at(-1)!.tokens).toBeLessThanOrEqual(12_000);
    const huge = bodyOf('openai-chat', encodeAsk('openai-chat', 'look at this. '.repeat(9_000)));
    expect(await failureOf(session.send(huge, provider.call))).toMatchObject({
      code: 'compaction_deferred',
      details: { exhausted: false },
    });
  });
});
