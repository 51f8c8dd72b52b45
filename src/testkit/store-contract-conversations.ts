// Contract: requests that leave a chain, and conversations that come of them.
import { type ContractGroup, codeOf, entriesOf, guardWith, SESSION, TENANT, viewOf, type World } from './store-contract-world.ts';

export function conversationContract(group: ContractGroup): void {
  branchContract(group);
  rotationContract(group);
  continuationContract(group);
}

async function branched(world: World) {
  const entries = await world.conversation();
  const branch = entriesOf(['another ask', 'another answer'], entries[1]);
  await world.branch(branch, entries[1]!.chain);
  return { entries, branch, onBranch: [...entries.slice(0, 2), ...branch] };
}

function branchContract({ test, expect }: ContractGroup): void {
  test('a request that leaves the chain is stored as a branch and moves no tip', async (world) => {
    const { entries, onBranch } = await branched(world);
    const located = await world.locate(onBranch);
    expect([located.deepest, located.isBranch, located.branchFrom]).toEqual([3, true, 1]);
    expect(located.conversation?.tip?.chain).toBe(entries[3]!.chain);
    expect((await world.locate(onBranch.slice(0, 3))).branchFrom).toBe(1);
    expect((await world.locate(entries)).branchFrom).toBe(undefined);
    expect(await world.textsTo(onBranch[3]!)).toEqual(onBranch.map(({ raw }) => raw));
  });

  test('a branch may begin the chain; one that names no stored entry before it is refused', async (world) => {
    await world.conversation();
    const title = entriesOf(['name this chat']);
    expect(await world.branch(title, undefined)).toBe('appended');
    const located = await world.locate(title);
    expect([located.deepest, located.isBranch, located.branchFrom]).toEqual([0, true, undefined]);
    const [, loose] = entriesOf(['never stored', 'loose']);
    expect(await codeOf(world.branch([loose!], undefined))).toBe('transcript_invalid');
    expect(await codeOf(world.branch([loose!], 'unknown'))).toBe('transcript_invalid');
  });

  for (const isListed of [true, false])
    test(`a branch that is extended becomes a conversation with its ${isListed ? 'listed' : 'unlisted'} branch entries`, async (world) => {
      const { entries, branch, onBranch } = await branched(world);
      const more = entriesOf(['third ask'], branch[1]);
      const adopt = isListed ? { from: entries[1]!.chain, adopt: branch.map(({ chain }) => chain) } : { from: branch[1]!.chain };
      expect(await world.fork('c2', more, { ...adopt, guard: guardWith({ fence: 9, strikes: 1 }) })).toBe('appended');
      const located = await world.locate([...onBranch, ...more]);
      expect([located.deepest, located.isBranch, located.branchFrom]).toEqual([4, false, undefined]);
      expect(located.conversation?.conversationId).toBe('c2');
      expect(located.conversation?.tip?.position).toBe(4);
      expect((await world.locate(onBranch)).conversation?.conversationId).toBe('c2');
      expect([located.guard.version, located.guard.fence, located.guard.strikes]).toEqual([1, 9, 1]);
      const parent = await world.locate(entries);
      expect([parent.conversation?.conversationId, parent.guard.version]).toEqual(['c1', 0]);
    });

  test('F26 of two forks that adopt one branch, the second is refused', async (world) => {
    const { entries, branch, onBranch } = await branched(world);
    const adopt = { from: entries[1]!.chain, adopt: branch.map(({ chain }) => chain) };
    expect(await world.fork('c2', entriesOf(['mine'], branch[1]), adopt)).toBe('appended');
    expect(await world.fork('c3', entriesOf(['yours'], branch[1]), adopt)).toBe('tip-moved');
    expect(await world.store.conversation({ tenant: TENANT, conversationId: 'c3' })).toBe(undefined);
    expect((await world.locate([...onBranch, ...entriesOf(['yours'], branch[1])])).deepest).toBe(3);
  });

  test('F26 of two equal first requests at once, one conversation comes', async (world) => {
    await world.session();
    const entries = entriesOf(['hello']);
    const work = [
      world.store.appendEntries(world.createCommand('c1', entries)),
      world.peer.appendEntries(world.createCommand('c2', entries)),
    ];
    expect((await Promise.all(work)).map(({ status }) => status).sort()).toEqual(['appended', 'tip-moved']);
    expect((await world.store.conversations({ tenant: TENANT, sessionId: SESSION })).length).toBe(1);
  });

  test('a fork reads the views of its parent through the copied guard', async (world) => {
    const { entries, branch } = await branched(world);
    await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)));
    await world.fork('c2', entriesOf(['more'], branch[1]), { from: branch[1]!.chain, guard: guardWith({ view: 'v1' }) });
    const located = await world.store.loadConversation({ tenant: TENANT, conversationId: 'c2' });
    expect(located.views.map(({ viewId }) => viewId)).toEqual(['v1']);
    expect([located.deepest, located.conversation?.parentId]).toEqual([4, 'c1']);
  });

  test('a conversation id is used once', async (world) => {
    await world.conversation();
    expect(await codeOf(world.store.appendEntries(world.createCommand('c1', entriesOf(['x']))))).toBe('operation_conflict');
    expect(await codeOf(world.fork('c2', entriesOf(['x']), { from: 'unknown' }))).toBe('transcript_invalid');
  });
}

