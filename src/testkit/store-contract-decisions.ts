// Contract: the guard by compare-and-swap, a compaction as one step, outcomes in order.
import { EMPTY_GUARD } from '../core/guard/guard.ts';
import type { View } from '../core/plan/view.ts';
import type { Store } from '../ports/store.ts';
import {
  type ContractGroup,
  codeOf,
  entriesOf,
  guardWith,
  outcomeOf,
  SESSION,
  TENANT,
  viewOf,
  type World,
} from './store-contract-world.ts';

const KEY = { tenant: TENANT, guardKey: 'c1' };

export function decisionContract(group: ContractGroup): void {
  guardContract(group);
  commitContract(group);
  outcomeContract(group);
}

function guardContract({ test, expect }: ContractGroup): void {
  test('F20 a missing guard reads as the empty one; a written one comes back whole', async (world) => {
    await world.conversation();
    expect(await world.store.readGuard(KEY)).toEqual(EMPTY_GUARD);
    const rest = { reason: 'ineffective' as const, sinceMs: 5, periodMs: 6, size: 7, step: 8 };
    const full = guardWith({
      view: 'v1',
      fence: 3,
      lease: { attemptId: 'a', fence: 3, path: 'facts', sinceMs: 4 },
      pending: { mark: 10, model: 'm', sinceMs: 4 },
      strikes: 2,
      proof: { size: 11, mark: 10, models: ['m', 'n'] },
      tokens: { refills: 1, level: 2, rest, last: { mark: 10, watermark: 'w' } },
      paths: { p: { failures: 1, sinceMs: 2, periodMs: 3, deadlineMs: 4, reason: 'auth' } },
    });
    expect(await world.store.swapGuard({ ...KEY, expectedVersion: 0, guard: full })).toBe(true);
    expect(await world.peer.readGuard(KEY)).toEqual({ ...full, version: 1 });
    expect((await world.store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).guard).toEqual({ ...full, version: 1 });
  });

  test('F26 a swap on an older version writes nothing', async (world) => {
    await world.conversation();
    await world.store.swapGuard({ ...KEY, expectedVersion: 0, guard: guardWith({ fence: 1 }) });
    for (const expectedVersion of [0, 2]) {
      expect(await world.peer.swapGuard({ ...KEY, expectedVersion, guard: guardWith({ fence: 2 }) })).toBe(false);
      expect((await world.store.readGuard(KEY)).fence).toBe(1);
    }
  });

  test('F26 no write is lost among many that read and swap at once', async (world) => {
    await world.conversation();
    await Promise.all(Array.from({ length: 20 }, (_, index) => addStrike(index % 2 === 0 ? world.store : world.peer)));
    const guard = await world.store.readGuard(KEY);
    expect([guard.strikes, guard.version]).toEqual([20, 20]);
  });

  test('a guard that belongs to no conversation cannot be written', async (world) => {
    await world.conversation();
    const command = { tenant: TENANT, guardKey: 'unknown', expectedVersion: 0, guard: EMPTY_GUARD };
    expect(await codeOf(world.store.swapGuard(command))).toBe('session_not_found');
  });
}

async function addStrike(store: Store): Promise<void> {
  for (;;) {
    const guard = await store.readGuard(KEY);
    if (await store.swapGuard({ ...KEY, expectedVersion: guard.version, guard: { ...guard, strikes: guard.strikes + 1 } })) return;
  }
}

async function stateOf(world: World, viewId: string) {
  const { store } = world;
  const outcomes = await store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 10 });
  const view = await store.view({ tenant: TENANT, viewId });
  return { version: (await store.readGuard(KEY)).version, outcomes: outcomes.length, view: view?.viewId };
}

