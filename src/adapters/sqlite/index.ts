// The store on SQLite: one file, any number of processes.
import { resolve } from 'node:path';
import { UllageError } from '../../core/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { systemClock } from '../system/index.ts';
import { appendCommand } from './append.ts';
import { checkDatabase } from './check.ts';
import { commitCommands } from './commits.ts';
import type { StoreContext } from './context.ts';
import { type Database, MAX_BUSY_TIMEOUT_MS } from './database.ts';
import type { SqliteDriver } from './driver.ts';
import { entryCommands } from './entries.ts';
import { closedError } from './faults.ts';
import { MEMORY_PATH } from './file.ts';
import { followCommand } from './follow.ts';
import { loadSqliteDriver } from './load-driver.ts';
import { locateCommands } from './locate.ts';
import { observationCommands } from './observations.ts';
import { openDatabase } from './open.ts';
import { emptyTrash, removalCommands } from './removal.ts';
import { searchCommands } from './search.ts';
import { sessionCommands } from './sessions.ts';

export { betterSqlite3Driver } from './better-sqlite3-driver.ts';
export type { SqliteConnection, SqliteDriver, SqliteErrand, SqliteFault, SqliteStatement, SqlValue } from './driver.ts';
export { loadSqliteDriver } from './load-driver.ts';
export { nodeSqliteDriver } from './node-driver.ts';

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /**
   * 'none' keeps no messages: reading gives none, search and undo answer not_stored. What a view changed is kept, and a fold's summary quotes
   * lines of the conversation. Default 'full'.
   */
  readonly storage?: 'full' | 'none';
  /** The SQLite library. Default: node:sqlite where the runtime has it, else better-sqlite3. */
  readonly driver?: SqliteDriver;
  /**
   * 'normal' loses nothing when the process dies; a power failure may take the last commits, never the consistency. 'full' waits for the
   * disk at every commit. Default 'normal'.
   */
  readonly synchronous?: 'normal' | 'full';
  /** Wait for another writer inside SQLite, which blocks the event loop: 0 to 50 ms, default 25. */
  readonly busyTimeoutMs?: number;
  /** Wait for another writer in all, without blocking; then store_unavailable. Default 5,000 ms. */
  readonly retryForMs?: number;
  /** Refuse a path where no database is, rather than create one. Default false. */
  readonly mustExist?: boolean;
  readonly clock?: Clock;
}

const BUSY_TIMEOUT_MS = 25;
const RETRY_FOR_MS = 5_000;

/**
 * A store in one SQLite file, or in memory with ':memory:'. Several processes may use the file at once.
 *
 * After a crash at any point what was answered is there, and nothing is half written. The file and its log can be read by their owner
 * alone (mode 0600). Nothing is touched before `open()` or the first command.
 *
 * Fails with option_invalid; store_unavailable (no library, no folder, no permission, disk full, held by another program), store_corrupt
 * and store_newer, each naming the path and what to do.
 *
 * @example
 * ```ts
 * import { sqliteStore } from 'ullage/sqlite';
 * const store = sqliteStore('agent.db');
 * ```
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): Store {
  const { storage = 'full' } = options;
  const opener = openerOf(path, options);
  const context: StoreContext = { storage, database: async () => (await opener.opened()).db };
  return {
    storage,
    open: () => opener.open(),
    close: () => opener.close(),
    check: async () => {
      const { db, driver } = await opener.opened();
      return checkDatabase(db, { path: opener.path, driver });
    },
    ...sessionCommands(context),
    ...locateCommands(context),
    ...followCommand(context),
    ...appendCommand(context),
    ...entryCommands(context),
    ...commitCommands(context),
    ...observationCommands(context),
    ...searchCommands(context),
    ...removalCommands(context),
  };
}

interface Opened {
  readonly db: Database;
  readonly driver: SqliteDriver;
  /** Ends when deletions of a process that died are finished, or cannot be: `check` tells what is left. */
  readonly cleared: Promise<void>;
}

/** Opens once, however many commands ask for it; a failed opening is tried again by the next. */
function openerOf(given: string, options: SqliteStoreOptions) {
  const {
    busyTimeoutMs = BUSY_TIMEOUT_MS,
    retryForMs = RETRY_FOR_MS,
    synchronous = 'normal',
    mustExist = false,
    clock = systemClock,
  } = options;
  const path = pathOf(given);
  assertWithin('busyTimeoutMs', busyTimeoutMs, MAX_BUSY_TIMEOUT_MS);
  assertWithin('retryForMs', retryForMs, Number.MAX_SAFE_INTEGER);
  let opening: Promise<Opened> | undefined;
  let isClosed = false;

  async function openNow(): Promise<Opened> {
    const driver = options.driver ?? (await loadSqliteDriver());
    const db = await openDatabase({ path, driver, busyTimeoutMs, retryForMs, synchronous, mustExist, clock });
    return { db, driver, cleared: emptyTrash(db).catch(() => undefined) };
  }
  function opened(): Promise<Opened> {
    if (isClosed) return Promise.reject(closedError(path));
    if (opening !== undefined) return opening;
    const attempt = openNow();
    opening = attempt;
    attempt.catch(() => {
      if (opening === attempt) opening = undefined;
    });
    return attempt;
  }
  return {
    path,
    opened,
    async open() {
      isClosed = false;
      await opened();
    },
    async close() {
      isClosed = true;
      const closing = opening;
      opening = undefined;
      const closed = await closing?.catch(() => undefined);
      await closed?.cleared;
      closed?.db.close();
    },
  };
}

/** Absolute, so that a later change of the working folder, or a name that begins like a URI, means no other file. */
function pathOf(given: string): string {
  if (given === MEMORY_PATH) return given;
  if (given === '' || given.includes('\0'))
    throw new UllageError('option_invalid', 'The path of the database is empty or holds a NUL: name a file.');
  return resolve(given);
}

function assertWithin(name: string, value: number, limit: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= limit) return;
  throw new UllageError('option_invalid', `${name} is ${value}: give a whole number of milliseconds from 0 to ${limit}.`);
}
