// The one shape a SQLite library is used through. Synchronous on purpose: nothing can be awaited inside a transaction.

/** What can be bound and read. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A prepared statement; parameters are positional. */
export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  /** The first row, or undefined. */
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

/** An open database. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  /** Runs one or more statements to their end. */
  exec(sql: string): void;
  close(): void;
  /** Whether a transaction is open; some faults end one by themselves. */
  readonly inTransaction: boolean;
}

/** What went wrong, as far as the next step differs. */
export type SqliteFault = 'busy' | 'full' | 'read-only' | 'cannot-open' | 'not-a-database' | 'corrupt' | 'io' | 'constraint' | 'other';

/** Statements for a connection of their own. */
export interface SqliteErrand {
  readonly path: string;
  readonly statements: readonly string[];
  readonly busyTimeoutMs: number;
}

/** A SQLite library. */
export interface SqliteDriver {
  readonly name: string;
  /**
   * Runs statements one after the other in another thread and answers the rows of the last. For long work; a driver without it makes the
   * event loop wait.
   */
  aside?(errand: SqliteErrand): Promise<readonly unknown[]>;
  /** Opens (and creates) the database; `busyTimeoutMs` is how long a statement waits for another writer inside SQLite. */
  open(path: string, options: { readonly busyTimeoutMs: number }): SqliteConnection;
  /** The fault behind an error of this library; undefined for any other error. */
  faultOf(error: unknown): SqliteFault | undefined;
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html) by number. */
const FAULTS: Readonly<Record<number, SqliteFault>> = {
  3: 'cannot-open',
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot-open',
  15: 'busy',
  19: 'constraint',
  26: 'not-a-database',
};

/** The fault of a result code; the upper bytes of an extended code only detail it. */
export function faultOfResultCode(code: number): SqliteFault {
  return FAULTS[code & 0xff] ?? 'other';
}
