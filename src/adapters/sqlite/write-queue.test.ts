import { describe, expect, it } from 'vitest';
import { chainOf, codeOf, entriesOf, guardWith, outcomeOf, TENANT, World } from '../../testkit/store-contract-world.ts';
import { systemClock } from '../system/index.ts';
import type { Sql } from './database.ts';
import { loadSqliteDriver, sqliteStore } from './index.ts';
import { openDatabase } from './open.ts';
import { connectTo } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';
import { WriteQueue } from './write-queue.ts';

async function withWorld(body: (world: World, path: string) => Promise<void>): Promise<void> {
  await withPath(async (path) => {
    const store = sqliteStore(path);
    const world = new World({ store, peer: store, dispose: () => store.close() });
    await world.session();
    await body(world, path);
    await store.close();
  });
}

const ids = Array.from({ length: 20 }, (_, index) => `attempt-${index}`);

describe('writes that are asked for at once', () => {
  const record = (world: World, id: string, operationId = id) =>
    world.store.recordOutcome({ operationId, atMs: 1, tenant: TENANT, outcome: outcomeOf(id) });
  const recorded = async (world: World) =>
    (await world.store.outcomes({ tenant: TENANT, sessionId: 'session-a', limit: 100 })).map(({ attemptId }) => attemptId).reverse();

  it('take effect in the order they were asked for, and none is answered before it is committed', () =>
    withWorld(async (world, path) => {
      const connection = await connectTo(path);
      const seen: number[] = [];
      const count = () => connection.prepare('SELECT count(*) AS rows FROM outcomes').get() as { rows: number };
      await Promise.all(ids.map((id) => record(world, id).then(() => seen.push(count().rows))));
      connection.close();
      expect(await recorded(world)).toEqual(ids);
      // No answer comes before its own commit.
      expect(seen.every((rows, index) => rows > index)).toBe(true);
    }));

  it('F24 one that is refused takes none of the others with it', () =>
    withWorld(async (world) => {
      await record(world, 'before', 'used');
      const lost = { ...outcomeOf('lost'), sessionId: 'nowhere' };
      const codes = await Promise.all([
        ...ids.map((id) => codeOf(record(world, id))),
        codeOf(record(world, 'another', 'used')),
        codeOf(world.store.recordOutcome({ operationId: 'lost', atMs: 1, tenant: TENANT, outcome: lost })),
        codeOf(record(world, 'after')),
      ]);
      expect(codes).toEqual([...ids.map(() => 'none'), 'operation_conflict', 'session_not_found', 'none']);
      expect(await recorded(world)).toEqual(['before', ...ids, 'after']);
    }));

  it('F24 a row that is damaged fails the one that reads it, and none of the others', () =>
    withWorld(async (world, path) => {
      await world.conversation();
      await world.store.swapGuard({ tenant: TENANT, guardKey: 'c1', expectedVersion: 0, guard: guardWith({ fence: 1 }) });
      const connection = await connectTo(path);
      connection.exec("UPDATE guards SET record = '{broken'");
      connection.close();
      const followed = () => {
        const chain = chainOf(entriesOf(['ask']));
        return world.store.followRequest({ tenant: TENANT, sessionId: 'session-a', api: 'anthropic', atMs: 2, chain, entries: [] });
      };
      const codes = await Promise.all([
        codeOf(record(world, 'one')),
        codeOf(record(world, 'two')),
        codeOf(followed()),
        codeOf(record(world, 'three')),
      ]);
      expect([codes[0], codes[1], codes[3]]).toEqual(['none', 'none', 'none']);
      expect(codes[2]).not.toBe('none');
      expect(await recorded(world)).toEqual(['one', 'two', 'three']);
    }));

  it('and not answered yet are written before the store closes', () =>
    withWorld(async (world) => {
      const writes = ids.map((id) => record(world, id));
      await new Promise((resolve) => process.nextTick(resolve));
      await world.store.close();
      await Promise.all(writes);
      await world.store.open();
      expect(await recorded(world)).toEqual(ids);
    }));
});

describe('a queue of writes', () => {
  type Work = (sql: Sql) => unknown;
  const NO_SQL = {} as Sql;

  /** Takes longer than a shared transaction takes on writes. */
  const slowly = <T>(result: () => T): T => {
    for (const sinceMs = performance.now(); performance.now() - sinceMs < 10; );
    return result();
  };

  it('that holds more than one transaction takes on is written in order, also when the database is closed', () =>
    withPath(async (path) => {
      const driver = await loadSqliteDriver();
      const options = { busyTimeoutMs: 0, retryForMs: 0, synchronous: 'normal', mustExist: false } as const;
      const done: number[] = [];
      for (const isClosed of [false, true]) {
        const database = await openDatabase({ path, driver, clock: systemClock, ...options });
        const writes = [0, 1, 2, 3].map((write) => database.write(() => slowly(() => done.push(write))));
        if (isClosed) database.close();
        await Promise.all(writes);
        if (!isClosed) database.close();
      }
      expect(done).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    }));

  it('F26 lets none wait for another that waits for the database', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let shared = 0;
    const works: Record<string, Work> = { first: () => 'first', refused: () => 'refused', last: () => release() };
    const queue = new WriteQueue(async (work) => {
      const isShared = !Object.values(works).includes(work as Work);
      if (isShared) shared += 1;
      if (isShared) throw new Error('a fault of one of them');
      if (work === works.refused) await held;
      return work(NO_SQL);
    });
    await Promise.all(Object.values(works).map((work) => queue.add(work)));
    expect(shared).toBe(1);
  });
});
