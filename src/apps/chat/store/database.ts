// One SQLite file beside the store, through the driver that the library gives. Transactions are short; another writer is waited for
// without blocking the event loop.
import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  loadSqliteDriver,
  type SqliteConnection,
  type SqliteDriver,
  type SqliteStatement,
  type SqlValue,
} from '../../../adapters/sqlite/index.ts';
import { UllageError } from '../../../index.ts';
import { MIGRATIONS } from './schema.ts';

const PRIVATE_MODE = 0o600;
const BUSY_TIMEOUT_MS = 25;
const RETRY_MIN_MS = 5;
const RETRY_MAX_MS = 40;
const RETRY_FOR_MS = 15_000;

type Bindable = SqlValue | undefined;

/** Statements of one transaction. */
export interface Sql {
  /** The number of rows it changed. */
  run(sql: string, ...values: Bindable[]): number;
  get<Row>(sql: string, ...values: Bindable[]): Row | undefined;
  all<Row>(sql: string, ...values: Bindable[]): Row[];
}

export interface Database {
  read<T>(work: (sql: Sql) => T): Promise<T>;
  /** All or nothing. Outlasts the death of the process, not that of the machine. */
  write<T>(work: (sql: Sql) => T): Promise<T>;
  /** The same, with everything written before it, also when the power fails: for what must be noted before the world is told. */
  writeDurably<T>(work: (sql: Sql) => T): Promise<T>;
  close(): void;
}

/** Opens and creates it, with mode 0600. Throws store_unavailable, store_newer. */
export async function openDatabase(file: string): Promise<Database> {
  const driver = await loadSqliteDriver();
  if (!existsSync(file)) createPrivate(file);
  const { connection, close } = await retried(driver, file, () => openConnection(driver, file));
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string): SqliteStatement => {
    const known = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const sql: Sql = {
    run: (text, ...values) => Number(prepared(text).run(...values.map(bound)).changes),
    get: <Row>(text: string, ...values: Bindable[]) => (prepared(text).get(...values.map(bound)) ?? undefined) as Row | undefined,
    all: <Row>(text: string, ...values: Bindable[]) => prepared(text).all(...values.map(bound)) as Row[],
  };
  const run = <T>(begin: string, work: (sql: Sql) => T) => retried(driver, file, () => transaction(connection, begin, () => work(sql)));
  return {
    read: (work) => run('BEGIN', work),
    write: (work) => run('BEGIN IMMEDIATE', work),
    writeDurably: (work) => run(DURABLY, work),
    close,
  };
}

const bound = (value: Bindable): SqlValue => (value === undefined ? null : value);

function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', PRIVATE_MODE));
  } catch (cause) {
    throw new UllageError('store_unavailable', `${file} cannot be created: check that its folder exists and may be written.`, { cause });
  }
}

function openConnection(driver: SqliteDriver, file: string): { connection: SqliteConnection; close: () => void } {
  const connection = driver.open(file, { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    connection.exec('PRAGMA journal_mode = WAL');
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;');
    migrate(connection, file);
    return { connection, close: () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function migrate(connection: SqliteConnection, file: string): void {
  transaction(connection, 'BEGIN IMMEDIATE', () => {
    const { user_version: version } = connection.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > MIGRATIONS.length)
      throw new UllageError('store_newer', `${file} was written by a newer version of ullage (schema ${version}).`);
    for (const step of MIGRATIONS.slice(version)) connection.exec(step);
    if (version < MIGRATIONS.length) connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** The setting cannot be changed within a transaction. */
const DURABLY = 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE';

function transaction<T>(connection: SqliteConnection, begin: string, work: () => T): T {
  try {
    connection.exec(begin);
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  } finally {
    if (begin === DURABLY) connection.exec('PRAGMA synchronous = NORMAL');
  }
}

async function retried<T>(driver: SqliteDriver, file: string, work: () => T): Promise<T> {
  const untilMs = Date.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const fault = driver.faultOf(error);
      if (fault === undefined) throw error;
      if (fault !== 'busy' || Date.now() >= untilMs)
        throw new UllageError(
          'store_unavailable',
          `${file} cannot be used (${fault}): check the disk, and that no other program holds it.`,
          {
            cause: error,
          },
        );
    }
    await wait(RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS));
  }
}
