// prepare through its public door: bytes, identity, forks, faults of the store.
import { describe, expect, it } from 'vitest';
import { createUllage, UllageError } from '../../src/index.ts';
import { manualClock, memoryStore } from '../../src/testkit/index.ts';
import { makeConversation, messagesOf } from '../support/conversation.ts';
import { sentOf } from '../support/world.ts';

const models = { window: 20_000, maxOutputTokens: 2_000 };

function open(store = memoryStore()) {
  return createUllage({ store, clock: manualClock(0), api: 'openai-chat', models, policy: { tailTokens: 2_000 } });
}

function grown(turns: number) {
  const conversation = makeConversation('openai-chat', 11);
  for (let turn = 0; turn < turns; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  return conversation;
}

describe('below the threshold', () => {
  it('gives JSON text back byte for byte, with odd numbers, white space and unknown fields', async () => {
    const session = await open().session('k');
    const text =
      '{ "model":"m", "temperature":1.0, "seed":12345678901234567890,\n "messages":[ {"role":"user","content":"a\\u00e9\\/b","x":1e2} ] }';
    const prepared = await session.prepare(text);
    expect(prepared.text).toBe(text);
    expect(prepared.outcome).toBeUndefined();
  });

  it('gives the caller its own object back', async () => {
    const session = await open().session('k');
    const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
    expect((await session.prepare(body)).body).toBe(body);
  });

  it('takes bytes, and refuses bytes that are not UTF-8', async () => {
    const session = await open().session('k');
    const text = '{"model":"m","messages":[{"role":"user","content":"é"}]}';
    expect((await session.prepare(new TextEncoder().encode(text))).text).toBe(text);
    await expect(session.prepare(new Uint8Array([0x7b, 0xff]))).rejects.toMatchObject({ code: 'transcript_invalid' });
  });

  it('has a context size that is estimated until a reading, then measured', async () => {
    const session = await open().session('k');
    const messages: object[] = [{ role: 'user', content: 'hi' }];
    const first = await session.prepare({ model: 'm', messages });
    expect(first.context.kind).toBe('estimated');
    await session.observe(first.id, { prompt_tokens: 4_321, completion_tokens: 1 });
    messages.push({ role: 'assistant', content: 'yes' }, { role: 'user', content: 'go' });
    const second = await session.prepare({ model: 'm', messages });
    expect(second.context.kind).toBe('measured');
    expect(second.context.tokens).toBeGreaterThan(4_321);
    expect(second.context.tokens).toBeLessThan(4_400);
  });
});

describe('above the threshold', () => {
  it('compacts once, keeps the first ask and the newest ask verbatim, and the next request extends the same bytes', async () => {
    const session = await open().session('k');
    const conversation = grown(8);
    const prepared = await session.prepare(conversation.ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', triggerReason: 'token_threshold', exhausted: false });
    expect(prepared.text).toContain('Ask 0: mend');
    expect(prepared.text).toContain('Never push to main.');
    expect(messagesOf(prepared.body).at(-1)).toMatchObject({ role: 'user' });
    const next = await session.prepare(conversation.ask());
    expect(next.outcome?.status).not.toBe('compacted');
    const before = messagesOf(prepared.body).map((message) => JSON.stringify(message));
    expect(
      messagesOf(next.body)
        .map((message) => JSON.stringify(message))
        .slice(0, before.length),
    ).toEqual(before);
  });

  it('is seen by another process on the same store', async () => {
    const store = memoryStore();
    const conversation = grown(8);
    const body = conversation.ask();
    const first = await (await open(store).session('k')).prepare(body);
    const again = await (await open(store).session('k')).prepare(body);
    expect(first.outcome?.status).toBe('compacted');
    expect(again.outcome).toBeUndefined();
    expect(again.text).toBe(first.text);
  });

  it('leaves the caller’s own message objects in the body where nothing changed', async () => {
    const session = await open().session('k');
    const body = grown(8).ask();
    const prepared = await session.prepare(body);
    expect(messagesOf(prepared.body).at(-1)).toBe(messagesOf(body).at(-1));
  });
});

describe('forks', () => {
  it('renders a request that left the chain through the folds it shares, and makes it a conversation when it is extended', async () => {
    const store = memoryStore();
    const session = await open(store).session('k');
    const conversation = grown(8);
    const body = conversation.ask();
    const prepared = await session.prepare(body);
    const edited = { ...body, messages: [...messagesOf(body).slice(0, -1), { role: 'user', content: 'Another question.' }] };
    const fork = await session.prepare(edited);
    expect(fork.outcome).toBeUndefined();
    expect(messagesOf(fork.body).length).toBe(messagesOf(prepared.body).length);
    const row = (await store.findSession({ tenant: 'local', key: 'k' }))!;
    expect(await store.conversations({ tenant: 'local', sessionId: row.sessionId })).toHaveLength(1);
    const extended = {
      ...edited,
      messages: [...edited.messages, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'On.' }],
    };
    await session.prepare(extended);
    const conversations = await store.conversations({ tenant: 'local', sessionId: row.sessionId });
    expect(conversations).toHaveLength(2);
    expect(conversations[1]).toMatchObject({ origin: 'fork', parentId: conversations[0]!.conversationId });
  });
});

describe('faults', () => {
  it('a store that can be read but not written changes no byte of what was sent before, and loses no pin (Law 7, Law 9)', async () => {
    const store = memoryStore();
    const session = await open(store).session('k');
    const conversation = grown(8);
    const first = await session.prepare(conversation.ask());
    expect(first.outcome?.status).toBe('compacted');
    await session.pin('Speak of ravens only.');
    conversation.grow({ steps: 1, resultWords: 20 });
    const before = await session.prepare(conversation.ask());
    const { appendEntries, followRequest } = store;
    const full = () => Promise.reject(new UllageError('store_unavailable', 'full'));
    Object.assign(store, { appendEntries: full, followRequest: full });
    conversation.grow({ steps: 1, resultWords: 20 });
    const during = await session.prepare(conversation.ask());
    expect(during.text.split('Speak of ravens only.')).toHaveLength(2);
    expect(sentOf(during).slice(0, sentOf(before).length)).toEqual(sentOf(before));
    Object.assign(store, { appendEntries, followRequest });
    const after = await session.prepare(conversation.ask());
    expect(sentOf(after).slice(0, sentOf(during).length)).toEqual(sentOf(during));
  });

  it('sends a request again as it was, without a fault, while the store cannot be written (Law 7, F26)', async () => {
    const store = memoryStore();
    const body = grown(8).ask();
    const first = await open(store).session('k');
    const before = await first.prepare(body);
    expect(before.outcome?.status).toBe('compacted');
    const held = () => Promise.reject(new UllageError('store_unavailable', 'held'));
    const again = await open({ ...store, followRequest: held, touchConversation: held, appendEntries: held }).session('k');
    const repeated = await again.prepare(body);
    expect([repeated.text, repeated.leftAlone]).toEqual([before.text, undefined]);
  });

  it('lets the request go out uncompacted, and says so, when the store is down (Law 9)', async () => {
    const store = memoryStore();
    const session = await open(store).session('k');
    const down = () => Promise.reject(new UllageError('store_unavailable', 'gone'));
    Object.assign(store, { locate: down, followRequest: down });
    const conversation = grown(1);
    const small = conversation.ask();
    expect((await session.prepare(small)).text).toBe(JSON.stringify(small));
    for (let turn = 0; turn < 6; turn++) conversation.grow({ steps: 3, resultWords: 250 });
    const large = await session.prepare(conversation.ask());
    expect(large.outcome?.exhausted).toBe(false);
    expect(large.context.tokens).toBeLessThanOrEqual(large.budget.window);
  });

  it.each([['null'], ['[]'], ['{"messages":[}'], ['{"model":"m"}'], ['{"messages":[1]}'], ['']])(
    'refuses %s with transcript_invalid',
    async (text) => {
      const session = await open().session('k');
      await expect(session.prepare(text)).rejects.toMatchObject({ code: 'transcript_invalid' });
    },
  );

  it.each([
    [{ threshold: Number.NaN }],
    [{ threshold: 0.3, target: 0.5 }],
    [{ target: -1 }],
    [{ threshold: 0 }],
    [{ tailTokens: Number.POSITIVE_INFINITY }],
    [{ messageLimit: 0 }],
  ])('refuses the policy %o with option_invalid', (policy) => {
    expect(() => createUllage({ store: memoryStore(), api: 'anthropic', policy })).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    );
  });

  it.each([
    ['guard.strikeLimit', { guard: { strikeLimit: Number.NaN } }],
    ['guard.leaseMs', { guard: { leaseMs: 0 } }],
    ['models', { models: null }],
    ['models', { models: 200_000 }],
    ['summarizer', { summarizer: null }],
    ['beforeCompact', { beforeCompact: 'cancel' }],
    ['tenant', { tenant: '' }],
    ['route', { route: 5 }],
    ['clock.now', { clock: {} }],
    ['log.write', { log: null }],
    ['counter.count', { counter: {} }],
  ])('refuses a bad %s with option_invalid: %o', (option, bad) => {
    const options = { store: memoryStore(), api: 'anthropic', ...bad } as unknown as Parameters<typeof createUllage>[0];
    expect(() => createUllage(options)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(`Option ${option} is`) }),
    );
  });

  it('refuses a window of 0', async () => {
    expect(() => createUllage({ store: memoryStore(), api: 'anthropic', models: { window: 0 } })).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    );
  });
});
