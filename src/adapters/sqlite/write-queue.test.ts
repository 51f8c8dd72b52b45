import { describe, expect, it } from 'vitest';
import { chainOf, codeOf, entriesOf, guardWith, outcomeOf, TENANT, World } from '../../testkit/store-contract-world.ts';
import { sqliteStore } from './index.ts';
import { connectTo } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';

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
