import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { scratchFolder } from './testing/scratch.ts';

const scratch = scratchFolder();

describe('the file of --db', () => {
  test.each([{ mustExist: true }, { mustExist: false }])('another kind of file is left as it is, mode and all (%j)', async (options) => {
    const file = scratch.write('notes.txt', 'not a database, but dear to somebody');
    chmodSync(file, 0o644);
    await expect(openDatabase(file, options)).rejects.toMatchObject({ code: 'store_corrupt', exitCode: 69 });
    expect(readFileSync(file, 'utf8')).toBe('not a database, but dear to somebody');
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test('a read creates nothing where nothing is, and makes no database of an empty file', async () => {
    const missing = scratch.path('missing.db');
    const empty = scratch.write('empty.db', '');
    await expect(openDatabase(missing, { mustExist: true })).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(openDatabase(empty, { mustExist: true })).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(existsSync(missing)).toBe(false);
    expect(statSync(empty).size).toBe(0);
  });

  test('a database is opened again, also by a read', async () => {
    const file = scratch.path('real.db');
    await (await openDatabase(file, { mustExist: false })).close();
    const store = await openDatabase(file, { mustExist: true });
    expect(await store.listSessions({ tenant: 'local' })).toEqual([]);
    await store.close();
  });

  test.each(['postgres://host/name', ':memory:'])('%s is refused by name', async (db) => {
    await expect(openDatabase(db, { mustExist: false })).rejects.toMatchObject({
      code: 'option_invalid',
      message: expect.stringContaining('--db'),
    });
  });
});
