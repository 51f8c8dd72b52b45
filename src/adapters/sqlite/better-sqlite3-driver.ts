// better-sqlite3, an optional dependency: for runtimes without node:sqlite.
import { createRequire } from 'node:module';
import { runAside } from './aside.ts';
import { faultOfResultCode, type SqliteConnection, type SqliteDriver, type SqliteFault, type SqliteStatement } from './driver.ts';

interface BetterDatabase {
  prepare(sql: string): SqliteStatement & { readonly reader: boolean };
  exec(sql: string): unknown;
  close(): unknown;
  readonly inTransaction: boolean;
}

type BetterSqlite3 = new (path: string, options: { readonly timeout: number }) => BetterDatabase;

/** Names of the primary result codes that are told apart; better-sqlite3 gives names, extended ones with a suffix. */
const CODES: Readonly<Record<string, number>> = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  CONSTRAINT: 19,
  NOTADB: 26,
};

/** The driver on better-sqlite3. Rejects when the package is not installed, or has no binary for this runtime. */
export async function betterSqlite3Driver(): Promise<SqliteDriver> {
  const { default: Database } = (await import('better-sqlite3')) as unknown as { default: BetterSqlite3 };
  // The binary is loaded by the first connection only: a missing one must show now, while another driver can be named.
  new Database(':memory:', { timeout: 0 }).close();
  return {
    name: 'better-sqlite3',
    aside: (errand) => runAside({ kind: 'better-sqlite3', file: createRequire(import.meta.url).resolve('better-sqlite3') }, errand),
    open: (path, { busyTimeoutMs }) => connect(new Database(path, { timeout: busyTimeoutMs })),
    faultOf,
  };
}

function connect(database: BetterDatabase): SqliteConnection {
  return {
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => {
      database.exec(sql);
    },
    close: () => {
      database.close();
    },
    get inTransaction() {
      return database.inTransaction;
    },
  };
}

function faultOf(error: unknown): SqliteFault | undefined {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (name !== 'SqliteError' || typeof code !== 'string') return undefined;
  return faultOfResultCode(CODES[code.split('_')[1] ?? ''] ?? 0);
}
