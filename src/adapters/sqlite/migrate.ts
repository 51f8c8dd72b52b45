// Brings a database to the newest schema, or refuses one that is not ours or is from the future.
import { UllageError } from '../../core/errors.ts';
import type { SqliteConnection } from './driver.ts';
import { APPLICATION_ID, type Migration } from './schema.ts';

/** Applies what is missing, in one transaction of its own. Safe when several processes do it at once. */
export function migrate(connection: SqliteConnection, migrations: readonly Migration[], path: string): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (isCurrent(connection, newest, path)) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while this one waited for the lock.
    if (!isCurrent(connection, newest, path)) {
      const version = pragma(connection, 'user_version');
      for (const migration of migrations) if (migration.version > version) connection.exec(migration.sql);
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${newest}`);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Reads alone: what is no database, not ours or from the future is refused before a byte or a mode of it changes. */
export function refuseOther(connection: SqliteConnection, migrations: readonly Migration[], path: string): void {
  isCurrent(connection, migrations.at(-1)?.version ?? 0, path);
}

function isCurrent(connection: SqliteConnection, newest: number, path: string): boolean {
  const version = pragma(connection, 'user_version');
  if (pragma(connection, 'application_id') !== APPLICATION_ID) {
    const hasTables = connection.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined;
    if (version !== 0 || hasTables)
      throw new UllageError('store_unavailable', `The database ${path} belongs to another program: name another path.`, {
        details: { path },
      });
    return false;
  }
  if (version > newest)
    throw new UllageError(
      'store_newer',
      `The database ${path} has schema version ${version}, this version of ullage knows ${newest}: upgrade ullage.`,
      {
        details: { path, version, newest },
      },
    );
  return version === newest;
}

/** The value of a pragma that is a number. */
function pragma(connection: SqliteConnection, name: string): number {
  const row = connection.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return Number(Object.values(row ?? {})[0] ?? 0);
}
