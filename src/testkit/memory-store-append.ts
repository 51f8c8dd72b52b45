// Appending and reading entries in memory. The rules are those of every store.
import { type AppendFacts, type AppendPlan, planAppend } from '../adapters/store/append-rules.ts';
import { assertStorableEntries } from '../adapters/store/entry-check.ts';
import { newestOf, REQUEST_TIME_PRECISION_MS } from '../adapters/store/follow-rule.ts';
import { encodeGuard } from '../core/guard/encode.ts';
import type { AppendEntries, ConversationRow, Followed, FollowRequest, NewEntry, PinRow, Store, StoredEntry } from '../ports/store.ts';
import { locateIn } from './memory-store-sessions.ts';
import {
  type MemoryNode,
  type MemorySession,
  type MemoryState,
  type MemoryTenant,
  once,
  sessionOf,
  tenantOf,
} from './memory-store-state.ts';

type EntryCommands = Pick<Store, 'followRequest' | 'appendEntries' | 'readEntries' | 'findEntry'>;

export function entryCommands(state: MemoryState): EntryCommands {
  return {
    async followRequest(command) {
      return follow(state, command);
    },
    async appendEntries(command) {
      assertStorableEntries(command.entries);
      const tenant = tenantOf(state, command.tenant);
      const session = sessionOf(tenant, command.sessionId);
      const status = once(tenant, 'appendEntries', {
        command,
        sessionId: command.sessionId,
        done: 'appended' as const,
        effect: () => append(command, { tenant, session, storage: state.storage }),
      });
      return { status: status ?? 'tip-moved' };
    },
    async readEntries(query) {
      const nodes = tenantOf(state, query.tenant).sessions.get(query.sessionId)?.nodes;
      const entries: StoredEntry[] = [];
      for (let node = nodes?.get(query.tip); node !== undefined && node.entry.position >= (query.from ?? 0); node = node.parent)
        if (node.entry.position <= (query.to ?? Number.POSITIVE_INFINITY)) entries.push(node.entry);
      return entries.reverse();
    },
    async findEntry(query) {
      const tenant = tenantOf(state, query.tenant);
      if (query.chainPrefix === '') return undefined;
      const node = [...tenant.sessions.values()]
        .filter((session) => query.sessionId === undefined || session.row.sessionId === query.sessionId)
        .flatMap((session) => [...session.nodes.values()])
        .findLast(({ entry }) => entry.chain.startsWith(query.chainPrefix));
      if (node === undefined) return undefined;
      const { conversationId } = node;
      return { ...node.entry, conversationId, api: tenant.conversations.get(conversationId)!.row.api };
    },
  };
}

function follow(state: MemoryState, command: FollowRequest): Followed {
  const { tenant, session, located } = locateIn(state, command);
  const entries = newestOf(command, located);
  const conversation = tenant.conversations.get(located.conversation?.conversationId ?? '');
  if (entries === undefined || conversation === undefined || session === undefined) return located;
  const plan = { owner: conversation.row.conversationId, isBranch: false };
  let parent = conversation.row.tip?.chain;
  for (const entry of entries) {
    insert(command.atMs, { entry, parent, plan, place: { tenant, session, storage: state.storage } });
    parent = entry.chain;
  }
  const { chain, position } = entries.at(-1)!;
  conversation.row = { ...conversation.row, tip: { chain, position } };
  const { lastRequestAtMs: notedAtMs, currentConversationId } = session.row;
  if (notedAtMs + REQUEST_TIME_PRECISION_MS <= command.atMs || currentConversationId !== plan.owner)
    session.row = { ...session.row, lastRequestAtMs: Math.max(notedAtMs, command.atMs), currentConversationId: plan.owner };
  return { ...located, appendedFrom: entries[0].position };
}

interface Place {
  readonly tenant: MemoryTenant;
  readonly session: MemorySession;
  readonly storage: 'full' | 'none';
}

