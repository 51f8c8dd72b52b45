// A new conversation and what it takes over from the one it came from: guard, anchors, pins, the place in the session.
import { encodeGuard } from '../../core/guard/encode.ts';
import type { AppendEntries } from '../../ports/store.ts';
import type { Sql } from './database.ts';
import { findConversation, requireConversation } from './lookup.ts';

/** Makes the row and answers its short id; its entries come next, then {@link finishCreation}. */
export function createConversation(sql: Sql, { command, session }: { command: AppendEntries; session: number }): number {
  const { target, tenant, atMs } = command;
  if (target.kind !== 'create') return 0;
  const { conversationId, api, guardKey, parentId, origin, successorId, lastModel, lastBudget } = target.conversation;
  return sql.insert(
    `INSERT INTO conversations
       (session, tenant, conversation_id, api, guard_key, parent_id, origin, created_at_ms, successor_id, last_model, last_budget)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[session, tenant, conversationId, api, guardKey, parentId, origin, atMs, successorId, lastModel, lastBudget],
  );
}

/** Once its entries are there: the copies, and the conversation it closes. */
export function finishCreation(sql: Sql, command: AppendEntries, place: { session: number; tip: { chain: string } | undefined }): void {
  const { target, tenant } = command;
  if (target.kind !== 'create') return;
  const { conversation, guard, closes } = target;
  const { conversationId, guardKey, parentId, origin } = conversation;
  if (guard !== undefined)
    sql.run(
      'INSERT OR IGNORE INTO guards (tenant, guard_key, version, record) VALUES (?, ?, 1, ?)',
      ...[tenant, guardKey, encodeGuard({ ...guard, version: 1 })],
    );
  if (parentId !== undefined) {
    const copy = { parent: requireConversation(sql, tenant, parentId).id, child: findConversation(sql, tenant, conversationId)!.id };
    if (origin !== 'continuation') copyAnchors(sql, copy);
    copyPins(sql, copy, place);
  }
  if (closes !== undefined)
    sql.run('UPDATE conversations SET successor_id = ? WHERE tenant = ? AND conversation_id = ?', conversationId, tenant, closes);
  sql.run(
    'UPDATE sessions SET current_conversation_id = ? WHERE id = ? AND (current_conversation_id IS NULL OR current_conversation_id = ?)',
    ...[conversationId, place.session, closes],
  );
}

interface Copy {
  readonly parent: number;
  readonly child: number;
}

function copyAnchors(sql: Sql, { parent, child }: Copy): void {
  sql.run(
    'INSERT INTO anchors (conversation, model, tip, anchor) SELECT ?, model, tip, anchor FROM anchors WHERE conversation = ? ORDER BY id',
    ...[child, parent],
  );
}

const ON_CHAIN = `
WITH RECURSIVE line (id, parent, chain) AS (
  SELECT id, parent, chain FROM entries WHERE session = ? AND chain = ?
  UNION ALL
  SELECT e.id, e.parent, e.chain FROM line JOIN entries e ON e.id = line.parent
)
SELECT 1 FROM line WHERE chain = ?`;

/** A pin keeps its place only where that is on the new chain: elsewhere it would count as sent and never be. */
function copyPins(sql: Sql, { parent, child }: Copy, { session, tip }: { session: number; tip: { chain: string } | undefined }): void {
  sql.run(
    `INSERT INTO pins (conversation, pin_id, text, created_at_ms, placed_at)
     SELECT ?, pin_id, text, created_at_ms, placed_at FROM pins WHERE conversation = ? ORDER BY id`,
    ...[child, parent],
  );
  const places = sql.all<{ placed_at: string }>(
    'SELECT DISTINCT placed_at FROM pins WHERE conversation = ? AND placed_at IS NOT NULL',
    child,
  );
  for (const { placed_at } of places)
    if (sql.get(ON_CHAIN, session, tip?.chain, placed_at) === undefined)
      sql.run('UPDATE pins SET placed_at = NULL WHERE conversation = ? AND placed_at = ?', child, placed_at);
}
