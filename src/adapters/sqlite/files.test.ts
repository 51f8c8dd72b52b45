import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UllageError } from '../../core/errors.ts';
import { entriesOf, TENANT, World } from '../../testkit/store-contract-world.ts';
import { type SqliteStoreOptions, sqliteStore } from './index.ts';
import { connectTo, driverWith } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';

const PAGE_BYTES = 4_096;

async function errorOf(work: Promise<unknown>): Promise<{ code: string; message: string; fault: unknown }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!UllageError.is(error)) throw new Error('no UllageError', { cause: error });
  return { code: error.code, message: error.message, fault: error.details.fault };
}

async function worldOn(path: string, options: SqliteStoreOptions = {}): Promise<World> {
  const store = sqliteStore(path, options);
  await store.open();
  return new World({ store, peer: store, dispose: () => store.close() });
}

/** A database with one conversation of some pages, closed. */
async function filled(path: string): Promise<ReturnType<typeof entriesOf>> {
  const world = await worldOn(path);
  const entries = await world.conversation(Array.from({ length: 200 }, (_, index) => `message ${index} ${'text '.repeat(200)}`));
  await world.store.close();
  return entries;
}

describe('a path that cannot be a database', () => {
  const refused: [name: string, path: (path: string) => string, says: string][] = [
    ['a folder that is not there', (path) => join(path, 'deeper', 'agent.db'), 'does not exist: create it'],
    ['a file where a folder should be', (path) => join(path, 'agent.db'), 'is not a folder'],
    ['a folder', (path) => dirname(path), 'is a folder: name a file in it'],
  ];
  for (const [name, derive, says] of refused)
    it(`${name} is refused with the path and what to do`, () =>
      withPath(async (path) => {
        if (name.startsWith('a file')) writeFileSync(path, '');
        const bad = derive(path);
        const error = await errorOf(sqliteStore(bad).open());
        expect([error.code, error.message.includes(says), error.message.includes(dirname(path))]).toEqual([
          'store_unavailable',
          true,
          true,
        ]);
      }));

  it('a missing file is created, or refused when it must exist', () =>
    withPath(async (path) => {
      expect((await errorOf(sqliteStore(path, { mustExist: true }).open())).code).toBe('store_unavailable');
      expect(existsSync(path)).toBe(false);
      await (await worldOn(path)).store.close();
      await (await worldOn(path, { mustExist: true })).store.close();
    }));

  it('options out of range are refused at once', () => {
    for (const make of [() => sqliteStore(''), () => sqliteStore('a\0b'), () => sqliteStore(':memory:', { busyTimeoutMs: 51 })])
      expect(make).toThrow(expect.objectContaining({ code: 'option_invalid' }));
    expect(() => sqliteStore(':memory:', { retryForMs: -1 })).toThrow('retryForMs is -1');
  });

  it('a name that begins like a URI is a name', () =>
    withPath(async (path) => {
      const folder = join(dirname(path), 'file:x');
      mkdirSync(folder);
      await (await worldOn(join(folder, 'agent.db?mode=memory'))).store.close();
      expect(existsSync(join(folder, 'agent.db?mode=memory'))).toBe(true);
    }));
});

