// Contract: requests that are located and stored in one step.
import type { FollowRequest, NewEntry } from '../ports/store.ts';
import { type ContractGroup, chainOf, codeOf, entriesOf, SESSION, TENANT, type World } from './store-contract-world.ts';

const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;

/** A request of these entries, of which the last `count` may be new. */
function asked(entries: readonly NewEntry[], count: number, change: Partial<FollowRequest> = {}): FollowRequest {
  const place = { tenant: TENANT, sessionId: SESSION, api: 'anthropic' as const, atMs: 20 };
  return { ...place, chain: chainOf(entries), entries: entries.slice(entries.length - count), ...change };
}

/** Four entries of `c1`, whose tip has a stamp, and what may follow: an answer and an ask. */
async function world4(world: World): Promise<{ readonly stored: NewEntry[]; readonly all: NewEntry[] }> {
  const stored = await world.conversation(['ask', 'answer', 'ask more']);
  await world.store.touchConversation({ tenant: TENANT, conversationId: 'c1', atMs: 11, tipViewId: 'v1', isCurrent: true });
  return { stored, all: [...stored, ...entriesOf(['answer more', 'ask on', 'answer on', 'ask again'], stored[2])] };
}

export function followContract(group: ContractGroup): void {
  followed(group);
  leftAlone(group);
}

