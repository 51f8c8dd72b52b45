import { describe, expect, it } from 'vitest';
import { EMPTY_GUARD } from '../../core/guard/guard.ts';
import { guardWith, TENANT, World } from '../../testkit/store-contract-world.ts';
import { sqliteStore } from './index.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { connectTo } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';

const OLD = [{ version: 1, sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL);' }];
const NEW = [...OLD, { version: 2, sql: "ALTER TABLE things ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';" }];

describe('migrations', () => {
  it('are numbered upwards without a gap', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it('apply what is missing, once; rows written before a column read as its default', () =>
    withPath(async (path) => {
      const connection = await connectTo(path);
      migrate(connection, OLD, path);
      connection.exec("INSERT INTO things (name) VALUES ('old')");
      migrate(connection, NEW, path);
      migrate(connection, NEW, path);
      expect({ ...(connection.prepare('SELECT * FROM things').get() as object) }).toEqual({ id: 1, name: 'old', colour: 'grey' });
      expect(connection.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
      connection.close();
    }));

  it('F24 a step that fails takes all of its opening back', () =>
    withPath(async (path) => {
      const connection = await connectTo(path);
      migrate(connection, OLD, path);
      const broken = [...NEW, { version: 3, sql: 'CREATE TABLE half (x); CREATE TABLE things (y);' }];
      expect(() => migrate(connection, broken, path)).toThrow();
      expect(connection.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
      expect(connection.prepare("SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table'").get()).toEqual({ tables: 1 });
      migrate(connection, NEW, path);
      connection.close();
    }));

  it('a newer version is refused before anything is read', () =>
    withPath(async (path) => {
      const connection = await connectTo(path);
      migrate(connection, NEW, path);
      expect(() => migrate(connection, OLD, path)).toThrow(expect.objectContaining({ code: 'store_newer' }));
      connection.close();
    }));

  it('F20 a guard record of an older version reads with the values of the empty one', () =>
    withPath(async (path) => {
      const store = sqliteStore(path);
      const world = new World({ store, peer: store, dispose: () => store.close() });
      await world.conversation();
      const key = { tenant: TENANT, guardKey: 'c1' };
      await store.swapGuard({ ...key, expectedVersion: 0, guard: guardWith({ strikes: 1 }) });
      const connection = await connectTo(path);
      connection.exec(`UPDATE guards SET record = '{"version":1,"fence":4,"tokens":{"level":2}}'`);
      connection.close();
      const expected = { ...EMPTY_GUARD, version: 1, fence: 4, tokens: { refills: 0, level: 2 } };
      expect(await store.readGuard(key)).toEqual(expected);
      expect(await store.swapGuard({ ...key, expectedVersion: 1, guard: expected })).toBe(true);
      await store.close();
    }));
});
