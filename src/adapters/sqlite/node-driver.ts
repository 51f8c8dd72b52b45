// node:sqlite, where the runtime has it. Its types are written down here because the oldest supported Node lacks them.
import { runAside } from './aside.ts';
import { faultOfResultCode, type SqliteConnection, type SqliteDriver, type SqliteStatement } from './driver.ts';

interface NodeDatabase {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
  readonly isTransaction?: boolean;
}

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => NodeDatabase;
}

/** The driver on node:sqlite; undefined where the runtime has none. */
export function nodeSqliteDriver(): SqliteDriver | undefined {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return undefined;
  return {
    name: 'node:sqlite',
    aside: (errand) => runAside({ kind: 'node:sqlite' }, errand),
    open: (path, { busyTimeoutMs }) => connect(new sqlite.DatabaseSync(path, { timeout: busyTimeoutMs }), busyTimeoutMs),
    faultOf: (error) => {
      const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
      if (code !== 'ERR_SQLITE_ERROR') return undefined;
      return typeof errcode === 'number' ? faultOfResultCode(errcode) : 'other';
    },
  };
}

function connect(database: NodeDatabase, busyTimeoutMs: number): SqliteConnection {
  // Releases before the `timeout` option would not wait at all.
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  return {
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    get inTransaction() {
      // Releases that do not tell refuse a superfluous ROLLBACK, which is harmless.
      return database.isTransaction ?? true;
    },
  };
}

/** Loads the module without the warning that it is experimental: that is for whoever chose it, not for the users of an agent. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
