// The state of a database, for people.
import { statSync } from 'node:fs';
import type { Store } from '../../ports/store.ts';
import type { Database } from './database.ts';
import type { SqliteDriver } from './driver.ts';
import { filesOf, MEMORY_PATH, PRIVATE_MODE } from './file.ts';

type Check = Awaited<ReturnType<Store['check']>>[number];

/** Damage that is listed; more would not help to decide. */
const FAULTS_LISTED = 5;

export async function checkDatabase(db: Database, { path, driver }: { path: string; driver: SqliteDriver }): Promise<Check[]> {
  const [library, version, faults, orphans] = await db.read((sql) => [
    sql.get<{ version: string }>('SELECT sqlite_version() AS version')!.version,
    sql.get<{ user_version: number }>('PRAGMA user_version')!.user_version,
    sql.all<{ integrity_check: string }>(`PRAGMA integrity_check(${FAULTS_LISTED})`).map((row) => row.integrity_check),
    sql.all('PRAGMA foreign_key_check').length,
  ]);
  return [
    { name: 'database', ok: true, detail: `${path}, schema version ${version}, ${driver.name} with SQLite ${library}` },
    {
      name: 'integrity',
      ok: faults.join() === 'ok' && orphans === 0,
      detail: orphans > 0 ? `${orphans} rows without an owner` : faults.join('; '),
    },
    await checkWords(db),
    await checkDeletions(db),
    ...(path === MEMORY_PATH ? [] : [checkModes(path)]),
  ];
}

async function checkWords(db: Database): Promise<Check> {
  try {
    await db.write((sql) => sql.run("INSERT INTO entry_words (entry_words) VALUES ('integrity-check')"));
    return { name: 'search', ok: true, detail: 'the word index matches its texts' };
  } catch (error) {
    return { name: 'search', ok: false, detail: String(error) };
  }
}

async function checkDeletions(db: Database): Promise<Check> {
  const { left } = (await db.read((sql) => sql.get<{ left: number }>('SELECT count(*) AS left FROM trash')))!;
  const detail =
    left === 0 ? 'nothing is left of deleted sessions' : `bytes of ${left} deleted sessions are not cleared yet: run a deletion again`;
  return { name: 'deletions', ok: left === 0, detail };
}

function checkModes(path: string): Check {
  const modes = filesOf(path).flatMap((file) => statSync(file, { throwIfNoEntry: false })?.mode ?? []);
  const isPrivate = process.platform === 'win32' || modes.every((mode) => (mode & 0o777 & ~PRIVATE_MODE) === 0);
  return {
    name: 'file modes',
    ok: isPrivate,
    detail: isPrivate ? 'only the owner can read the files' : `others can read ${path}: chmod 600`,
  };
}
