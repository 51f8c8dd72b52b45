// Settings of a database that are numbers.
import type { SqliteConnection } from './driver.ts';

/** The value of a pragma that is a number. */
export function pragma(connection: SqliteConnection, name: string): number {
  const row = connection.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return Number(Object.values(row ?? {})[0] ?? 0);
}
