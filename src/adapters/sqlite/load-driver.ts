// Which SQLite library is used: the runtime's own, else better-sqlite3.
import { UllageError } from '../../core/errors.ts';
import { betterSqlite3Driver } from './better-sqlite3-driver.ts';
import type { SqliteDriver } from './driver.ts';
import { nodeSqliteDriver } from './node-driver.ts';

/** The first driver that loads. Throws store_unavailable, with what to install, when there is none. */
export async function loadSqliteDriver(): Promise<SqliteDriver> {
  const builtIn = nodeSqliteDriver();
  if (builtIn !== undefined) return builtIn;
  try {
    return await betterSqlite3Driver();
  } catch (cause) {
    throw new UllageError(
      'store_unavailable',
      `No SQLite library loads on Node ${process.versions.node}: run \`npm install better-sqlite3\`, or use Node 22.13 or newer.`,
      { cause },
    );
  }
}
