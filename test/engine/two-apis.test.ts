// One key used for two APIs: plain texts are the same messages in both, but nothing made for one is sent to the other.
import { describe, expect, it } from 'vitest';
import { createUllage, type UllageOptions } from '../../src/index.ts';
import { memoryStore } from '../../src/testkit/index.ts';

const messages = Array.from({ length: 61 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `word${index} `.repeat(60),
}));
const body = { model: 'm', max_tokens: 50, messages };

function sessionOf(store: UllageOptions['store'], api: UllageOptions['api'], window = 6_000) {
  const models = { window, maxOutputTokens: 100 };
  return createUllage({ store, api, models, policy: { tailTokens: 300 } }).session('k');
}

describe('a key shared by two APIs', () => {
  it('keeps their conversations apart, also in another process, and also for render (F10)', async () => {
    const store = memoryStore();
    const chat = await (await sessionOf(store, 'openai-chat')).prepare(body);
    expect(chat.outcome?.status).toBe('compacted');
    const roomy = await sessionOf(store, 'anthropic', 100_000);
    expect((await roomy.render(body)).text).toBe(JSON.stringify(body));
    expect((await roomy.prepare(body)).text).toBe(JSON.stringify(body));
    const own = await (await sessionOf(store, 'anthropic')).prepare(body);
    expect(own.outcome?.status).toBe('compacted');
    expect(own.outcome?.conversationId).not.toBe(chat.outcome?.conversationId);
    const later = await sessionOf(store, 'anthropic', 100_000);
    expect((await later.render(body)).text).toBe(own.text);
    expect((await later.prepare(body)).text).toBe(own.text);
    expect((await (await sessionOf(store, 'openai-chat', 100_000)).prepare(body)).text).toBe(chat.text);
    const beside = await store.findSession({ tenant: 'local', key: 'k@anthropic' });
    const rows = await store.conversations({ tenant: 'local', sessionId: beside!.sessionId });
    expect(new Set(rows.map(({ api }) => api))).toEqual(new Set(['anthropic']));
  });

  it('names, compacts and exports the one that stands beside, not the other (F10)', async () => {
    const store = memoryStore();
    await (await sessionOf(store, 'openai-chat')).prepare(body);
    const beside = await sessionOf(store, 'anthropic', 100_000);
    await beside.prepare({
      ...body,
      messages: [...messages, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'only here' }],
    });
    expect(beside.key).toBe('k@anthropic');
    expect(await beside.export()).toContain('only here');
    expect((await beside.compact()).status).toBe('compacted');
    expect((await beside.delete()).entries).toBe(63);
    expect(await store.findSession({ tenant: 'local', key: 'k' })).toBeDefined();
  });
});
