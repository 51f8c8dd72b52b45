// Small look-ups that several commands need, all by tenant.
import { UllageError } from '../../core/errors.ts';
import { conversationNotFound } from '../store/append-rules.ts';
import type { Sql } from './database.ts';
import type { ConversationRecord } from './rows.ts';

const CONVERSATION = `SELECT c.*, s.session_id FROM conversations c JOIN sessions s ON s.id = c.session WHERE`;

/** The short id of a session; undefined when the tenant has none of that name. */
export function findSessionId(sql: Sql, tenant: string, sessionId: string): number | undefined {
  return sql.get<{ id: number }>('SELECT id FROM sessions WHERE tenant = ? AND session_id = ?', tenant, sessionId)?.id;
}

export function requireSessionId(sql: Sql, tenant: string, sessionId: string): number {
  const id = findSessionId(sql, tenant, sessionId);
  if (id === undefined) throw new UllageError('session_not_found', `There is no session ${sessionId}: it may have been deleted.`);
  return id;
}

export function findConversation(sql: Sql, tenant: string, conversationId: string): ConversationRecord | undefined {
  return sql.get<ConversationRecord>(`${CONVERSATION} c.tenant = ? AND c.conversation_id = ?`, tenant, conversationId);
}

/** Which rows belong to it. */
type ConversationPlace = Pick<ConversationRecord, 'id' | 'session' | 'session_id'>;

const PLACE = `
SELECT c.id, c.session, s.session_id FROM conversations c JOIN sessions s ON s.id = c.session WHERE c.tenant = ? AND c.conversation_id = ?`;

export function requireConversation(sql: Sql, tenant: string, conversationId: string): ConversationPlace {
  const place = sql.get<ConversationPlace>(PLACE, tenant, conversationId);
  if (place === undefined) throw conversationNotFound(conversationId);
  return place;
}

/** By its short id, which a stored entry names. */
export function conversationById(sql: Sql, id: number): ConversationRecord {
  return sql.get<ConversationRecord>(`${CONVERSATION} c.id = ?`, id)!;
}

/** The conversation that closed this one, when it belongs to the same session. */
export function findSuccessor(sql: Sql, tenant: string, conversation: ConversationRecord | undefined): ConversationRecord | undefined {
  if (conversation === undefined || conversation.successor_id === null) return undefined;
  const successor = findConversation(sql, tenant, conversation.successor_id);
  return successor?.session === conversation.session ? successor : undefined;
}
