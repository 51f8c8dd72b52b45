// What came in: stored once, before it is acknowledged, and handed out in order.
import type { Sql } from './database.ts';
import type { Address, FileRef, Item, ItemKind, ItemState, NewItem } from './rows.ts';

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
  readonly files: string | null;
}

/** True when it is new. An update that was seen before changes nothing. */
export function addItem(sql: Sql, item: NewItem, nowMs: number): boolean {
  const added = sql.run(
    `INSERT INTO inbox (source, update_id, session, at_ms, kind, text, address, files, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
     ON CONFLICT (source, update_id) DO NOTHING`,
    item.source,
    item.updateId,
    item.session,
    nowMs,
    item.kind,
    item.text,
    JSON.stringify(item.address),
    filesText(item),
  );
  return added === 1;
}

/** Sessions with something to do, the longest waiting first. */
export function openSessions(sql: Sql, source: string): string[] {
  return sql
    .all<{ session: string }>("SELECT session FROM inbox WHERE state <> 'done' AND source = ? GROUP BY session ORDER BY min(id)", source)
    .map(({ session }) => session);
}

/** The first that is not done, as it was found; from now on it is begun, and its words stay. */
export function beginNext(sql: Sql, session: string, source: string): Item | undefined {
  const row = sql.get<InboxRow>("SELECT * FROM inbox WHERE session = ? AND state <> 'done' ORDER BY id LIMIT 1", session);
  // What came in elsewhere first is answered there first: nobody would read it here.
  if (row === undefined || row.source !== source) return undefined;
  if (row.state === 'waiting') setState(sql, row.id, 'running');
  return itemOf(row);
}

/** This one, and what came in behind it from the same source. */
export function itemsSince(sql: Sql, { source, id }: Item): readonly Pick<Item, 'source' | 'address'>[] {
  return sql
    .all<{ address: string }>('SELECT address FROM inbox WHERE id >= ? AND source = ?', id, source)
    .map(({ address }) => ({ source, address: JSON.parse(address) as Address }));
}

/** The item that a message of the platform became. */
export function itemByMessage(sql: Sql, session: string, messageId: number): Item | undefined {
  const row = sql.get<InboxRow>(
    "SELECT * FROM inbox WHERE session = ? AND json_extract(address, '$.messageId') = ? ORDER BY id LIMIT 1",
    session,
    messageId,
  );
  return row === undefined ? undefined : itemOf(row);
}

/** The item, not begun yet, of the album that another one belongs to. */
export function waitingAlbum(sql: Sql, { session, address }: NewItem): Item | undefined {
  if (address.album === undefined) return undefined;
  const row = sql.get<InboxRow>(
    `SELECT * FROM inbox WHERE session = ? AND state <> 'done' AND state = 'waiting' AND json_extract(address, '$.album') = ?
     ORDER BY id LIMIT 1`,
    session,
    String(address.album),
  );
  return row === undefined ? undefined : itemOf(row);
}

/** Gives an item that nobody has begun what a newer one says, which is thereby done. */
export function rewriteWaiting(sql: Sql, { id }: Pick<Item, 'id'>, newer: NewItem): void {
  const { source, updateId, kind, text } = newer;
  sql.run('UPDATE inbox SET kind = ?, text = ?, files = ? WHERE id = ?', kind, text, filesText(newer), id);
  sql.run("UPDATE inbox SET state = 'done' WHERE source = ? AND update_id = ?", source, updateId);
}

export function setState(sql: Sql, itemId: number, state: ItemState): void {
  sql.run('UPDATE inbox SET state = ? WHERE id = ?', state, itemId);
}

/** A number for a source that has none of its own. */
export function nextUpdateId(sql: Sql, source: string): number {
  return (sql.get<{ newest: number | null }>('SELECT max(update_id) AS newest FROM inbox WHERE source = ?', source)?.newest ?? 0) + 1;
}

const filesText = ({ files = [] }: NewItem): string | undefined => (files.length === 0 ? undefined : JSON.stringify(files));

function itemOf(row: InboxRow): Item {
  const { id, source, session, kind, text, state, files } = row;
  return {
    ...{ id, source, session, kind, text, state },
    updateId: row.update_id,
    atMs: row.at_ms,
    address: JSON.parse(row.address) as Address,
    ...(files === null ? {} : { files: JSON.parse(files) as FileRef[] }),
  };
}
