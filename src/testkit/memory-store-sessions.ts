// Sessions and conversations in memory: opening, listing, locating a request, deleting.

import { conversationNotFound } from '../adapters/store/append-rules.ts';
import { assertStorableText } from '../adapters/store/entry-check.ts';
import { operationConflict } from '../adapters/store/operation.ts';
import { decodeGuard } from '../core/guard/encode.ts';
import type { Guard } from '../core/guard/guard.ts';
import type { ViewHead } from '../core/plan/view.ts';
import type { ConversationRow, Located, SessionSummary, Store } from '../ports/store.ts';
import { type MemoryConversation, type MemorySession, type MemoryState, type MemoryTenant, tenantOf } from './memory-store-state.ts';

type SessionCommands = Pick<
  Store,
  | 'ensureSession'
  | 'findSession'
  | 'listSessions'
  | 'locate'
  | 'loadConversation'
  | 'conversation'
  | 'conversations'
  | 'touchConversation'
  | 'deleteSession'
  | 'prune'
>;

export function sessionCommands(state: MemoryState): SessionCommands {
  return {
    async ensureSession({ tenant, key, sessionId, atMs }) {
      assertStorableText('key of the session', key);
      const { sessions } = tenantOf(state, tenant);
      const known = byKey(sessions, key);
      if (known !== undefined) return known.row;
      if (sessions.has(sessionId)) throw operationConflict(sessionId);
      const row = { sessionId, tenant, key, createdAtMs: atMs, lastRequestAtMs: atMs };
      sessions.set(sessionId, { row, nodes: new Map(), outcomes: [] });
      return row;
    },
    async findSession({ tenant, key }) {
      return byKey(tenantOf(state, tenant).sessions, key)?.row;
    },
    async listSessions(query) {
      const tenant = tenantOf(state, query.tenant);
      const rows = [...tenant.sessions.values()].reverse().map((session) => summaryOf(tenant, session));
      return rows.sort((a, b) => b.lastRequestAtMs - a.lastRequestAtMs).slice(0, query.limit);
    },
    async locate(query) {
      return locateIn(state, query).located;
    },
    async loadConversation({ tenant: name, conversationId }) {
      const tenant = tenantOf(state, name);
      const conversation = tenant.conversations.get(conversationId);
      return { ...surroundings(state, tenant, conversation), deepest: conversation?.row.tip?.position, isBranch: false };
    },
    async conversation({ tenant, conversationId }) {
      return tenantOf(state, tenant).conversations.get(conversationId)?.row;
    },
    async conversations({ tenant, sessionId }) {
      return conversationsOf(tenantOf(state, tenant), sessionId).map(({ row }) => row);
    },
    async touchConversation({ tenant: name, conversationId, atMs, isCurrent, ...notes }) {
      const tenant = tenantOf(state, name);
      const conversation = tenant.conversations.get(conversationId);
      if (conversation === undefined) throw conversationNotFound(conversationId);
      const {
        tipViewId = conversation.row.tipViewId,
        lastModel = conversation.row.lastModel,
        lastBudget = conversation.row.lastBudget,
      } = notes;
      conversation.row = { ...conversation.row, tipViewId, lastModel, lastBudget };
      const session = tenant.sessions.get(conversation.row.sessionId)!;
      const { row } = session;
      const currentConversationId = isCurrent ? conversationId : row.currentConversationId;
      session.row = { ...row, lastRequestAtMs: Math.max(row.lastRequestAtMs, atMs), currentConversationId };
    },
    async deleteSession({ tenant, sessionId }) {
      return { entries: remove(tenantOf(state, tenant), sessionId) };
    },
    async prune({ tenant: only, olderThanMs }) {
      const names = only === undefined ? [...state.tenants.keys()] : [only];
      const old = names.flatMap((name) => {
        const tenant = tenantOf(state, name);
        return [...tenant.sessions.values()]
          .filter(({ row }) => row.lastRequestAtMs < olderThanMs)
          .map(({ row }) => ({ tenant, id: row.sessionId }));
      });
      return { sessions: old.length, entries: old.reduce((sum, { tenant, id }) => sum + remove(tenant, id), 0) };
    },
  };
}

interface LocatedIn {
  readonly tenant: MemoryTenant;
  readonly session: MemorySession | undefined;
  readonly located: Located;
}

