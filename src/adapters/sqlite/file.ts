// The database file before SQLite sees it: clear refusals, and modes that keep other users out.
import { chmodSync, closeSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UllageError } from '../../core/errors.ts';

/** Read and write for the owner alone. SQLite gives its -wal and -shm files the mode of the database. */
export const PRIVATE_MODE = 0o600;

export const MEMORY_PATH = ':memory:';

/** The files of one database. */
export function filesOf(path: string): string[] {
  return [path, `${path}-wal`, `${path}-shm`];
}

/**
 * Creates the file if it is missing; one that is there keeps its bytes and its mode. Throws store_unavailable with the path and what to do.
 * It is never opened here: closing a file takes away the locks that other connections of this process hold on it.
 */
export function prepareFile(path: string, options: { readonly mustExist: boolean }): void {
  const folder = dirname(path);
  const parent = stat(folder);
  if (parent === undefined) throw unavailable(`The folder ${folder} of the database does not exist: create it, or name another path.`);
  if (!parent.isDirectory()) throw unavailable(`${folder} is not a folder: name another path for the database.`);
  const existing = stat(path);
  if (existing?.isDirectory()) throw unavailable(`The database path ${path} is a folder: name a file in it.`);
  if (existing === undefined && options.mustExist) throw unavailable(`There is no database at ${path}: check the path.`);
  if (existing?.size === 0 && options.mustExist && !stat(`${path}-wal`)?.size) {
    throw unavailable(`The file ${path} is empty and holds no database: check the path.`);
  }
  if (existing === undefined) createPrivate(path);
}

/** Closes the modes of a database that is known to be ours. */
export function keepPrivate(path: string): void {
  for (const file of filesOf(path)) makePrivate(file);
}

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', PRIVATE_MODE));
  } catch (cause) {
    throw unavailable(`The database ${path} cannot be created: check the permissions of its folder.`, cause);
  }
}

/** A file of another user keeps its mode: only the owner may change it. */
function makePrivate(file: string): void {
  const existing = stat(file);
  if (existing === undefined || (existing.mode & 0o077) === 0 || existing.uid !== process.getuid?.()) return;
  chmodSync(file, PRIVATE_MODE);
}

function stat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw unavailable(`The database path ${path} cannot be read: check the permissions of its folder.`, cause);
  }
}

function unavailable(message: string, cause?: unknown): UllageError {
  return new UllageError('store_unavailable', message, { cause });
}
