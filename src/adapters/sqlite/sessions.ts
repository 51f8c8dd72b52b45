// Sessions and conversations: opening, finding, listing, noting the newest request.
import type { ConversationRow, SessionRow, SessionSummary, Store } from '../../ports/store.ts';
import { conversationNotFound } from '../store/append-rules.ts';
import { assertStorableText } from '../store/entry-check.ts';
import { operationConflict } from '../store/operation.ts';
import type { StoreContext } from './context.ts';
import type { Sql } from './database.ts';
import { findConversation, findSessionId } from './lookup.ts';
import { type ConversationRecord, conversationOf, type SessionRecord, sessionOf } from './rows.ts';

type SessionCommands = Pick<
  Store,
  'ensureSession' | 'findSession' | 'listSessions' | 'conversation' | 'conversations' | 'touchConversation'
>;

export function sessionCommands(context: StoreContext): SessionCommands {
  const { database } = context;
  return {
    async ensureSession(command) {
      assertStorableText('key of the session', command.key);
      const db = await database();
      return (await db.read((sql) => byKey(sql, command))) ?? db.write((sql) => byKey(sql, command) ?? createSession(sql, command));
    },
    async findSession(query) {
      return (await database()).read((sql) => byKey(sql, query));
    },
    async listSessions(query) {
      return (await database()).read((sql) => listSessions(sql, query));
    },
    async conversation({ tenant, conversationId }) {
      const row = await (await database()).read((sql) => findConversation(sql, tenant, conversationId));
      return row && conversationOf(row);
    },
    async conversations({ tenant, sessionId }) {
      return (await database()).read((sql) => conversationsOf(sql, findSessionId(sql, tenant, sessionId)));
    },
    async touchConversation(command) {
      await (await database()).write((sql) => touchConversation(sql, command));
    },
  };
}

function byKey(sql: Sql, { tenant, key }: { tenant: string; key: string }): SessionRow | undefined {
  const row = sql.get<SessionRecord>('SELECT * FROM sessions WHERE tenant = ? AND key = ?', tenant, key);
  return row && sessionOf(row);
}

function createSession(sql: Sql, command: Parameters<Store['ensureSession']>[0]): SessionRow {
  const { tenant, key, sessionId, atMs } = command;
  if (findSessionId(sql, tenant, sessionId) !== undefined) throw operationConflict(sessionId);
  sql.run(
    'INSERT INTO sessions (tenant, session_id, key, created_at_ms, last_request_at_ms) VALUES (?, ?, ?, ?, ?)',
    ...[tenant, sessionId, key, atMs, atMs],
  );
  return { tenant, sessionId, key, createdAtMs: atMs, lastRequestAtMs: atMs };
}

const SUMMARIES = `
SELECT s.*,
  (SELECT count(*) FROM conversations c WHERE c.session = s.id) AS conversations,
  (SELECT count(*) FROM entries e WHERE e.session = s.id) AS entries,
  (SELECT coalesce(sum(e.size_bytes), 0) FROM entries e WHERE e.session = s.id) AS size_bytes,
  (SELECT count(*) FROM views v WHERE v.session = s.id AND v.kind = 'compaction' AND v.has_fold) AS folds
FROM sessions s WHERE s.tenant = ? ORDER BY s.last_request_at_ms DESC, s.id DESC LIMIT ?`;

type SummaryRecord = SessionRecord & { conversations: number; entries: number; size_bytes: number; folds: number };

function listSessions(sql: Sql, { tenant, limit = Number.MAX_SAFE_INTEGER }: { tenant: string; limit?: number }): SessionSummary[] {
  return sql.all<SummaryRecord>(SUMMARIES, tenant, Math.max(0, limit)).map((row) => ({
    ...sessionOf(row),
    conversations: row.conversations,
    entries: row.entries,
    folds: row.folds,
    sizeBytes: row.size_bytes,
  }));
}

function conversationsOf(sql: Sql, session: number | undefined): ConversationRow[] {
  if (session === undefined) return [];
  const query = 'SELECT c.*, s.session_id FROM conversations c JOIN sessions s ON s.id = c.session WHERE c.session = ? ORDER BY c.id';
  return sql.all<ConversationRecord>(query, session).map(conversationOf);
}

function touchConversation(sql: Sql, command: Parameters<Store['touchConversation']>[0]): void {
  const row = findConversation(sql, command.tenant, command.conversationId);
  if (row === undefined) throw conversationNotFound(command.conversationId);
  const {
    tipViewId = row.tip_view_id,
    lastModel = row.last_model,
    lastBudget = row.last_budget,
    isCurrent,
    atMs,
    conversationId,
  } = command;
  if (tipViewId !== row.tip_view_id || lastModel !== row.last_model || lastBudget !== row.last_budget)
    sql.run(
      'UPDATE conversations SET tip_view_id = ?, last_model = ?, last_budget = ? WHERE id = ?',
      ...[tipViewId, lastModel, lastBudget, row.id],
    );
  sql.run('UPDATE sessions SET last_request_at_ms = ? WHERE id = ? AND last_request_at_ms < ?', atMs, row.session, atMs);
  if (isCurrent)
    sql.run(
      'UPDATE sessions SET current_conversation_id = ? WHERE id = ? AND current_conversation_id IS NOT ?',
      ...[conversationId, row.session, conversationId],
    );
}
