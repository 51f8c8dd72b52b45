// What an append does, decided from what is stored: one pure rule for every store. The store looks the facts up and writes the plan,
// both inside the same transaction.
import { UllageError } from '../../core/errors.ts';
import type { AppendEntries, ConversationRow, NewEntry } from '../../ports/store.ts';

/** A stored entry as far as the rules need it. */
export interface StoredNode {
  readonly chain: string;
  readonly position: number;
  readonly conversationId: string;
  readonly isBranch: boolean;
}

/** What is stored, read in the transaction that writes. */
export interface AppendFacts {
  /** The conversation that is extended or left; for create, one that has the new id already. */
  readonly conversation?: ConversationRow;
  /** Whether that conversation has a successor in this session. */
  readonly isClosed: boolean;
  /** For create: the conversation it comes from. */
  readonly parent?: ConversationRow;
  /** For create: the conversation that is closed. */
  readonly closes?: ConversationRow;
  /** Of a chain hash, when it is stored. */
  readonly node: (chain: string) => StoredNode | undefined;
  /** Branch entries that lead to a stored entry, itself included: those that have no conversation yet, in any order. */
  readonly branchTo: (chain: string) => readonly StoredNode[];
}

export interface Insertion {
  readonly entry: NewEntry;
  /** Chain hash of the entry before it; undefined for position 0. */
  readonly parent?: string;
}

export type AppendPlan =
  | { readonly status: 'tip-moved' }
  | {
      readonly status: 'appended';
      readonly inserts: readonly Insertion[];
      /** Conversation of the new entries. */
      readonly owner: string;
      readonly isBranch: boolean;
      /** Stored branch entries that become `owner`'s. */
      readonly adopt: readonly string[];
      /** The tip that `owner` gets; undefined = it keeps its own. */
      readonly tip?: { readonly chain: string; readonly position: number };
    };

const TIP_MOVED: AppendPlan = { status: 'tip-moved' };

export function planAppend(command: AppendEntries, facts: AppendFacts): AppendPlan {
  switch (command.target.kind) {
    case 'extend':
      return planExtend(command, facts);
    case 'branch':
      return planBranch(command, facts);
    default:
      return planCreate(command, facts);
  }
}

/** Every chain hash the rules may ask for. */
export function chainsOf(command: AppendEntries): string[] {
  const { target } = command;
  const links =
    target.kind === 'create' ? [target.from, ...(target.adopt ?? [])] : target.kind === 'extend' ? [target.expectedTip] : [target.from];
  return [...links.filter((chain) => chain !== undefined), ...command.entries.map((entry) => entry.chain)];
}

export function conversationNotFound(conversationId: string): UllageError {
  return new UllageError('session_not_found', `There is no conversation ${conversationId} in this session: it may have been deleted.`, {
    details: { conversationId },
  });
}

function planExtend(command: AppendEntries, facts: AppendFacts): AppendPlan {
  const { target, entries } = command;
  if (target.kind !== 'extend') return TIP_MOVED;
  const conversation = ownedBySession(facts.conversation, target.conversationId, command.sessionId);
  if (facts.isClosed || conversation.tip?.chain !== target.expectedTip) return TIP_MOVED;
  const stored = entries
    .flatMap((entry) => facts.node(entry.chain) ?? [])
    .filter((node) => node.position > (conversation.tip?.position ?? -1));
  if (stored.some((node) => !node.isBranch)) return TIP_MOVED;
  return {
    status: 'appended',
    inserts: insertions(entries, facts, conversation.tip),
    owner: conversation.conversationId,
    isBranch: false,
    adopt: stored.map((node) => node.chain),
    tip: newest(entries.at(-1), conversation.tip),
  };
}

function planBranch(command: AppendEntries, facts: AppendFacts): AppendPlan {
  const { target, entries } = command;
  if (target.kind !== 'branch') return TIP_MOVED;
  const conversation = ownedBySession(facts.conversation, target.conversationId, command.sessionId);
  const link = target.from === undefined ? undefined : linked(target.from, facts);
  return { status: 'appended', inserts: insertions(entries, facts, link), owner: conversation.conversationId, isBranch: true, adopt: [] };
}

function planCreate(command: AppendEntries, facts: AppendFacts): AppendPlan {
  const { target, entries } = command;
  if (target.kind !== 'create') return TIP_MOVED;
  const { conversation, from, adopt = [], closes } = target;
  if (facts.conversation !== undefined)
    throw new UllageError('operation_conflict', `Conversation ${conversation.conversationId} exists already: use a new conversation id.`);
  if (conversation.parentId !== undefined && facts.parent === undefined) throw conversationNotFound(conversation.parentId);
  if (closes !== undefined) {
    if (facts.closes === undefined) throw conversationNotFound(closes);
    if (facts.closes.successorId !== undefined) return TIP_MOVED;
    if (conversation.origin === 'rotation' && facts.closes.tip?.chain !== from) return TIP_MOVED;
  }
  const listed = adopt.map((chain) => linked(chain, facts));
  if (listed.some((node) => !node.isBranch)) return TIP_MOVED;
  const link = [...(from === undefined ? [] : [linked(from, facts)]), ...listed].reduce<StoredNode | undefined>(newestNode, undefined);
  const adopted = new Map([...listed, ...(link === undefined ? [] : facts.branchTo(link.chain))].map((node) => [node.chain, node]));
  const foreign = entries.flatMap((entry) => facts.node(entry.chain) ?? []).filter((node) => node.position > (link?.position ?? -1));
  if (foreign.some((node) => !node.isBranch)) return TIP_MOVED;
  for (const node of foreign) adopted.set(node.chain, node);
  return {
    status: 'appended',
    inserts: insertions(entries, facts, link),
    owner: conversation.conversationId,
    isBranch: false,
    adopt: [...adopted.keys()],
    tip: newest(entries.at(-1), link),
  };
}

/** The entries that are not stored yet, each with the one before it. */
function insertions(entries: readonly NewEntry[], facts: AppendFacts, link: Link | undefined): Insertion[] {
  let before: Link | undefined = link;
  const inserts: Insertion[] = [];
  for (const entry of entries) {
    if (facts.node(entry.chain) === undefined) {
      if (entry.position !== (before?.position ?? -1) + 1)
        throw new UllageError(
          'transcript_invalid',
          `Entry ${entry.position} has no stored entry before it: append from the deepest stored entry on.`,
        );
      inserts.push({ entry, parent: before?.chain });
    }
    before = entry;
  }
  return inserts;
}

interface Link {
  readonly chain: string;
  readonly position: number;
}

function newest(a: Link | undefined, b: Link | undefined): Link | undefined {
  const link = a === undefined || (b !== undefined && b.position > a.position) ? b : a;
  return link === undefined ? undefined : { chain: link.chain, position: link.position };
}

function newestNode(a: StoredNode | undefined, b: StoredNode): StoredNode {
  return a === undefined || b.position > a.position ? b : a;
}

function linked(chain: string, facts: AppendFacts): StoredNode {
  const node = facts.node(chain);
  if (node !== undefined) return node;
  throw new UllageError(
    'transcript_invalid',
    `The entry ${chain.slice(0, 12)} that is continued from is not stored: locate the chain again.`,
  );
}

function ownedBySession(conversation: ConversationRow | undefined, conversationId: string, sessionId: string): ConversationRow {
  if (conversation?.sessionId !== sessionId) throw conversationNotFound(conversationId);
  return conversation;
}
