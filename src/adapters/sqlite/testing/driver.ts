// The driver of this runtime, with a hand on its connections.

import type { SqliteConnection, SqliteDriver } from '../driver.ts';
import { loadSqliteDriver } from '../load-driver.ts';

/** A driver whose connections first go through `change`. */
export async function driverWith(change: (connection: SqliteConnection) => SqliteConnection): Promise<SqliteDriver> {
  const driver = await loadSqliteDriver();
  return { ...driver, open: (path, options) => change(driver.open(path, options)) };
}

/** A plain connection to a database, next to the stores on it. */
export async function connectTo(path: string): Promise<SqliteConnection> {
  return (await loadSqliteDriver()).open(path, { busyTimeoutMs: 0 });
}

/** What the process is killed with: no fault of SQLite, so nothing catches it. */
export const DEATH = 'the process dies here';

/** A driver on which the statement that begins so cannot run any more after `runs` times, until `revive` is called. */
export async function dyingDriver(beginning: string, runs: number): Promise<{ driver: SqliteDriver; revive(): void; runs(): number }> {
  let left = runs;
  let done = 0;
  const count = (sql: string): void => {
    if (!sql.startsWith(beginning)) return;
    if (left === 0) throw new Error(DEATH);
    left -= 1;
    done += 1;
  };
  const revive = (): void => {
    left = Number.POSITIVE_INFINITY;
  };
  return { driver: await driverWith((connection) => watched(connection, count)), revive, runs: () => done };
}

/** A connection that tells `watch` each statement before it runs; `watch` may throw. */
export function watched(connection: SqliteConnection, watch: (sql: string) => void): SqliteConnection {
  const prepare: SqliteConnection['prepare'] = (sql) => {
    const statement = connection.prepare(sql);
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run: (...values) => {
        watch(sql);
        return statement.run(...values);
      },
    };
  };
  return {
    prepare,
    exec: (sql) => {
      watch(sql);
      connection.exec(sql);
    },
    close: () => connection.close(),
    get inTransaction() {
      return connection.inTransaction;
    },
  };
}
