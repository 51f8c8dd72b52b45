// One open database: transactions that are short and all or nothing, and waiting for other writers without blocking the event loop.
import type { Clock } from '../../ports/clock.ts';
import type { SqliteConnection, SqliteDriver, SqliteStatement, SqlValue } from './driver.ts';
import { closedError, storeError } from './faults.ts';
import { MEMORY_PATH } from './file.ts';
import { WriteQueue } from './write-queue.ts';

/** Longest wait for another writer inside SQLite, where it blocks the event loop. */
export const MAX_BUSY_TIMEOUT_MS = 50;
/** Shortest and longest pause between two attempts at a held database; the jitter keeps writers from meeting again. */
const RETRY_MIN_MS = 10;
const RETRY_MAX_MS = 60;
/** Wait for another writer in another thread, where it blocks nobody. */
const ASIDE_TIMEOUT_MS = 1_000;
const REWRITE = 'VACUUM';
const EMPTY_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)';

type Bindable = SqlValue | undefined | boolean;

/** Statements of one transaction. */
export interface Sql {
  /** The number of rows it changed. */
  run(sql: string, ...values: Bindable[]): number;
  /** The row id it inserted. */
  insert(sql: string, ...values: Bindable[]): number;
  get<Row>(sql: string, ...values: Bindable[]): Row | undefined;
  all<Row>(sql: string, ...values: Bindable[]): Row[];
}

export interface DatabaseOptions {
  readonly path: string;
  readonly driver: SqliteDriver;
  readonly clock: Clock;
  readonly retryForMs: number;
}

/** What a checkpoint that could not empty the log is told by, so that it is tried again. */
const LOG_HELD = new Error('another connection still reads from the write-ahead log');

export class Database {
  readonly #sql: Sql;
  readonly #connection: SqliteConnection;
  readonly #options: DatabaseOptions;
  readonly #statements = new Map<string, SqliteStatement>();
  readonly #writes = new WriteQueue((work) => this.#retried(() => this.#transaction('BEGIN IMMEDIATE', work)));
  #isClosed = false;

  constructor(connection: SqliteConnection, options: DatabaseOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#sql = {
      run: (sql, ...values) => Number(this.#prepared(sql).run(...boundOf(values)).changes),
      insert: (sql, ...values) => Number(this.#prepared(sql).run(...boundOf(values)).lastInsertRowid),
      get: <Row>(sql: string, ...values: Bindable[]) => this.#prepared(sql).get(...boundOf(values)) as Row | undefined,
      all: <Row>(sql: string, ...values: Bindable[]) => this.#prepared(sql).all(...boundOf(values)) as Row[],
    };
  }

  /** One snapshot. */
  read<T>(work: (sql: Sql) => T): Promise<T> {
    return this.#retried(() => this.#transaction('BEGIN', work));
  }

  /**
   * All or nothing, in a transaction that takes the write lock first: it can wait for it, and what it read cannot be stale when it writes.
   * Resolves when that is committed. The work is run again after a rollback, so its only effects are rows.
   */
  write<T>(work: (sql: Sql) => T): Promise<T> {
    return this.#writes.add(work);
  }

  /** Writes the file anew without what was deleted, and cuts the write-ahead log to nothing. Long, so in another thread where that can be. */
  async rewrite(): Promise<void> {
    const { path, driver } = this.#options;
    if (path === MEMORY_PATH) return;
    const errand = { path, statements: [REWRITE, EMPTY_LOG], busyTimeoutMs: ASIDE_TIMEOUT_MS };
    await this.#retried(async () => {
      const rows = (await driver.aside?.(errand)) ?? this.#rewriteHere();
      if ((rows[0] as { busy?: number } | undefined)?.busy === 1) throw LOG_HELD;
    });
  }

  #rewriteHere(): readonly unknown[] {
    this.#connection.exec(REWRITE);
    return this.#connection.prepare(EMPTY_LOG).all();
  }

  /** After what was asked for before. */
  close(): void {
    this.#writes.flush(Number.POSITIVE_INFINITY);
    this.#isClosed = true;
    this.#statements.clear();
    this.#connection.close();
  }

  #retried<T>(work: () => T | Promise<T>): Promise<T> {
    return retryWhileBusy(() => {
      if (this.#isClosed) throw closedError(this.#options.path);
      return work();
    }, this.#options);
  }

  #prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #transaction<T>(begin: string, work: (sql: Sql) => T): T {
    this.#prepared(begin).run();
    try {
      const result = work(this.#sql);
      this.#prepared('COMMIT').run();
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** The fault that led here is the one to report; a full disk, for one, has ended the transaction already. */
  #rollBack(): void {
    if (!this.#connection.inTransaction) return;
    try {
      this.#connection.exec('ROLLBACK');
    } catch (error) {
      if (this.#options.driver.faultOf(error) === undefined) throw error;
    }
  }
}

/** Runs the work until the database is not held by another writer, or `retryForMs` are over. Faults become errors of this package. */
export async function retryWhileBusy<T>(work: () => T | Promise<T>, options: DatabaseOptions): Promise<T> {
  const { clock, driver, path, retryForMs } = options;
  const sinceMs = clock.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const fault = error === LOG_HELD ? 'busy' : driver.faultOf(error);
      if (fault === undefined) throw error;
      if (fault !== 'busy' || Math.abs(clock.now() - sinceMs) >= retryForMs) throw storeError(fault, path, error);
    }
    await clock.wait(RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS));
  }
}

function boundOf(values: readonly Bindable[]): SqlValue[] {
  return values.map((value) => (value === undefined ? null : typeof value === 'boolean' ? Number(value) : value));
}
