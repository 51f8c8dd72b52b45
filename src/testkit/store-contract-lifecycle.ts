// Contract: sessions, opening and closing, deletion, retention, a store without texts.
import type { AppendEntries } from '../ports/store.ts';
import { type ContractGroup, codeOf, entriesOf, guardWith, SESSION, TENANT, viewOf, type World } from './store-contract-world.ts';

export function lifecycleContract(group: ContractGroup): void {
  sessionContract(group);
  deletionContract(group);
  withoutTextsContract(group);
}

function sessionContract({ test, expect, isForgetful }: ContractGroup): void {
  test('a session is created once for a key, and found by it', async (world) => {
    const ensure = { tenant: TENANT, key: 'k', sessionId: 's1', atMs: 5 };
    const row = { sessionId: 's1', tenant: TENANT, key: 'k', createdAtMs: 5, lastRequestAtMs: 5 };
    expect(await world.store.ensureSession(ensure)).toEqual(row);
    expect(await world.peer.ensureSession({ ...ensure, sessionId: 's2', atMs: 9 })).toEqual(row);
    expect(await world.store.findSession({ tenant: TENANT, key: 'k' })).toEqual(row);
    expect(await world.store.findSession({ tenant: TENANT, key: 'K' })).toBe(undefined);
    expect(await codeOf(world.store.ensureSession({ ...ensure, key: 'other' }))).toBe('operation_conflict');
    for (const key of ['half \ud800', 'a\0b']) expect(await codeOf(world.store.ensureSession({ ...ensure, key }))).toBe('option_invalid');
  });

  test('F26 two openings of one key at once give one session', async (world) => {
    const work = ['s1', 's2', 's3', 's4'].map((sessionId, index) =>
      (index % 2 === 0 ? world.store : world.peer).ensureSession({ tenant: TENANT, key: 'k', sessionId, atMs: 5 }),
    );
    expect(new Set((await Promise.all(work)).map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  test('the newest request is noted, and never goes back in time', async (world) => {
    await world.conversation();
    const place = { tenant: TENANT, conversationId: 'c1' };
    await world.store.touchConversation({ ...place, atMs: 90, tipViewId: 'v1', lastModel: 'm', lastBudget: '{}', isCurrent: true });
    await world.store.touchConversation({ ...place, atMs: 80, lastModel: 'n', isCurrent: false });
    const row = await world.store.conversation(place);
    expect([row?.tipViewId, row?.lastModel, row?.lastBudget]).toEqual(['v1', 'n', '{}']);
    const session = await world.store.findSession({ tenant: TENANT, key: 'key-a' });
    expect([session?.lastRequestAtMs, session?.currentConversationId]).toEqual([90, 'c1']);
  });

  test('what is appended is a request of its session, and never goes back in time', async (world) => {
    const stored = await world.conversation();
    const append = async (command: AppendEntries, atMs: number) => {
      await world.store.appendEntries({ ...command, atMs });
      return (await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.lastRequestAtMs;
    };
    const left = stored[1]!;
    const branch = { kind: 'branch', conversationId: 'c1', from: left.chain } as const;
    const extend = { kind: 'extend', conversationId: 'c1', expectedTip: stored[3]!.chain } as const;
    expect(await append(world.createCommand('c2', entriesOf(['another beginning'])), 70)).toBe(70);
    expect(await append(world.createCommand('c3', entriesOf(['a third'])), 60)).toBe(70);
    expect(await append(world.command(branch, entriesOf(['another ask'], left)), 80)).toBe(80);
    expect(await append(world.command(extend, entriesOf(['on'], stored[3])), 90)).toBe(90);
    expect((await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.currentConversationId).toBe('c1');
  });

  test('sessions are listed with their counts, the newest request first', async (world) => {
    const entries = await world.conversation();
    await world.session({ key: 'key-b', sessionId: 'session-b', atMs: 500 });
    const listed = await world.store.listSessions({ tenant: TENANT });
    expect(listed.map(({ key }) => key)).toEqual(['key-b', 'key-a']);
    const sizeBytes = entries.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
    const counts = { conversations: 1, entries: 4, folds: 0, sizeBytes };
    const row = { sessionId: SESSION, tenant: TENANT, key: 'key-a', createdAtMs: 1, lastRequestAtMs: 10, currentConversationId: 'c1' };
    expect(listed[1]).toEqual({ ...row, ...counts });
    expect((await world.store.listSessions({ tenant: TENANT, limit: 1 })).map(({ key }) => key)).toEqual(['key-b']);
  });

  test('a store may be opened twice; a closed one says so; opened again it holds what it held', async (world) => {
    const entries = await world.conversation();
    await world.store.open();
    await world.store.close();
    expect(await codeOf(world.store.findSession({ tenant: TENANT, key: 'key-a' }))).toBe('store_unavailable');
    await world.store.close();
    await world.store.open();
    if (!isForgetful) expect((await world.locate(entries)).deepest).toBe(3);
    expect((await world.store.check()).filter(({ ok }) => !ok)).toEqual([]);
  });
}

async function twoSessions(world: World) {
  const entries = await world.conversation();
  await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)));
  await world.session({ key: 'key-b', sessionId: 'session-b', atMs: 100 });
  const row = { origin: 'continuation' as const, parentId: 'c1', guardKey: 'c1', sessionId: 'session-b' };
  await world.store.appendEntries(world.createCommand('c2', entries, { row, closes: 'c1' }));
  await world.index();
  await world.index('session-b');
  return entries;
}

function deletionContract({ test, expect }: ContractGroup): void {
  test('a deleted session is gone with all it held; a second deletion finds nothing', async (world) => {
    const entries = await world.conversation();
    await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)));
    await world.index();
    const { store } = world;
    expect(await store.deleteSession({ tenant: TENANT, sessionId: SESSION })).toEqual({ entries: 4 });
    expect(await store.deleteSession({ tenant: TENANT, sessionId: SESSION })).toEqual({ entries: 0 });
    const nothing = await Promise.all([
      store.findSession({ tenant: TENANT, key: 'key-a' }),
      store.conversation({ tenant: TENANT, conversationId: 'c1' }),
      store.view({ tenant: TENANT, viewId: 'v1' }),
      store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 9 }),
      store.search({ tenant: TENANT, sessionId: SESSION, text: 'ask', limit: 9 }),
      store.findEntry({ tenant: TENANT, chainPrefix: entries[0]!.chain }),
    ]);
    expect(nothing).toEqual([undefined, undefined, undefined, [], [], undefined]);
    expect((await store.readGuard({ tenant: TENANT, guardKey: 'c1' })).version).toBe(0);
    expect(await codeOf(world.extend(entriesOf(['late'], entries[3]), entries[3]!.chain))).toBe('session_not_found');
    expect((await world.conversation()).length).toBe(4);
    expect((await world.locate(entries)).guard.version).toBe(0);
  });

  test('a deletion leaves other sessions whole, with the guard record they share', async (world) => {
    const entries = await twoSessions(world);
    await world.store.deleteSession({ tenant: TENANT, sessionId: SESSION });
    const located = await world.locate(entries, 'session-b');
    expect([located.deepest, located.conversation?.conversationId, located.guard.version]).toEqual([3, 'c2', 1]);
    expect((await world.store.readEntries({ tenant: TENANT, sessionId: 'session-b', tip: entries[3]!.chain })).length).toBe(4);
    expect((await world.store.search({ tenant: TENANT, sessionId: 'session-b', text: 'ask', limit: 9 })).length).toBe(2);
    const swapped = { tenant: TENANT, guardKey: 'c1', expectedVersion: 1, guard: guardWith({ fence: 5 }) };
    expect(await world.store.swapGuard(swapped)).toBe(true);
    expect(await world.store.deleteSession({ tenant: TENANT, sessionId: 'session-b' })).toEqual({ entries: 4 });
    expect((await world.store.readGuard({ tenant: TENANT, guardKey: 'c1' })).version).toBe(0);
  });

  test('pruning deletes the sessions whose last request is older, of one tenant or of all', async (world) => {
    await twoSessions(world);
    await world.session({ tenant: 'tenant-b', key: 'key-a', sessionId: SESSION, atMs: 1 });
    expect(await world.store.prune({ tenant: TENANT, olderThanMs: 1 })).toEqual({ sessions: 0, entries: 0 });
    expect(await world.store.prune({ tenant: TENANT, olderThanMs: 100 })).toEqual({ sessions: 1, entries: 4 });
    expect((await world.store.listSessions({ tenant: TENANT })).map(({ key }) => key)).toEqual(['key-b']);
    expect(await world.store.prune({ olderThanMs: 101 })).toEqual({ sessions: 2, entries: 4 });
    expect(await world.store.listSessions({ tenant: 'tenant-b' })).toEqual([]);
  });
}

