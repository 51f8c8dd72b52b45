// Sync: which conversation a request belongs to, and storing what is new of it. The chain decides, not the caller.
import { UllageError } from '../core/errors.ts';
import { forkGuard } from '../core/guard/fork.ts';
import { EMPTY_GUARD, type Guard } from '../core/guard/guard.ts';
import type { ViewHead } from '../core/plan/view.ts';
import type { AppendEntries, ConversationRow, Located, NewEntry } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Head, Intake } from './intake.ts';

/** Where a request stands in the store. */
export interface Bound {
  readonly sessionId: string;
  /** As it was before this request. */
  readonly conversation: ConversationRow;
  /**
   * tip: the request ends at its conversation's tip. branch: it left the chain before the tip, and is no conversation of its own yet.
   */
  readonly relation: 'tip' | 'branch';
  readonly guard: Guard;
  readonly views: readonly ViewHead[];
  readonly located: Located;
}

const SYNC_TRIES = 8;

/** Throws a store error when the store cannot be reached; nothing half written. */
export async function syncRequest(context: Context, sessionId: string, intake: Intake): Promise<Bound> {
  for (let attempt = 0; attempt < SYNC_TRIES; attempt++) {
    const located = await context.store.locate({ tenant: context.tenant, sessionId, chain: intake.chain });
    const bound = await bindRequest(context, { sessionId, intake, located });
    if (bound) return bound;
  }
  throw new UllageError(
    'store_unavailable',
    `The conversation was moved ${SYNC_TRIES} times by other writers while this request was stored; try again.`,
  );
}

interface Binding {
  readonly sessionId: string;
  readonly intake: Intake;
  readonly located: Located;
}

async function bindRequest(context: Context, binding: Binding): Promise<Bound | undefined> {
  const { intake, located } = binding;
  const { conversation, deepest } = located;
  const last = intake.heads.length - 1;
  if (!conversation || deepest === undefined) return createConversation(context, binding);
  const isAtTip = !located.isBranch && conversation.tip?.chain === intake.chain[deepest];
  if (isAtTip) return extend(context, { ...binding, conversation, from: deepest + 1 });
  if (located.isBranch && last > deepest) return promoteBranch(context, { ...binding, conversation, from: deepest + 1 });
  if (last > deepest) await appendBranch(context, { ...binding, conversation, from: deepest + 1 });
  return { sessionId: binding.sessionId, conversation, relation: 'branch', guard: located.guard, views: located.views, located };
}

interface Append extends Binding {
  readonly conversation: ConversationRow;
  readonly from: number;
}

async function extend(context: Context, append: Append): Promise<Bound | undefined> {
  const { conversation, located, from, sessionId } = append;
  if (append.intake.heads.length > from) {
    const target = { kind: 'extend', conversationId: conversation.conversationId, expectedTip: conversation.tip?.chain } as const;
    const { status } = await store(context, { ...append, target, answerView: conversation.tipViewId });
    if (status === 'tip-moved') return undefined;
  }
  return { sessionId, conversation, relation: 'tip', guard: located.guard, views: located.views, located };
}

async function appendBranch(context: Context, append: Append): Promise<void> {
  const from = append.intake.chain[append.from - 1];
  await store(context, { ...append, target: { kind: 'branch', conversationId: append.conversation.conversationId, from } });
}

async function createConversation(context: Context, binding: Binding): Promise<Bound | undefined> {
  const conversationId = context.newId();
  const row = newRow(context, { conversationId, sessionId: binding.sessionId, guardKey: conversationId, origin: 'first' });
  const { status } = await store(context, { ...binding, from: 0, target: { kind: 'create', conversation: row } });
  if (status === 'tip-moved') return undefined;
  const conversation = { ...row, tipViewId: '', createdAtMs: context.clock.now() };
  const located: Located = { ...binding.located, guard: EMPTY_GUARD, views: [], anchors: [], pins: [] };
  return { sessionId: binding.sessionId, conversation, relation: 'tip', guard: EMPTY_GUARD, views: [], located };
}

/** A branch that is extended becomes a conversation of its own, with a copied guard and a parent link. */
async function promoteBranch(context: Context, append: Append): Promise<Bound | undefined> {
  const { conversation: parent, intake, located, from, sessionId } = append;
  const conversationId = context.newId();
  const view = applicableView(located.views, intake.chain);
  const guard = forkGuard(located.guard, view?.viewId);
  const row = newRow(context, { conversationId, sessionId, guardKey: conversationId, origin: 'fork', parentId: parent.conversationId });
  const adopt = intake.chain.slice((located.branchFrom ?? -1) + 1, from);
  const target = { kind: 'create', conversation: row, from: intake.chain[from - 1], guard, adopt } as const;
  const { status } = await store(context, { ...append, target, answerView: view?.viewId ?? '' });
  if (status === 'tip-moved') return undefined;
  const views = view ? located.views.slice(located.views.indexOf(view)) : [];
  const conversation = { ...row, tipViewId: view?.viewId ?? '', createdAtMs: context.clock.now() };
  const stored = await context.store.readGuard({ tenant: context.tenant, guardKey: conversationId });
  return { sessionId, conversation, relation: 'tip', guard: stored, views, located: { ...located, guard: stored, views, anchors: [] } };
}

function newRow(context: Context, row: Pick<ConversationRow, 'conversationId' | 'sessionId' | 'guardKey' | 'origin' | 'parentId'>) {
  return { ...row, api: context.codec.api };
}

interface Write extends Binding {
  readonly from: number;
  readonly target: AppendEntries['target'];
  /** Stamp of the answer that the new entries begin with. */
  readonly answerView?: string;
}

async function store(context: Context, write: Write): Promise<{ status: 'appended' | 'tip-moved' }> {
  const { intake, from, sessionId, target, answerView } = write;
  const first = intake.heads[from];
  if (first?.role === 'assistant' && answerView !== undefined) first.viewId = answerView;
  return context.store.appendEntries({
    operationId: context.newId(),
    atMs: context.clock.now(),
    tenant: context.tenant,
    sessionId,
    target,
    entries: intake.heads.slice(from).map((head, offset) => newEntry(head, from + offset, intake.raws[from + offset]!)),
  });
}

export function newEntry(head: Head, position: number, raw: string): NewEntry {
  const { chain, fingerprint, role, tokens, viewId } = head;
  return { position, chain, fingerprint, role, raw, tokens, viewId };
}

/** The newest view of which every touched entry is on this chain. */
export function applicableView(views: readonly ViewHead[], chain: readonly string[]): ViewHead | undefined {
  return views.find((view) => view.cover === undefined || chain[view.cover.position] === view.cover.chain);
}