function commitContract({ test, expect }: ContractGroup): void {
  test('F24 a commit writes view, guard and outcome, and leaves the conversation as it is', async (world) => {
    const entries = await world.conversation();
    await world.store.touchConversation({ tenant: TENANT, conversationId: 'c1', atMs: 20, tipViewId: 'v0', isCurrent: true });
    const replacements = [{ position: 1, raw: '"a\\ud800b"', kind: 'prune' as const, tokens: 3 }];
    const view: View = {
      ...viewOf('v1', entries[1]!),
      body: { replacements, pinIds: ['p1'], fold: { ...viewOf('v1', entries[0]!).body.fold!, raw: '\ud800' } },
    };
    expect(await world.store.commitCompaction(world.commit(view))).toBe(true);
    expect(await world.peer.view({ tenant: TENANT, viewId: 'v1' })).toEqual(view);
    const located = await world.locate(entries);
    const { body: _body, ...head } = view;
    expect(located.views).toEqual([head]);
    expect([located.guard.version, located.guard.view, located.guard.fence]).toEqual([1, 'v1', 1]);
    expect(located.conversation?.tipViewId).toBe('v0');
    expect(await world.store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 10 })).toEqual([outcomeOf('v1')]);
  });

  test('F26 a commit on an older guard writes nothing at all', async (world) => {
    const entries = await world.conversation();
    await world.store.swapGuard({ ...KEY, expectedVersion: 0, guard: guardWith({ fence: 1 }) });
    expect(await world.store.commitCompaction(world.commit(viewOf('v1', entries[1]!)))).toBe(false);
    expect(await stateOf(world, 'v1')).toEqual({ version: 1, outcomes: 0, view: undefined });
  });

  test('F26 of two commits on one guard, exactly one takes effect', async (world) => {
    const entries = await world.conversation();
    const work = ['v1', 'v2'].map((id, index) =>
      (index === 0 ? world.store : world.peer).commitCompaction(world.commit(viewOf(id, entries[1]!))),
    );
    expect((await Promise.all(work)).sort()).toEqual([false, true]);
    expect((await stateOf(world, 'v1')).outcomes).toBe(1);
    expect((await world.store.loadConversation({ tenant: TENANT, conversationId: 'c1' })).views.length).toBe(1);
  });

  test('F24 a commit that is repeated has no second effect, another body under its id is a conflict', async (world) => {
    const entries = await world.conversation();
    const command = world.commit(viewOf('v1', entries[1]!));
    await world.store.commitCompaction(command);
    expect(await world.peer.commitCompaction({ ...command, atMs: 99 })).toBe(true);
    expect(await stateOf(world, 'v1')).toEqual({ version: 1, outcomes: 1, view: 'v1' });
    const other = { ...command, view: viewOf('v2', entries[1]!) };
    expect(await codeOf(world.store.commitCompaction(other))).toBe('operation_conflict');
    expect(await codeOf(world.store.commitCompaction(world.commit(viewOf('v1', entries[2]!), { expectedVersion: 1 })))).toBe(
      'operation_conflict',
    );
    expect(await stateOf(world, 'v2')).toEqual({ version: 1, outcomes: 1, view: undefined });
  });

  test('views are listed newest first along their bases, undo included', async (world) => {
    const entries = await world.conversation();
    const undo: View = { ...viewOf('v3', entries[3]!, 'v2'), kind: 'undo', cover: undefined, refusedFold: entries[1]!.chain };
    const views = [viewOf('v1', entries[1]!), viewOf('v2', entries[2]!, 'v1'), undo];
    for (const [expectedVersion, view] of views.entries())
      expect(await world.store.commitCompaction(world.commit(view, { expectedVersion, outcome: undefined }))).toBe(true);
    const located = await world.locate(entries);
    expect(located.views.map(({ viewId, kind, refusedFold }) => [viewId, kind, refusedFold])).toEqual([
      ['v3', 'undo', entries[1]!.chain],
      ['v2', 'compaction', undefined],
      ['v1', 'compaction', undefined],
    ]);
    expect((await world.store.listSessions({ tenant: TENANT }))[0]?.folds).toBe(2);
  });

  test('a commit for a conversation that is not there is refused', async (world) => {
    const [entry] = await world.conversation();
    const lost = world.commit(viewOf('v1', entry!), { conversationId: 'unknown' });
    expect(await codeOf(world.store.commitCompaction(lost))).toBe('session_not_found');
    expect((await stateOf(world, 'v1')).view).toBe(undefined);
  });

  test('what a caller changes after a write does not reach the store', async (world) => {
    const entries = await world.conversation();
    const models = ['m'];
    await world.store.swapGuard({ ...KEY, expectedVersion: 0, guard: guardWith({ strikes: 1, proof: { size: 2, mark: 1, models } }) });
    models.push('n');
    const pinIds = ['p1'];
    const view = { ...viewOf('v1', entries[1]!), body: { replacements: [], pinIds } };
    await world.store.commitCompaction(world.commit(view, { expectedVersion: 1, guard: await world.store.readGuard(KEY) }));
    pinIds.push('p2');
    expect((await world.store.readGuard(KEY)).proof?.models).toEqual(['m']);
    expect((await world.store.view({ tenant: TENANT, viewId: 'v1' }))?.body.pinIds).toEqual(['p1']);
  });
}

function outcomeContract({ test, expect }: ContractGroup): void {
  test('outcomes are given the last recorded first, whatever the clock said', async (world) => {
    const entries = await world.conversation();
    const record = (attemptId: string, atMs: number) =>
      world.store.recordOutcome({
        operationId: world.operationId(),
        atMs,
        tenant: TENANT,
        outcome: outcomeOf(attemptId, { atMs, status: 'no_op' }),
      });
    await record('one', 30);
    await world.store.commitCompaction(world.commit(viewOf('two', entries[1]!)));
    await record('three', 20);
    const ids = async (limit: number) =>
      (await world.store.outcomes({ tenant: TENANT, sessionId: SESSION, limit })).map(({ attemptId }) => attemptId);
    expect(await ids(10)).toEqual(['three', 'two', 'one']);
    expect(await ids(2)).toEqual(['three', 'two']);
    expect(await ids(0)).toEqual([]);
  });

  test('F24 an outcome that is recorded again stays one', async (world) => {
    await world.conversation();
    const command = { operationId: 'same', atMs: 1, tenant: TENANT, outcome: outcomeOf('one') };
    await world.store.recordOutcome(command);
    await world.peer.recordOutcome(command);
    expect((await world.store.outcomes({ tenant: TENANT, sessionId: SESSION, limit: 9 })).length).toBe(1);
    const other = { ...command, outcome: outcomeOf('two') };
    expect(await codeOf(world.store.recordOutcome(other))).toBe('operation_conflict');
    const lost = { ...command, operationId: 'lost', outcome: outcomeOf('lost', { sessionId: 'unknown' }) };
    expect(await codeOf(world.store.recordOutcome(lost))).toBe('session_not_found');
    expect((await world.locate(entriesOf(['unrelated']))).deepest).toBe(undefined);
  });
}
