// What a fault of SQLite means for the person who reads it.
import { type ErrorCode, UllageError } from '../../core/errors.ts';
import type { SqliteFault } from './driver.ts';

const MEANINGS: Readonly<Record<SqliteFault, readonly [code: ErrorCode, meaning: string]>> = {
  busy: ['store_unavailable', 'is held by another program: try again, or stop that program'],
  full: [
    'store_unavailable',
    'cannot grow, the disk or its quota is full: free some space, or delete sessions with `ullage sessions prune`',
  ],
  'read-only': ['store_unavailable', 'is read-only: check the permissions of the file and its folder'],
  'cannot-open': ['store_unavailable', 'cannot be opened: check that it is a file, and the permissions of its folder'],
  'not-a-database': ['store_corrupt', 'is not a SQLite database: restore it from a backup, or name another path'],
  corrupt: ['store_corrupt', 'is damaged: restore it from a backup, or move it away to start anew'],
  io: ['store_unavailable', 'cannot be read or written: check the disk'],
  constraint: ['internal', 'refused a row: please report this'],
  other: ['internal', 'refused a statement: please report this'],
};

export function storeError(fault: SqliteFault, path: string, cause: unknown): UllageError {
  const [code, meaning] = MEANINGS[fault];
  return new UllageError(code, `The database ${path} ${meaning}.`, { cause, details: { path, fault } });
}

export function closedError(path: string): UllageError {
  return new UllageError('store_unavailable', `The database ${path} is closed: open the store again before it is used.`);
}