describe('a damaged or foreign file', () => {
  const SQLITE_OF_ANOTHER = 'a database of another program';
  const kinds: [name: string, content: string | undefined, mustExist: boolean, code: string][] = [
    ['an empty file that must be a database', '', true, 'store_unavailable'],
    ['a short text', 'abc', true, 'store_corrupt'],
    ['a short text where a new database could be', 'abc', false, 'store_corrupt'],
    ['a long text', 'no database '.repeat(1_000), false, 'store_corrupt'],
    ['a long text that must be a database', 'no database '.repeat(1_000), true, 'store_corrupt'],
    [SQLITE_OF_ANOTHER, undefined, true, 'store_unavailable'],
    [SQLITE_OF_ANOTHER, undefined, false, 'store_unavailable'],
  ];
  it.each(kinds)('%s (%j, must exist: %j) is refused, and keeps bytes and mode', (_, content, mustExist, code) =>
    withPath(async (path) => {
      if (content === undefined) {
        const other = await connectTo(path);
        other.exec('CREATE TABLE theirs (x)');
        other.close();
      } else writeFileSync(path, content);
      chmodSync(path, 0o644);
      const bytes = readFileSync(path);
      const error = await errorOf(sqliteStore(path, { mustExist }).open());
      expect([error.code, error.message.includes(path)]).toEqual([code, true]);
      expect([readFileSync(path).equals(bytes), statSync(path).mode & 0o777]).toEqual([true, 0o644]);
      expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`), existsSync(`${path}-journal`)]).toEqual([false, false, false]);
    }),
  );

  it('a text file, and an overwritten header, are not a database', () =>
    withPath(async (path) => {
      writeFileSync(path, 'not a database, but long enough to be read as one '.repeat(100));
      const text = await errorOf(sqliteStore(path).open());
      expect([text.code, text.message.includes(path), text.message.includes('is not a SQLite database')]).toEqual([
        'store_corrupt',
        true,
        true,
      ]);
      expect(readFileSync(path, 'utf8').startsWith('not a database')).toBe(true);
      writeFileSync(path, '');
      await filled(path);
      overwrite(path, 0, 16);
      expect((await errorOf(sqliteStore(path).open())).code).toBe('store_corrupt');
    }));

  it('a file that was cut short is damaged', () =>
    withPath(async (path) => {
      await filled(path);
      truncateSync(path, PAGE_BYTES * 9);
      const error = await errorOf(sqliteStore(path).open());
      expect([error.code, error.message.includes('is damaged'), error.message.includes(path)]).toEqual(['store_corrupt', true, true]);
    }));

  it('damage in the middle is an error of the command that meets it, and found by check', () =>
    withPath(async (path) => {
      const entries = await filled(path);
      const pages = statSync(path).size / PAGE_BYTES;
      for (let page = pages - 25; page < pages; page += 1) overwrite(path, page * PAGE_BYTES, PAGE_BYTES);
      const world = await worldOn(path);
      expect((await errorOf(world.textsTo(entries.at(-1)!))).code).toBe('store_corrupt');
      const failed = (await world.store.check()).filter(({ ok }) => !ok);
      expect(failed.map(({ name }) => name)).toContain('integrity');
      await world.store.close();
    }));

  it('a database of another program is left alone', () =>
    withPath(async (path) => {
      const other = await connectTo(path);
      other.exec('CREATE TABLE theirs (x); PRAGMA user_version = 3');
      const error = await errorOf(sqliteStore(path).open());
      expect([error.code, error.message.includes('belongs to another program')]).toEqual(['store_unavailable', true]);
      expect(other.prepare('SELECT count(*) AS tables FROM sqlite_master').get()).toEqual({ tables: 1 });
      other.close();
    }));

  it('a newer schema is refused with both versions', () =>
    withPath(async (path) => {
      await filled(path);
      const connection = await connectTo(path);
      connection.exec('PRAGMA user_version = 999');
      connection.close();
      const error = await errorOf(sqliteStore(path).open());
      expect([error.code, error.message.includes('999'), error.message.includes('upgrade ullage')]).toEqual(['store_newer', true, true]);
    }));
});

function overwrite(path: string, from: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from);
  closeSync(file);
}

describe('a file that cannot be written', () => {
  it('F24 a full disk refuses the append, keeps what is there, and is over when there is room', () =>
    withPath(async (path) => {
      const entries = await filled(path);
      let limit = 'PRAGMA max_page_count = 400';
      const driver = await driverWith((connection) => {
        connection.exec(limit);
        return connection;
      });
      const full = await worldOn(path, { driver });
      const more = entriesOf(['x'.repeat(600_000), 'y'.repeat(600_000), 'z'.repeat(600_000)], entries.at(-1));
      const command = full.command({ kind: 'extend', conversationId: 'c1', expectedTip: entries.at(-1)!.chain }, more);
      const error = await errorOf(full.store.appendEntries(command));
      expect([error.code, error.fault, error.message.includes('is full')]).toEqual(['store_unavailable', 'full', true]);
      expect((await full.locate([...entries, ...more])).deepest).toBe(199);
      expect(await full.extend(entriesOf(['small'], more[2]), more[2]!.chain)).toBe('tip-moved');
      expect((await full.store.check()).filter(({ ok }) => !ok)).toEqual([]);
      await full.store.close();
      limit = '';
      await full.store.open();
      expect(await full.store.appendEntries(command)).toEqual({ status: 'appended' });
      expect((await full.locate([...entries, ...more])).deepest).toBe(202);
      await full.store.close();
    }));

  // Modes do not bind the administrator, who runs many of these tests: the connection itself refuses to write here.
  it('a read-only database answers questions and refuses writes', () =>
    withPath(async (path) => {
      const entries = await filled(path);
      const driver = await driverWith((connection) => {
        connection.exec('PRAGMA query_only = ON');
        return connection;
      });
      const world = await worldOn(path, { driver });
      expect((await world.locate(entries)).deepest).toBe(199);
      const error = await errorOf(world.extend(entriesOf(['more'], entries.at(-1)), entries.at(-1)!.chain));
      expect([error.code, error.fault, error.message.includes(path)]).toEqual(['store_unavailable', 'read-only', true]);
      await world.store.close();
    }));

  it.skipIf(process.getuid?.() === 0)(
    'a folder without permission to write is named (skipped for the administrator, whom modes do not bind)',
    () =>
      withPath(async (path) => {
        const folder = join(dirname(path), 'closed');
        mkdirSync(folder, { mode: 0o500 });
        const error = await errorOf(sqliteStore(join(folder, 'agent.db')).open());
        expect([error.code, error.message.includes('cannot be created')]).toEqual(['store_unavailable', true]);
      }),
  );
});

describe('a file that is held by another writer', () => {
  async function held(path: string, clock: SqliteStoreOptions['clock']) {
    await filled(path);
    const world = await worldOn(path, { busyTimeoutMs: 0, retryForMs: 1_000, clock });
    const holder = await connectTo(path);
    holder.exec('BEGIN IMMEDIATE');
    return { world, holder };
  }

  it('F26 waits without blocking, and goes on when the other is done', () =>
    withPath(async (path) => {
      const waits: number[] = [];
      let release = (): void => {};
      const wait = async (ms: number) => {
        waits.push(ms);
        if (waits.length === 3) release();
      };
      const { world, holder } = await held(path, { now: () => 0, wait });
      release = () => holder.exec('COMMIT');
      await world.store.touchConversation({ tenant: TENANT, conversationId: 'c1', atMs: 99, isCurrent: true });
      expect((await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.lastRequestAtMs).toBe(99);
      expect([waits.length, waits.every((ms) => ms >= 10 && ms <= 60)]).toEqual([3, true]);
      holder.close();
      await world.store.close();
    }));

  it('F26 gives up in time with an error that can be tried again; questions are answered meanwhile', () =>
    withPath(async (path) => {
      let now = 0;
      const { world, holder } = await held(path, {
        now: () => now,
        wait: async (ms) => {
          now += ms;
        },
      });
      expect((await world.store.findSession({ tenant: TENANT, key: 'key-a' }))?.sessionId).toBe('session-a');
      const error = await errorOf(world.session({ key: 'another' }));
      expect([error.code, error.fault, now >= 1_000 && now < 1_100]).toEqual(['store_unavailable', 'busy', true]);
      holder.exec('ROLLBACK');
      holder.close();
      await world.store.close();
    }));
});

describe('a request that is stored already, while another writer holds the file', () => {
  it('F26 is found without a wait', () =>
    withPath(async (path) => {
      const entries = await filled(path);
      const wait = () => Promise.reject(new Error('it waited'));
      const world = await worldOn(path, { busyTimeoutMs: 0, clock: { now: () => 0, wait } });
      const holder = await connectTo(path);
      holder.exec('BEGIN IMMEDIATE');
      const request = { tenant: TENANT, sessionId: 'session-a', api: 'anthropic' as const, atMs: 5 };
      for (const sent of [entries, entriesOf(['another beginning'])]) {
        const followed = await world.store.followRequest({ ...request, chain: sent.map(({ chain }) => chain), entries: sent });
        expect([followed.deepest, followed.appendedFrom]).toEqual([sent === entries ? 199 : undefined, undefined]);
      }
      holder.exec('ROLLBACK');
      holder.close();
      await world.store.close();
    }));
});

describe.skipIf(process.platform === 'win32')('modes of the files', () => {
  const modesOf = (path: string) => ['', '-wal', '-shm'].map((end) => statSync(path + end).mode & 0o777);

  it('are 0600 for new files whatever the umask, and are closed on files that were open', () =>
    withPath(async (path) => {
      const before = process.umask(0);
      try {
        const world = await worldOn(path);
        await world.conversation();
        expect(modesOf(path)).toEqual([0o600, 0o600, 0o600]);
        for (const end of ['', '-wal', '-shm']) chmodSync(path + end, 0o644);
        expect((await world.store.check()).find(({ name }) => name === 'file modes')?.ok).toBe(false);
        const again = await worldOn(path);
        expect(modesOf(path)).toEqual([0o600, 0o600, 0o600]);
        expect((await again.store.check()).filter(({ ok }) => !ok)).toEqual([]);
        await again.store.close();
        await world.store.close();
      } finally {
        process.umask(before);
      }
    }));
});
