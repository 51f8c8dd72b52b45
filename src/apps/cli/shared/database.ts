// The database that --db names. A file that is no database is left as it is.
import { open, stat } from 'node:fs/promises';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { UllageError } from '../../../core/errors.ts';
import type { Store } from '../../../ports/store.ts';

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;
/** The first bytes of every SQLite file (https://www.sqlite.org/fileformat.html). */
const SQLITE_MAGIC = 'SQLite format 3\0';

export interface OpenDatabaseOptions {
  readonly mustExist: boolean;
  /** As of `sqliteStore`. */
  readonly retryForMs?: number;
}

/**
 * Opens the named file. With `mustExist` nothing is created where there is no database.
 * Throws option_invalid, store_unavailable, store_corrupt, store_newer.
 */
export async function openDatabase(db: string, options: OpenDatabaseOptions): Promise<Store> {
  if (URL_START.test(db)) {
    throw new UllageError(
      'option_invalid',
      `--db ${JSON.stringify(db)}: expected the path of a SQLite file; this version reads no database URL.`,
    );
  }
  if (db === ':memory:') throw new UllageError('option_invalid', '--db ":memory:": a database in memory is empty; name a file.');
  await refuseOtherFiles(db, options.mustExist);
  const store = sqliteStore(db, options);
  await store.open();
  return store;
}

async function refuseOtherFiles(db: string, mustExist: boolean): Promise<void> {
  const existing = await stat(db).catch(() => undefined);
  if (!existing?.isFile()) return;
  if (existing.size > 0) {
    if ((await startOf(db)) === SQLITE_MAGIC) return;
    throw new UllageError('store_corrupt', `${db} is not a SQLite database: name another path.`, { hint: 'Nothing was changed.' });
  }
  // What a killed writer did may still stand in the log alone.
  const log = await stat(`${db}-wal`).catch(() => undefined);
  if (mustExist && (log?.size ?? 0) === 0)
    throw new UllageError('store_unavailable', `${db} is an empty file, not a database yet: check the path.`);
}

async function startOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw new UllageError('store_unavailable', `${file} cannot be read: ${cause.code ?? cause.message}.`, { cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