function rotation(world: World, tip: string, conversationId = 'c2') {
  const row = { origin: 'rotation' as const, parentId: 'c1', guardKey: 'c1' };
  return world.createCommand(conversationId, [], { row, from: tip, closes: 'c1' });
}

function rotationContract({ test, expect }: ContractGroup): void {
  test('F25 a rotation closes the conversation and hands on tip, guard key and the session', async (world) => {
    const entries = await world.conversation();
    await world.store.swapGuard({ tenant: TENANT, guardKey: 'c1', expectedVersion: 0, guard: guardWith({ strikes: 2 }) });
    await world.store.touchConversation({ tenant: TENANT, conversationId: 'c1', atMs: 20, isCurrent: true });
    expect(await world.store.appendEntries(rotation(world, entries[3]!.chain))).toEqual({ status: 'appended' });
    const located = await world.locate(entries);
    expect([located.conversation?.conversationId, located.deepest, located.isBranch]).toEqual(['c2', 3, false]);
    expect([located.conversation?.tip?.chain, located.guard.strikes]).toEqual([entries[3]!.chain, 2]);
    expect((await world.store.conversation({ tenant: TENANT, conversationId: 'c1' }))?.successorId).toBe('c2');
    expect((await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.currentConversationId).toBe('c2');
  });

  test('F25 the child goes on with the full history, the closed parent cannot', async (world) => {
    const entries = await world.conversation();
    await world.store.appendEntries(rotation(world, entries[3]!.chain));
    const more = entriesOf(['after'], entries[3]);
    expect(await world.extend(more, entries[3]!.chain, 'c1')).toBe('tip-moved');
    expect(await world.extend(more, entries[3]!.chain, 'c2')).toBe('appended');
    expect(await world.textsTo(more[0]!)).toEqual([...entries, ...more].map(({ raw }) => raw));
    expect((await world.locate([...entries, ...more])).conversation?.conversationId).toBe('c2');
  });

  test('F26 a second rotation, or one of an older tip, is refused', async (world) => {
    const entries = await world.conversation();
    const more = entriesOf(['meanwhile'], entries[3]);
    await world.extend(more, entries[3]!.chain);
    expect(await world.store.appendEntries(rotation(world, entries[3]!.chain))).toEqual({ status: 'tip-moved' });
    expect(await world.store.appendEntries(rotation(world, more[0]!.chain))).toEqual({ status: 'appended' });
    expect(await world.peer.appendEntries(rotation(world, more[0]!.chain, 'c3'))).toEqual({ status: 'tip-moved' });
  });

  test('F25 successors are followed over several rotations', async (world) => {
    const entries = await world.conversation();
    const tip = entries[3]!.chain;
    await world.store.appendEntries(rotation(world, tip));
    const row = { origin: 'rotation' as const, parentId: 'c2', guardKey: 'c1' };
    await world.store.appendEntries(world.createCommand('c3', [], { row, from: tip, closes: 'c2' }));
    expect((await world.locate(entries.slice(0, 2))).conversation?.conversationId).toBe('c3');
    const ids = (await world.store.conversations({ tenant: TENANT, sessionId: SESSION })).map(({ conversationId }) => conversationId);
    expect(ids).toEqual(['c1', 'c2', 'c3']);
  });
}

function continuationContract({ test, expect }: ContractGroup): void {
  const row = { origin: 'continuation' as const, parentId: 'c1', guardKey: 'c1' };

  test('a continuation has a chain of its own and shares the guard record in both directions', async (world) => {
    const entries = await world.conversation();
    const carried = entriesOf(['what was said so far']);
    await world.store.appendEntries(world.createCommand('c2', carried, { row, closes: 'c1' }));
    await world.store.swapGuard({ tenant: TENANT, guardKey: 'c1', expectedVersion: 0, guard: guardWith({ strikes: 1 }) });
    const located = await world.locate(carried);
    expect([located.conversation?.conversationId, located.guard.strikes, located.guard.version]).toEqual(['c2', 1, 1]);
    expect((await world.store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).guard.strikes).toBe(1);
    expect(await world.textsTo(entries[3]!)).toEqual(entries.map(({ raw }) => raw));
  });

  test('a continuation in another session leaves the old session as it is', async (world) => {
    const entries = await world.conversation();
    await world.session({ key: 'key-b', sessionId: 'session-b' });
    const carried = entriesOf(['what was said so far']);
    await world.store.appendEntries(world.createCommand('c2', carried, { row: { ...row, sessionId: 'session-b' }, closes: 'c1' }));
    expect((await world.locate(carried, 'session-b')).conversation?.conversationId).toBe('c2');
    const old = await world.locate(entries);
    expect([old.conversation?.conversationId, old.conversation?.successorId]).toEqual(['c1', 'c2']);
    expect(await world.extend(entriesOf(['still here'], entries[3]), entries[3]!.chain)).toBe('appended');
  });

  test('a parent that does not exist is refused before anything is written', async (world) => {
    await world.conversation();
    const lost = world.createCommand('c2', entriesOf(['x']), { row: { ...row, parentId: 'unknown' } });
    expect(await codeOf(world.store.appendEntries(lost))).toBe('session_not_found');
    const unclosed = world.createCommand('c2', entriesOf(['x']), { row, closes: 'unknown' });
    expect(await codeOf(world.store.appendEntries(unclosed))).toBe('session_not_found');
    expect((await world.locate(entriesOf(['x']))).deepest).toBe(undefined);
  });
}