function followed({ test, expect }: ContractGroup): void {
  test('a request that goes on from the tip is stored, and what stood before is answered', async (world) => {
    const { stored, all } = await world4(world);
    const before = await world.locate(all);
    expect(await world.store.followRequest(asked(all, 4))).toEqual({ ...before, appendedFrom: 3 });
    const located = await world.locate(all);
    expect([located.deepest, located.isBranch, located.conversation?.tip]).toEqual([6, false, { chain: all[6]!.chain, position: 6 }]);
    expect(await world.textsTo(all[6]!)).toEqual(all.map(({ raw }) => raw));
    expect(before.conversation?.tip?.chain).toBe(stored[2]!.chain);
  });

  test('the answer behind the tip is stamped with what the request there was rendered through, later ones are not', async (world) => {
    const { all } = await world4(world);
    await world.store.followRequest(asked(all, 4));
    const stored = await world.store.readEntries({ tenant: TENANT, sessionId: SESSION, tip: all[6]!.chain });
    expect(stored.map(({ viewId }) => viewId)).toEqual([undefined, undefined, undefined, 'v1', undefined, undefined, undefined]);
  });

  test('entries that are stored may come along', async (world) => {
    const { all } = await world4(world);
    expect((await world.store.followRequest(asked(all, all.length))).appendedFrom).toBe(3);
    expect(await world.textsTo(all[6]!)).toEqual(all.map(({ raw }) => raw));
  });

  test('the same request again changes nothing', async (world) => {
    const { all } = await world4(world);
    await world.store.followRequest(asked(all, 4));
    const before = await world.locate(all);
    expect(await world.peer.followRequest(asked(all, 4, { atMs: 30 }))).toEqual(before);
    expect(await world.locate(all)).toEqual(before);
    expect((await world.store.listSessions({ tenant: TENANT }))[0]?.entries).toBe(7);
  });

  test('F26 of two requests that go on from one tip at once, one is stored and the other finds where it left', async (world) => {
    const { stored } = await world4(world);
    const results = await Promise.all(
      [world.store, world.peer].map((store, index) => {
        const entries = [...stored, ...entriesOf([`answer ${index}`, 'on'], stored[2])];
        return store.followRequest(asked(entries, 2));
      }),
    );
    expect(results.map(({ appendedFrom }) => appendedFrom).sort()).toEqual([3, undefined]);
    const other = results.find(({ appendedFrom }) => appendedFrom === undefined);
    expect([other?.deepest, other?.conversation?.tip?.position]).toEqual([2, 4]);
  });

  test('the session goes on with the conversation that was appended to', async (world) => {
    const { stored, all } = await world4(world);
    await world.fork('c2', entriesOf(['another ask'], stored[1]), { from: stored[1]!.chain });
    await world.store.touchConversation({ tenant: TENANT, conversationId: 'c2', atMs: 12, isCurrent: true });
    const current = async () => (await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.currentConversationId;
    expect(await current()).toBe('c2');
    await world.store.followRequest(asked(stored, 3));
    expect(await current()).toBe('c2');
    await world.store.followRequest(asked(all, 4));
    expect(await current()).toBe('c1');
  });

  test('the time of the newest request is kept to a minute', async (world) => {
    const { all } = await world4(world);
    const timeAfter = async (count: number, atMs: number) => {
      await world.store.followRequest(asked(all.slice(0, count), 1, { atMs }));
      return (await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.lastRequestAtMs;
    };
    expect(await timeAfter(4, 11 + MINUTE_MS)).toBe(11 + MINUTE_MS);
    expect(await timeAfter(5, 5)).toBe(11 + MINUTE_MS);
    expect(await timeAfter(6, 11 + 9 * MINUTE_MS)).toBe(11 + 9 * MINUTE_MS);
  });

  test(
    'without texts the request is stored all the same',
    async (world) => {
      const { all } = await world4(world);
      expect((await world.store.followRequest(asked(all, 4))).appendedFrom).toBe(3);
      expect(await world.textsTo(all[6]!)).toEqual(all.map(() => undefined));
    },
    { storage: 'none' },
  );
}

function leftAlone({ test, expect }: ContractGroup): void {
  test('what does more than go on is only located', async (world) => {
    const { stored, all } = await world4(world);
    const edited = [...stored.slice(0, 2), ...entriesOf(['another ask'], stored[1])];
    const fresh = entriesOf(['another beginning']);
    const requests: Record<string, FollowRequest> = {
      'leaves the chain before the tip': asked(edited, 1),
      'is a part of what is stored': asked(stored.slice(0, 2), 2),
      'ends at the tip': asked(stored, 3),
      'is known to no conversation': asked(fresh, 1),
      'does not bring all that is new': asked(all, 3),
      'is of another API': asked(all, 4, { api: 'openai-chat' }),
      'is of an unknown session': asked(all, 4, { sessionId: 'nowhere' }),
      'is of another tenant': asked(all, 4, { tenant: 'tenant-b' }),
    };
    const before = await world.store.loadConversation({ tenant: TENANT, conversationId: 'c1' });
    for (const [name, request] of Object.entries(requests)) {
      const { tenant, sessionId, chain } = request;
      expect([name, await world.store.followRequest(request)]).toEqual([name, await world.store.locate({ tenant, sessionId, chain })]);
    }
    expect(await world.store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).toEqual(before);
    expect((await world.store.listSessions({ tenant: TENANT }))[0]?.entries).toBe(3);
  });

  test('more than a megabyte of new entries is only located, a megabyte is stored', async (world) => {
    const { stored } = await world4(world);
    // Two bytes each: bytes count, not letters.
    const [shortest] = entriesOf([''], stored[2]);
    const sized = (bytes: number) => [...stored, ...entriesOf(['é'.repeat((bytes - shortest!.raw.length) / 2)], stored[2])];
    const room = MEGABYTE - ((MEGABYTE - shortest!.raw.length) % 2);
    expect((await world.store.followRequest(asked(sized(room + 2), 1))).appendedFrom).toBe(undefined);
    expect((await world.locate(sized(room + 2))).deepest).toBe(2);
    expect((await world.store.followRequest(asked(sized(room), 1))).appendedFrom).toBe(3);
  });

  test('a branch, and a conversation that was closed, are only located', async (world) => {
    const { stored } = await world4(world);
    const branch = entriesOf(['another ask'], stored[1]);
    await world.branch(branch, stored[1]!.chain);
    const onBranch = [...stored.slice(0, 2), ...branch, ...entriesOf(['its answer', 'on'], branch[0])];
    expect((await world.store.followRequest(asked(onBranch, 2))).appendedFrom).toBe(undefined);
    const row = { origin: 'continuation' as const, parentId: 'c1' };
    await world.store.appendEntries(world.createCommand('c2', entriesOf(['carried on']), { row, closes: 'c1' }));
    const late = [...stored, ...entriesOf(['late'], stored[2])];
    const found = await world.store.followRequest(asked(late, 1));
    expect([found.appendedFrom, found.conversation?.conversationId]).toEqual([undefined, 'c2']);
  });

  test('a text that cannot be stored is refused, and nothing of the request is stored', async (world) => {
    const { all } = await world4(world);
    const broken = all.map((entry, index) => (index === 5 ? { ...entry, raw: '"\ud800"' } : entry));
    expect(await codeOf(world.store.followRequest(asked(broken, 4)))).toBe('transcript_invalid');
    expect((await world.locate(all)).deepest).toBe(2);
  });
}
