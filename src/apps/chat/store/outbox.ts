// Messages that go out. What is to be said is recorded with the answer; where it stands on the platform, as soon as it is known.
import type { Sql } from './database.ts';
import type { OutMessage, OutState } from './rows.ts';

interface OutRow {
  readonly inbox_id: number;
  readonly ordinal: number;
  readonly text: string | null;
  readonly state: OutState;
  readonly message_id: number | null;
  readonly after_id: number | null;
}

export function outMessages(sql: Sql, itemId: number): readonly OutMessage[] {
  return sql.all<OutRow>('SELECT * FROM outbox WHERE inbox_id = ? ORDER BY ordinal', itemId).map((row) => ({
    itemId: row.inbox_id,
    ordinal: row.ordinal,
    text: row.text ?? undefined,
    state: row.state,
    messageId: row.message_id ?? undefined,
    afterId: row.after_id ?? undefined,
  }));
}

/** The words of an answer, part by part. One that has a place keeps it. */
export function recordParts(sql: Sql, itemId: number, parts: readonly string[]): void {
  for (const [ordinal, text] of parts.entries()) {
    sql.run(
      `INSERT INTO outbox (inbox_id, ordinal, text, state) VALUES (?, ?, ?, 'waiting')
       ON CONFLICT (inbox_id, ordinal) DO UPDATE SET text = excluded.text`,
      itemId,
      ordinal,
      text,
    );
  }
}

/** Which count its id will come from, and the newest id that is known there. */
export interface PlacingNote {
  readonly count: string;
  readonly afterId: number;
}

/** A place is about to be taken on the platform; from now on one may exist that nobody here knows. */
export function notePlacing(sql: Sql, message: Pick<OutMessage, 'itemId' | 'ordinal'>, { count, afterId }: PlacingNote): void {
  sql.run(
    `INSERT INTO outbox (inbox_id, ordinal, state, id_count, after_id) VALUES (?, ?, 'placing', ?, ?)
     ON CONFLICT (inbox_id, ordinal) DO UPDATE SET state = 'placing', id_count = excluded.id_count, after_id = excluded.after_id, message_id = NULL`,
    message.itemId,
    message.ordinal,
    count,
    afterId,
  );
}

export function notePlaced(sql: Sql, { itemId, ordinal }: Pick<OutMessage, 'itemId' | 'ordinal'>, messageId: number): void {
  sql.run("UPDATE outbox SET state = 'placed', message_id = ? WHERE inbox_id = ? AND ordinal = ?", messageId, itemId, ordinal);
}

export function noteOut(sql: Sql, { itemId, ordinal }: Pick<OutMessage, 'itemId' | 'ordinal'>, state: OutState): void {
  sql.run('UPDATE outbox SET state = ? WHERE inbox_id = ? AND ordinal = ?', state, itemId, ordinal);
}

/** Ids of messages that were sent, by the count they come from. */
export function knownMessageIds(sql: Sql, { count, above }: { readonly count: string; readonly above: number }): ReadonlySet<number> {
  const rows = sql.all<{ id: number }>('SELECT message_id AS id FROM outbox WHERE id_count = ? AND message_id > ?', count, above);
  return new Set(rows.map(({ id }) => id));
}

/** The newest of them. */
export function newestMessageId(sql: Sql, count: string): number {
  return sql.get<{ newest: number | null }>('SELECT max(message_id) AS newest FROM outbox WHERE id_count = ?', count)?.newest ?? 0;
}

/** What is told beside the answer; the same words once. */
export function addNotice(sql: Sql, itemId: number, text: string): void {
  sql.run('INSERT INTO notice (inbox_id, text) VALUES (?, ?) ON CONFLICT DO NOTHING', itemId, text);
}

export function noticesOf(sql: Sql, itemId: number): readonly string[] {
  return sql.all<{ text: string }>('SELECT text FROM notice WHERE inbox_id = ? ORDER BY rowid', itemId).map(({ text }) => text);
}
