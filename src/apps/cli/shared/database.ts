// The database that --db names.

import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { UllageError } from '../../../core/errors.ts';
import type { Store } from '../../../ports/store.ts';

const URL_START = /^[a-z][a-z0-9+.-]*:\/\//i;

/** A store on the named file, not opened yet. With `mustExist` a missing file is an error, and nothing is created. Throws option_invalid. */
export function databaseStore(db: string, options: { readonly mustExist: boolean }): Store {
  if (URL_START.test(db)) {
    throw new UllageError(
      'option_invalid',
      `--db ${JSON.stringify(db)}: expected the path of a SQLite file; this version reads no database URL.`,
    );
  }
  if (db === ':memory:') throw new UllageError('option_invalid', '--db ":memory:": a database in memory is empty; name a file.');
  return sqliteStore(db, options);
}
