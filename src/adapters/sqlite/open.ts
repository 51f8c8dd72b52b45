// Opening: the file, the settings of the connection, the schema.
import { UllageError } from '../../core/errors.ts';
import { Database, type DatabaseOptions, retryWhileBusy } from './database.ts';
import type { SqliteConnection } from './driver.ts';
import { keepPrivate, MEMORY_PATH, prepareFile } from './file.ts';
import { migrate, refuseOther } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';

export interface OpenOptions extends DatabaseOptions {
  readonly busyTimeoutMs: number;
  readonly synchronous: 'normal' | 'full';
  readonly mustExist: boolean;
}

/** The write-ahead log is cut back to this after a checkpoint, so that one large append does not keep its room for ever. */
const JOURNAL_LIMIT_BYTES = 16_000_000;
/** A checkpoint waits for the disk and writes each changed page once, however often it changed: rarely is cheaper. */
const CHECKPOINT_PAGES = Math.floor(JOURNAL_LIMIT_BYTES / 4_096);
const CACHE_KIB = 16_384;

export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.path !== MEMORY_PATH) prepareFile(options.path, options);
  return retryWhileBusy(() => {
    const connection = options.driver.open(options.path, options);
    try {
      refuseOther(connection, MIGRATIONS, options.path);
      if (options.path !== MEMORY_PATH) keepPrivate(options.path);
      configure(connection, options);
      migrate(connection, MIGRATIONS, options.path);
      return new Database(connection, options);
    } catch (error) {
      connection.close();
      throw error;
    }
  }, options);
}

function configure(connection: SqliteConnection, { synchronous, path }: OpenOptions): void {
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec(`
    PRAGMA synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'};
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES};
    PRAGMA cache_size = ${-CACHE_KIB};
  `);
  const hasWords = connection.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
  if (!hasWords) throw new UllageError('store_unavailable', `The SQLite library for ${path} was built without FTS5: use another one.`);
}
