// Contract: what belongs to another tenant is not found, and cannot be changed.
import { EMPTY_GUARD } from '../core/guard/guard.ts';
import {
  anchorOf,
  type ContractGroup,
  chainOf,
  codeOf,
  entriesOf,
  guardWith,
  outcomeOf,
  SESSION,
  TENANT,
  viewOf,
  type World,
} from './store-contract-world.ts';

const OTHER = 'tenant-b';

async function filled(world: World) {
  const entries = await world.conversation();
  await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)));
  const pin = { pinId: 'p1', text: 'secret', createdAtMs: 5 };
  await world.store.addPin({ operationId: world.operationId(), atMs: 5, tenant: TENANT, conversationId: 'c1', pin });
  await world.index();
  return entries;
}

export function tenantContract({ test, expect }: ContractGroup): void {
  test('every question of another tenant is answered as if there were nothing', async (world) => {
    const entries = await filled(world);
    const { store } = world;
    const tenant = OTHER;
    const place = { tenant, sessionId: SESSION };
    const nothing = await Promise.all([
      store.findSession({ tenant, key: 'key-a' }),
      store.listSessions({ tenant }),
      store.conversation({ tenant, conversationId: 'c1' }),
      store.conversations(place),
      store.readEntries({ ...place, tip: entries[3]!.chain }),
      store.findEntry({ tenant, chainPrefix: entries[3]!.chain }),
      store.view({ tenant, viewId: 'v1' }),
      store.outcomes({ ...place, limit: 9 }),
      store.pins({ tenant, conversationId: 'c1' }),
      store.unindexedEntries({ ...place, limit: 9 }),
      store.search({ ...place, text: 'ask', limit: 9 }),
    ]);
    expect(nothing).toEqual([undefined, [], undefined, [], [], undefined, undefined, [], [], [], []]);
    expect(await store.readGuard({ tenant, guardKey: 'c1' })).toEqual(EMPTY_GUARD);
    const empty = { guard: EMPTY_GUARD, views: [], anchors: [], pins: [], calibrations: [], isBranch: false };
    expect(await store.locate({ ...place, chain: chainOf(entries) })).toEqual(empty);
    expect(await store.loadConversation({ tenant, conversationId: 'c1' })).toEqual(empty);
  });

  test('every write of another tenant is refused and changes nothing', async (world) => {
    const entries = await filled(world);
    const { store } = world;
    const before = await store.loadConversation({ tenant: TENANT, conversationId: 'c1' });
    const tenant = OTHER;
    const head = () => ({ operationId: world.operationId(), atMs: 70, tenant });
    const more = entriesOf(['theirs'], entries[3]);
    const extend = { kind: 'extend' as const, conversationId: 'c1', expectedTip: entries[3]!.chain };
    const pin = { pinId: 'p2', text: 'theirs', createdAtMs: 5 };
    const place = { tenant, conversationId: 'c1' };
    const writes = [
      store.appendEntries(world.command(extend, more, { tenant })),
      store.appendEntries({ ...world.createCommand('c9', more, { from: entries[3]!.chain }), tenant }),
      store.touchConversation({ ...place, atMs: 70, tipViewId: 'theirs', isCurrent: true }),
      store.swapGuard({ tenant, guardKey: 'c1', expectedVersion: 1, guard: guardWith({ strikes: 9 }) }),
      store.commitCompaction(world.commit(viewOf('v2', entries[2]!), { tenant, expectedVersion: 1 })),
      store.recordOutcome({ ...head(), outcome: outcomeOf('theirs') }),
      store.recordObservation({ ...head(), ...place, sessionId: SESSION, anchor: anchorOf(entries[3]!) }),
      store.addPin({ ...head(), ...place, pin }),
      store.placePin({ ...place, pinId: 'p1', placedAt: entries[0]!.chain }),
      store.removePin({ ...head(), ...place, pinId: 'p1' }),
      store.indexEntries({ tenant, sessionId: SESSION, rows: [{ chain: entries[0]!.chain, text: 'theirs' }] }),
    ];
    expect(await Promise.all(writes.map(codeOf))).toEqual(writes.map(() => 'session_not_found'));
    expect(await store.deleteSession({ tenant, sessionId: SESSION })).toEqual({ entries: 0 });
    expect(await store.prune({ tenant, olderThanMs: 1_000_000 })).toEqual({ sessions: 0, entries: 0 });
    expect(await store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).toEqual(before);
    expect((await store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 9 })).length).toBe(1);
  });

  test('two tenants may use the same key, ids, operation ids and words', async (world) => {
    await filled(world);
    const { store } = world;
    const used = world.operationId();
    await store.recordOutcome({ operationId: used, atMs: 1, tenant: TENANT, outcome: outcomeOf('ours') });
    await store.ensureSession({ tenant: OTHER, key: 'key-a', sessionId: SESSION, atMs: 1 });
    const theirs = entriesOf(['their own']);
    const command = { ...world.createCommand('c1', theirs), tenant: OTHER, operationId: used };
    expect(await store.appendEntries(command)).toEqual({ status: 'appended' });
    const located = await store.locate({ tenant: OTHER, sessionId: SESSION, chain: chainOf(theirs) });
    expect([located.deepest, located.guard.version, located.pins]).toEqual([0, 0, []]);
    await store.deleteSession({ tenant: OTHER, sessionId: SESSION });
    expect((await store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).guard.version).toBe(1);
    expect((await store.search({ tenant: TENANT, sessionId: SESSION, text: 'ask', limit: 9 })).length).toBe(2);
  });
}
