// Deleting sessions for good: gone for every question at once, then row by row, then out of the file and its log.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UllageError } from '../../core/errors.ts';
import type { Store } from '../../ports/store.ts';
import type { StoreContext } from './context.ts';
import type { Database, Sql } from './database.ts';
import { findSessionId } from './lookup.ts';

/** Bounds of one transaction of a deletion: some ten milliseconds each, most of them for the words. */
const BATCH_ROWS = 200;
const BATCH_BYTES = 100_000;
const MERGE_PAGES = 64;

export function removalCommands({ database }: StoreContext): Pick<Store, 'deleteSession' | 'prune'> {
  return {
    async deleteSession({ tenant, sessionId }) {
      const db = await database();
      const entries = await db.write((sql) => discard(sql, findSessionId(sql, tenant, sessionId)));
      await clear(db);
      return { entries };
    },
    async prune({ tenant, olderThanMs }) {
      const db = await database();
      const query = 'SELECT id FROM sessions WHERE last_request_at_ms < ? AND tenant = coalesce(?, tenant)';
      const old = await db.read((sql) => sql.all<{ id: number }>(query, olderThanMs, tenant));
      let entries = 0;
      let sessions = 0;
      for (const { id } of old) {
        const isOld = 'SELECT 1 FROM sessions WHERE id = ? AND last_request_at_ms < ?';
        const removed = await db.write((sql) => (sql.get(isOld, id, olderThanMs) === undefined ? undefined : discard(sql, id)));
        entries += removed ?? 0;
        sessions += removed === undefined ? 0 : 1;
      }
      await clear(db);
      return { sessions, entries };
    },
  };
}

async function clear(db: Database): Promise<void> {
  try {
    await emptyTrash(db);
  } catch (cause) {
    if (!UllageError.is(cause)) throw cause;
    const message = `What was asked for is deleted and cannot be found any more, but its bytes are not all cleared from the file yet. ${cause.message}`;
    throw new UllageError(cause.code, `${message} Opening the store, or a later deletion, goes on with it.`, { cause });
  }
}

/** Takes the session away in one step: nothing finds it any more. The bulk of its rows goes to the trash. */
function discard(sql: Sql, session: number | undefined): number {
  if (session === undefined) return 0;
  const { entries } = sql.get<{ entries: number }>('SELECT count(*) AS entries FROM entries WHERE session = ?', session)!;
  const keys = sql.all<{ tenant: string; guard_key: string }>(
    'SELECT DISTINCT tenant, guard_key FROM conversations WHERE session = ?',
    session,
  );
  sql.run('INSERT INTO trash (session) VALUES (?)', session);
  sql.run('DELETE FROM sessions WHERE id = ?', session);
  for (const { tenant, guard_key } of keys)
    sql.run(
      `DELETE FROM guards WHERE tenant = ? AND guard_key = ?
       AND NOT EXISTS (SELECT 1 FROM conversations WHERE tenant = ? AND guard_key = ?)`,
      ...[tenant, guard_key, tenant, guard_key],
    );
  return entries;
}

/**
 * Removes what deletions left, also those of a process that died: rows, their words, and then the bytes. Freed pages are zeroed, but a
 * page that only became emptier keeps old bytes between its rows, so the file is written anew. A session leaves the trash after all that.
 */
export async function emptyTrash(db: Database): Promise<void> {
  const sessions = await db.read((sql) => sql.all<{ session: number }>('SELECT session FROM trash'));
  if (sessions.length === 0) return;
  for (const { session } of sessions) while (await db.write((sql) => removeBatch(sql, session))) await nextTurn();
  await forgetWords(db);
  await db.rewrite();
  await db.write((sql) => {
    for (const { session } of sessions) sql.run('DELETE FROM trash WHERE session = ?', session);
  });
}

/** The index only marks a deleted row; its words go when all segments are merged into one. (secure-delete of FTS5 took 30 times as long.) */
async function forgetWords(db: Database): Promise<void> {
  for (let pages = -MERGE_PAGES; await db.write((sql) => mergeWords(sql, pages)); pages = MERGE_PAGES) await nextTurn();
}

/** A negative number begins the merge of everything, a positive one goes on; by the manual of FTS5 under two changes mean that it is done. */
function mergeWords(sql: Sql, pages: number): boolean {
  const count = () => sql.get<{ changes: number }>('SELECT total_changes() AS changes')!.changes;
  const before = count();
  sql.run("INSERT INTO entry_words (entry_words, rank) VALUES ('merge', ?)", pages);
  return count() - before >= 2;
}

/** Removes some rows of a discarded session; false when it was the last batch. */
function removeBatch(sql: Sql, session: number): boolean {
  return !(removeEntries(sql, session) && removeViews(sql, session) && removeStaged(sql, session));
}

interface Sized {
  readonly id: number;
  readonly text: number | null;
  readonly size: number;
}

/** As many as the bounds of a batch allow, at least one. */
function withinBatch<T extends { readonly size: number }>(rows: readonly T[]): T[] {
  let bytes = 0;
  return rows.filter((row, index) => {
    bytes += row.size;
    return index === 0 || bytes <= BATCH_BYTES;
  });
}

function removeEntries(sql: Sql, session: number): boolean {
  const query = 'SELECT id, text, size_bytes AS size FROM entries WHERE session = ? LIMIT ?';
  const rows = withinBatch(sql.all<Sized>(query, session, BATCH_ROWS));
  for (const { id, text } of rows) {
    sql.run('DELETE FROM entry_words WHERE rowid = ?', id);
    sql.run('DELETE FROM texts WHERE id = ?', text);
    sql.run('DELETE FROM entries WHERE id = ?', id);
  }
  return rows.length === 0;
}

function removeViews(sql: Sql, session: number): boolean {
  const query = 'SELECT id, length(body) AS size FROM views WHERE session = ? LIMIT ?';
  const rows = withinBatch(sql.all<{ id: number; size: number }>(query, session, BATCH_ROWS));
  for (const { id } of rows) sql.run('DELETE FROM views WHERE id = ?', id);
  return rows.length === 0;
}

/** Texts that an append wrote ahead and never linked. */
function removeStaged(sql: Sql, session: number): boolean {
  const query = 'SELECT s.text AS id, length(t.raw) AS size FROM staged_texts s JOIN texts t ON t.id = s.text WHERE s.session = ? LIMIT ?';
  const rows = withinBatch(sql.all<{ id: number; size: number }>(query, session, BATCH_ROWS));
  for (const { id } of rows) {
    sql.run('DELETE FROM staged_texts WHERE session = ? AND text = ?', session, id);
    sql.run('DELETE FROM texts WHERE id = ?', id);
  }
  return rows.length === 0;
}