function withoutTextsContract({ test, expect }: ContractGroup): void {
  const none = { storage: 'none' as const };

  test(
    'a store without texts keeps what decides and gives no text back',
    async (world) => {
      const entries = await world.conversation();
      expect(world.store.storage).toBe('none');
      await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)));
      const located = await world.locate(entries);
      expect([located.deepest, located.guard.version, located.views.length]).toEqual([3, 1, 1]);
      const stored = await world.store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: entries[3]!.chain });
      expect(stored).toEqual(entries.map(({ raw: _raw, ...entry }) => ({ ...entry, atMs: 10 })));
      expect((await world.store.findEntry({ tenant: TENANT, chainPrefix: entries[0]!.chain }))?.raw).toBe(undefined);
      expect((await world.store.listSessions({ tenant: TENANT }))[0]?.sizeBytes).toBe(0);
    },
    none,
  );

  test(
    'a store without texts indexes nothing, and a search says not_stored',
    async (world) => {
      const [entry] = await world.conversation();
      expect(await world.store.unindexedEntries({ tenant: TENANT, sessionId: SESSION, limit: 9 })).toEqual([]);
      await world.store.indexEntries({ tenant: TENANT, sessionId: SESSION, rows: [{ chain: entry!.chain, text: 'secret' }] });
      expect(await codeOf(world.store.search({ tenant: TENANT, sessionId: SESSION, text: 'secret', limit: 9 }))).toBe('not_stored');
    },
    none,
  );
}