function append(command: AppendEntries, place: Place): 'appended' | undefined {
  const plan = planAppend(command, factsFor(command, place));
  if (plan.status === 'tip-moved') return undefined;
  for (const { entry, parent } of plan.inserts) insert(command.atMs, { entry, parent, plan, place });
  for (const chain of plan.adopt) Object.assign(place.session.nodes.get(chain)!, { conversationId: plan.owner, isBranch: false });
  if (command.target.kind === 'create') create(command, place, plan.tip);
  else if (plan.tip !== undefined) {
    const conversation = place.tenant.conversations.get(plan.owner)!;
    conversation.row = { ...conversation.row, tip: plan.tip };
  }
  const { session } = place;
  session.row = { ...session.row, lastRequestAtMs: Math.max(session.row.lastRequestAtMs, command.atMs) };
  return 'appended';
}

function factsFor({ target }: AppendEntries, { tenant, session }: Place): AppendFacts {
  const conversationId = target.kind === 'create' ? target.conversation.conversationId : target.conversationId;
  const conversation = tenant.conversations.get(conversationId)?.row;
  const successor = conversation?.successorId === undefined ? undefined : tenant.conversations.get(conversation.successorId);
  return {
    conversation,
    isClosed: successor?.row.sessionId === session.row.sessionId,
    parent: target.kind === 'create' ? tenant.conversations.get(target.conversation.parentId ?? '')?.row : undefined,
    closes: target.kind === 'create' && target.closes !== undefined ? tenant.conversations.get(target.closes)?.row : undefined,
    node: (chain) => asStored(session.nodes.get(chain)),
    branchTo: (chain) => {
      const path = [];
      for (let node = session.nodes.get(chain); node?.isBranch; node = node.parent) path.push(asStored(node)!);
      return path;
    },
  };
}

function asStored(node: MemoryNode | undefined) {
  return node && { chain: node.entry.chain, position: node.entry.position, conversationId: node.conversationId, isBranch: node.isBranch };
}

interface InsertWork {
  readonly entry: NewEntry;
  readonly parent?: string;
  readonly plan: Pick<Extract<AppendPlan, { status: 'appended' }>, 'owner' | 'isBranch'>;
  readonly place: Place;
}

function insert(atMs: number, { entry, parent, plan, place }: InsertWork): void {
  const { position, chain, fingerprint, role, tokens, viewId } = entry;
  const raw = place.storage === 'full' ? entry.raw : undefined;
  place.session.nodes.set(chain, {
    entry: Object.freeze({ position, chain, fingerprint, role, tokens, viewId, raw, atMs }),
    parent: parent === undefined ? undefined : place.session.nodes.get(parent),
    conversationId: plan.owner,
    isBranch: plan.isBranch,
  });
}

function create(command: AppendEntries, { tenant, session }: Place, tip: ConversationRow['tip']): void {
  if (command.target.kind !== 'create') return;
  const { conversation, guard, closes } = command.target;
  const { conversationId, parentId } = conversation;
  const parent = parentId === undefined ? undefined : tenant.conversations.get(parentId);
  const row: ConversationRow = { ...conversation, sessionId: command.sessionId, tip, tipViewId: '', createdAtMs: command.atMs };
  const pins = (parent?.pins ?? []).map((pin) => ({ ...pin, placedAt: placeOnChain(pin, session, tip) }));
  tenant.conversations.set(conversationId, { row, pins, anchors: conversation.origin === 'continuation' ? [] : (parent?.anchors ?? []) });
  if (guard !== undefined && !tenant.guards.has(conversation.guardKey))
    tenant.guards.set(conversation.guardKey, { version: 1, record: encodeGuard({ ...guard, version: 1 }) });
  if (closes !== undefined) {
    const closed = tenant.conversations.get(closes)!;
    closed.row = { ...closed.row, successorId: conversationId };
  }
  const current = session.row.currentConversationId;
  if (current === undefined || current === closes) session.row = { ...session.row, currentConversationId: conversationId };
}

/** A place on another chain is none here. */
function placeOnChain(pin: PinRow, session: MemorySession, tip: ConversationRow['tip']): string | undefined {
  if (pin.placedAt === undefined || tip === undefined) return undefined;
  for (let node = session.nodes.get(tip.chain); node !== undefined; node = node.parent)
    if (node.entry.chain === pin.placedAt) return pin.placedAt;
  return undefined;
}
