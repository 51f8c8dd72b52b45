// Long work in another thread, on a connection of its own: rewriting a large file would stop everything else for seconds.
import { Worker } from 'node:worker_threads';
import type { SqliteErrand } from './driver.ts';

/** How the thread gets at the library. */
export type Library = { readonly kind: 'node:sqlite' } | { readonly kind: 'better-sqlite3'; readonly file: string };

/**
 * Plain JavaScript as text, so that it runs the same from the sources, the package and a bundle. The fields of an error travel one by one:
 * a cloned error loses its code.
 */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { library, path, statements, busyTimeoutMs } = workerData;
process.emitWarning = () => undefined;
function open() {
  if (library.kind === 'better-sqlite3') return new (require(library.file))(path, { timeout: busyTimeoutMs });
  const { DatabaseSync } = require('node:sqlite');
  return new DatabaseSync(path);
}
try {
  const database = open();
  database.exec('PRAGMA busy_timeout = ' + busyTimeoutMs);
  let rows = [];
  for (const statement of statements) {
    const prepared = database.prepare(statement);
    if (prepared.reader === false) prepared.run();
    else rows = prepared.all();
  }
  database.close();
  parentPort.postMessage({ rows: rows.map((row) => ({ ...row })) });
} catch (error) {
  const { name, message, code, errcode } = error;
  parentPort.postMessage({ error: { name, message, code, errcode } });
}
`;

type Answer = { readonly rows: readonly unknown[] } | { readonly error: { readonly message: string } };

export function runAside(library: Library, errand: SqliteErrand): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SCRIPT, { eval: true, execArgv: [], workerData: { ...errand, library } });
    worker.once('message', (answer: Answer) => {
      if ('rows' in answer) resolve(answer.rows);
      else reject(Object.assign(new Error(answer.error.message), answer.error));
    });
    worker.once('error', reject);
  });
}
