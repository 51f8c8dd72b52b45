// What came in: stored once, before it is acknowledged, and handed out in order.
import type { Sql } from './database.ts';
import type { Address, Item, ItemKind, ItemState, NewItem } from './rows.ts';

interface InboxRow {
  readonly id: number;
  readonly source: string;
  readonly update_id: number;
  readonly session: string;
  readonly at_ms: number;
  readonly kind: ItemKind;
  readonly text: string;
  readonly address: string;
  readonly state: ItemState;
}

/** True when it is new. An update that was seen before changes nothing. */
export function addItem(sql: Sql, item: NewItem, nowMs: number): boolean {
  const added = sql.run(
    `INSERT INTO inbox (source, update_id, session, at_ms, kind, text, address, state) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting')
     ON CONFLICT (source, update_id) DO NOTHING`,
    item.source,
    item.updateId,
    item.session,
    nowMs,
    item.kind,
    item.text,
    JSON.stringify(item.address),
  );
  return added === 1;
}

/** Sessions with something to do, the longest waiting first. */
export function openSessions(sql: Sql, source: string): string[] {
  return sql
    .all<{ session: string }>("SELECT session FROM inbox WHERE state <> 'done' AND source = ? GROUP BY session ORDER BY min(id)", source)
    .map(({ session }) => session);
}

/** The first that is not done. */
export function nextItem(sql: Sql, session: string): Item | undefined {
  const row = sql.get<InboxRow>("SELECT * FROM inbox WHERE session = ? AND state <> 'done' ORDER BY id LIMIT 1", session);
  return row === undefined ? undefined : itemOf(row);
}

/** An item that nobody has begun, by its message on the platform. Its words may still be changed. */
export function rewriteWaiting(sql: Sql, found: { session: string; messageId: number }, text: string): boolean {
  const changed = sql.run(
    "UPDATE inbox SET text = ? WHERE session = ? AND state = 'waiting' AND kind = 'text' AND json_extract(address, '$.messageId') = ?",
    text,
    found.session,
    found.messageId,
  );
  return changed > 0;
}

export function setState(sql: Sql, itemId: number, state: ItemState): void {
  sql.run('UPDATE inbox SET state = ? WHERE id = ?', state, itemId);
}

/** A number for a source that has none of its own. */
export function nextUpdateId(sql: Sql, source: string): number {
  return (sql.get<{ newest: number | null }>('SELECT max(update_id) AS newest FROM inbox WHERE source = ?', source)?.newest ?? 0) + 1;
}

function itemOf(row: InboxRow): Item {
  const { id, source, session, kind, text, state } = row;
  return { id, source, session, kind, text, state, updateId: row.update_id, atMs: row.at_ms, address: JSON.parse(row.address) as Address };
}
