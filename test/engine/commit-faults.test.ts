// A commit that cannot be written: the summary it had bought is not bought again at every request.
import { describe, expect, it } from 'vitest';
import { UllageError } from '../../src/core/errors.ts';
import { memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf } from '../support/conversation.ts';
import { grown, makeWorld } from '../support/world.ts';

const API = 'openai-chat';

describe('a commit that the store refuses', () => {
  it('cools the path of the summary that was paid for, and the request goes on (F24)', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    store.commitCompaction = () => Promise.reject(new UllageError('store_unavailable', 'The disk is full.'));
    const summarizer = scriptedSummarizer();
    const session = await world.session('k', { summarizer });
    const body = grown(API, 5).ask();
    for (let round = 0; round < 4; round += 1) await session.prepare(body);
    expect(summarizer.calls).toBe(1);
    const row = (await store.findSession({ tenant: 'local', key: 'k' }))!;
    const { guard } = await store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! });
    expect(guard.lease).toBeUndefined();
    expect(Object.values(guard.paths)).toEqual([expect.objectContaining({ failures: 1, reason: 'store' })]);
    await world.clock.advance(60_000);
    await session.prepare(body);
    expect(summarizer.calls).toBe(2);
  });

  it('charges nobody where no model was asked', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const commit = store.commitCompaction;
    store.commitCompaction = () => Promise.reject(new UllageError('store_unavailable', 'The disk is full.'));
    const session = await world.session();
    const body = grown(API, 5).ask();
    await session.prepare(body);
    expect(await session.guard()).toMatchObject({ state: 'clear', decision: 'allow' });
    store.commitCompaction = commit;
    expect((await session.prepare(body)).outcome?.status).toBe('compacted');
  });
});

describe('growth since a commit of another chain', () => {
  it('is what lies behind the first entry of this one', async () => {
    const store = memoryStore();
    const world = makeWorld(API, { store });
    const messages = [
      { role: 'user', content: 'word1 '.repeat(8_000) },
      { role: 'assistant', content: 'Read.' },
      { role: 'user', content: 'Go on.' },
    ];
    const body = bodyOf(API, messages);
    await (await world.session('k', { models: { window: 100_000 } })).prepare(body);
    const row = (await store.findSession({ tenant: 'local', key: 'k' }))!;
    const load = () => store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! });
    const { conversation, guard } = await load();
    const key = { tenant: 'local', guardKey: conversation!.guardKey };
    const tokens = { ...guard.tokens, refills: 1, last: { mark: 1_000, watermark: 'of another chain' } };
    const isSwapped = await store.swapGuard({
      ...key,
      expectedVersion: guard.version,
      guard: { ...guard, version: guard.version + 1, tokens },
    });
    expect(isSwapped).toBe(true);
    expect((await (await world.session()).prepare(body)).outcome?.status).toBe('compacted');
    expect((await load()).guard.tokens.refills).toBe(2);
  });
});