/** Where a chain stands, and what that was found in. */
export function locateIn(state: MemoryState, query: { tenant: string; sessionId: string; chain: readonly string[] }): LocatedIn {
  const tenant = tenantOf(state, query.tenant);
  const session = tenant.sessions.get(query.sessionId);
  return { tenant, session, located: locate(state, { tenant, session, chain: query.chain }) };
}

function byKey(sessions: ReadonlyMap<string, MemorySession>, key: string): MemorySession | undefined {
  return [...sessions.values()].find(({ row }) => row.key === key);
}

function conversationsOf(tenant: MemoryTenant, sessionId: string): MemoryConversation[] {
  return [...tenant.conversations.values()].filter(({ row }) => row.sessionId === sessionId);
}

function summaryOf(tenant: MemoryTenant, session: MemorySession): SessionSummary {
  const { sessionId } = session.row;
  const raws = [...session.nodes.values()].map(({ entry }) => Buffer.byteLength(entry.raw ?? ''));
  const views = [...tenant.views.values()].filter((view) => view.sessionId === sessionId);
  return {
    ...session.row,
    conversations: conversationsOf(tenant, sessionId).length,
    entries: session.nodes.size,
    folds: views.filter(({ head, json }) => head.kind === 'compaction' && 'fold' in JSON.parse(json).body).length,
    sizeBytes: raws.reduce((sum, bytes) => sum + bytes, 0),
  };
}

interface Asked {
  readonly tenant: MemoryTenant;
  readonly session?: MemorySession;
  readonly chain: readonly string[];
}

function locate(state: MemoryState, { tenant, session, chain }: Asked): Located {
  const deepest = chain.findLastIndex((hash) => session?.nodes.has(hash));
  const node = session?.nodes.get(chain[deepest] ?? '');
  if (node === undefined) return { ...surroundings(state, tenant, undefined), isBranch: false };
  const conversation = successorOf(tenant, tenant.conversations.get(node.conversationId)!);
  const found = { ...surroundings(state, tenant, conversation), deepest, isBranch: node.isBranch };
  if (!node.isBranch) return found;
  const branchFrom = chain.findLastIndex((hash) => session?.nodes.get(hash)?.isBranch === false);
  return { ...found, branchFrom: branchFrom < 0 ? undefined : branchFrom };
}

/** The conversation that requests go on in, within the session. */
function successorOf(tenant: MemoryTenant, conversation: MemoryConversation): MemoryConversation {
  let current = conversation;
  for (;;) {
    const next = tenant.conversations.get(current.row.successorId ?? '');
    if (next === undefined || next.row.sessionId !== current.row.sessionId) return current;
    current = next;
  }
}

function surroundings(state: MemoryState, tenant: MemoryTenant, conversation: MemoryConversation | undefined): Omit<Located, 'isBranch'> {
  const guard = decodeGuard(tenant.guards.get(conversation?.row.guardKey ?? '')?.record);
  const calibrations = [...state.calibrations.values()].reverse();
  return {
    conversation: conversation?.row,
    guard,
    views: viewsOf(tenant, guard),
    anchors: conversation?.anchors ?? [],
    pins: conversation?.pins ?? [],
    calibrations,
  };
}

function viewsOf(tenant: MemoryTenant, guard: Guard): ViewHead[] {
  const heads: ViewHead[] = [];
  for (let view = tenant.views.get(guard.view ?? ''); view !== undefined; view = tenant.views.get(view.head.baseViewId ?? ''))
    heads.push(view.head);
  return heads;
}

function remove(tenant: MemoryTenant, sessionId: string): number {
  const session = tenant.sessions.get(sessionId);
  if (session === undefined) return 0;
  tenant.sessions.delete(sessionId);
  for (const { row } of conversationsOf(tenant, sessionId)) tenant.conversations.delete(row.conversationId);
  const usedKeys = new Set([...tenant.conversations.values()].map(({ row }: { row: ConversationRow }) => row.guardKey));
  for (const key of tenant.guards.keys()) if (!usedKeys.has(key)) tenant.guards.delete(key);
  for (const [id, view] of tenant.views) if (view.sessionId === sessionId) tenant.views.delete(id);
  for (const [id, operation] of tenant.operations) if (operation.sessionId === sessionId) tenant.operations.delete(id);
  return session.nodes.size;
}
