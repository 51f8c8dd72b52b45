// Sync: which conversation a request belongs to, and storing what is new of it. The chain decides, not the caller.
import { UllageError } from '../core/errors.ts';
import { forkGuard } from '../core/guard/fork.ts';
import { EMPTY_GUARD, type Guard } from '../core/guard/guard.ts';
import type { ViewHead } from '../core/plan/view.ts';
import type { AppendEntries, ConversationRow, Followed, Located, NewEntry } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { Head, Intake } from './intake.ts';
import type { RequestShape } from './request.ts';
import { notesOf } from './request-notes.ts';
import { UNKNOWN_STAMP } from './stamp.ts';

/** Where a request stands in the store. */
export interface Bound {
  readonly sessionId: string;
  /** As it was before this request. */
  readonly conversation: ConversationRow;
  /**
   * tip: the request ends at its conversation's tip. branch: it left the chain before the tip, and is no conversation of its own yet.
   */
  readonly relation: 'tip' | 'branch';
  /** The request goes on from an earlier one of its conversation: the session goes on with it. A first request may stay the only one. */
  readonly isExtension: boolean;
  /** The store noted that with the request itself. */
  readonly isNoted?: boolean;
  readonly guard: Guard;
  readonly views: readonly ViewHead[];
  readonly located: Located;
  /** Why nothing could be stored, where the store can be read: the request goes out through the committed view, with its pins, and nothing is kept. */
  readonly fault?: UllageError;
}

/** A request that is to be found, and stored. */
export interface Asked {
  readonly intake: Intake;
  readonly shape: RequestShape;
}

const SYNC_TRIES = 8;

/** Plain texts are the same message in several APIs, but what was made for one of them is not sent to another. */
export function isForeign(context: Context, { conversation }: Located): boolean {
  return conversation !== undefined && conversation.api !== context.codec.api;
}

/**
 * undefined when the session holds this conversation for another API. Throws a store error when the store cannot be read, or holds nothing of
 * this conversation yet; nothing half written.
 */
export async function syncRequest(context: Context, sessionId: string, { intake, shape }: Asked): Promise<Bound | undefined> {
  for (let attempt = 0; attempt < SYNC_TRIES; attempt++) {
    const { followed, fault } = await follow(context, sessionId, intake);
    const { appendedFrom, ...located } = followed;
    if (isForeign(context, located)) return undefined;
    const binding = { sessionId, intake, shape, located };
    if (fault) return asItStands(binding, fault);
    if (appendedFrom !== undefined) return extended(binding, appendedFrom);
    const bound = await bindRequest(context, binding).catch((error: unknown) => asItStands(binding, error));
    if (bound) return bound;
  }
  throw new UllageError(
    'store_unavailable',
    `The conversation was moved ${SYNC_TRIES} times by other writers while this request was stored; try again.`,
  );
}

interface Follow {
  readonly followed: Followed;
  /** Why nothing could be stored. */
  readonly fault?: UllageError;
}

/** Most requests go on from a tip: they are found and stored at once. Of the others, and of one that is sent again, only the place is read. */
async function follow(context: Context, sessionId: string, intake: Intake): Promise<Follow> {
  const { store, tenant, codec, clock } = context;
  const { chain, heads, raws, sharedCount } = intake;
  const query = { tenant, sessionId, chain };
  if (sharedCount === heads.length) return { followed: await store.locate(query) };
  const entries = heads
    .slice(sharedCount)
    .map((head, index) => newEntry(head, { position: sharedCount + index, raw: raws[sharedCount + index]! }));
  try {
    return { followed: await store.followRequest({ ...query, api: codec.api, atMs: clock.now(), entries }) };
  } catch (error) {
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    const followed = await store.locate(query);
    // All of it is stored: nothing was to be written.
    return followed.deepest === heads.length - 1 ? { followed } : { followed, fault: error };
  }
}

function extended({ sessionId, intake, located }: Binding, from: number): Bound {
  const { guard, views } = located;
  const conversation = located.conversation!;
  const heads = intake.heads.slice(from);
  for (const head of heads.slice(0, answerLength(heads))) head.viewId = conversation.tipViewId;
  return { sessionId, conversation, relation: 'tip', isExtension: true, isNoted: true, guard, views, located };
}

interface Binding extends Asked {
  readonly sessionId: string;
  readonly located: Located;
}

/** A full disk or a lock must not change what the provider has seen so far: the view and the pins are there to be read. */
function asItStands({ sessionId, located }: Binding, error: unknown): Bound {
  const { conversation, guard, views } = located;
  if (!conversation || !UllageError.is(error) || !error.code.startsWith('store_')) throw error;
  return { sessionId, conversation, relation: 'branch', isExtension: false, guard, views, located, fault: error };
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
  const { guard, views } = located;
  return { sessionId: binding.sessionId, conversation, relation: 'branch', isExtension: false, guard, views, located };
}

interface Append extends Binding {
  readonly conversation: ConversationRow;
  readonly from: number;
}

async function extend(context: Context, append: Append): Promise<Bound | undefined> {
  const { conversation, located, from, sessionId } = append;
  const isExtension = append.intake.heads.length > from;
  if (isExtension) {
    const target = { kind: 'extend', conversationId: conversation.conversationId, expectedTip: conversation.tip?.chain } as const;
    const { status } = await store(context, { ...append, target, answerStamp: conversation.tipViewId });
    if (status === 'tip-moved') return undefined;
  }
  return { sessionId, conversation, relation: 'tip', isExtension, guard: located.guard, views: located.views, located };
}

/** Its last entry remembers what the request was rendered through: the stamp of an answer that may follow. */
async function appendBranch(context: Context, append: Append): Promise<void> {
  const { intake, located, conversation } = append;
  const from = intake.chain[append.from - 1];
  const hasBytesOfOurs = located.views.length + located.pins.length > 0;
  await store(context, {
    ...append,
    target: { kind: 'branch', conversationId: conversation.conversationId, from },
    answerStamp: hasBytesOfOurs ? UNKNOWN_STAMP : '',
    tipStamp: branchStamp(located, intake.chain),
  });
}

/** Pins find their place after this, so with pins nobody can say. */
function branchStamp(located: Located, chain: readonly string[]): string {
  return located.pins.length > 0 ? UNKNOWN_STAMP : (applicableView(located.views, chain)?.viewId ?? '');
}

async function createConversation(context: Context, binding: Binding): Promise<Bound | undefined> {
  const { sessionId } = binding;
  const conversationId = context.newId();
  const named = newRow(context, { conversationId, sessionId, guardKey: conversationId, origin: 'first' });
  const row = { ...named, ...notesOf(binding.shape) };
  const { status } = await store(context, { ...binding, from: 0, target: { kind: 'create', conversation: row } });
  if (status === 'tip-moved') return undefined;
  const conversation = { ...row, tipViewId: '', createdAtMs: context.clock.now() };
  const located: Located = { ...binding.located, guard: EMPTY_GUARD, views: [], anchors: [], pins: [] };
  return { sessionId, conversation, relation: 'tip', isExtension: false, guard: EMPTY_GUARD, views: [], located };
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
  const { status } = await store(context, { ...append, target, answerStamp: await stampOfBranch(context, append) });
  if (status === 'tip-moved') return undefined;
  const views = view ? located.views.slice(located.views.indexOf(view)) : [];
  const conversation = { ...row, tipViewId: UNKNOWN_STAMP, createdAtMs: context.clock.now() };
  const stored = await context.store.readGuard({ tenant: context.tenant, guardKey: conversationId });
  const own = { ...located, guard: stored, views, anchors: [] };
  return { sessionId, conversation, relation: 'tip', isExtension: true, guard: stored, views, located: own };
}

/** What the branch's own request was rendered through: its view may have been replaced since. */
async function stampOfBranch(context: Context, { sessionId, intake, from }: Append): Promise<string> {
  const position = from - 1;
  const [entry] = await context.store.readEntries({
    tenant: context.tenant,
    sessionId,
    tip: intake.chain[position]!,
    from: position,
    to: position,
  });
  return entry?.viewId ?? UNKNOWN_STAMP;
}

function newRow(context: Context, row: Pick<ConversationRow, 'conversationId' | 'sessionId' | 'guardKey' | 'origin' | 'parentId'>) {
  return { ...row, api: context.codec.api };
}

interface Write extends Binding {
  readonly from: number;
  readonly target: AppendEntries['target'];
  /** Stamp of the answer that the new entries begin with. */
  readonly answerStamp?: string;
  /** Of a branch: kept at its last entry. */
  readonly tipStamp?: string;
}

async function store(context: Context, write: Write): Promise<{ status: 'appended' | 'tip-moved' }> {
  const { intake, from, sessionId, target, answerStamp, tipStamp } = write;
  const heads = intake.heads.slice(from);
  const answered = answerStamp === undefined ? 0 : answerLength(heads);
  const stampAt = (index: number) => (index < answered ? answerStamp : index === heads.length - 1 ? tipStamp : undefined);
  const entries = heads.map((head, index) =>
    newEntry(head, { position: from + index, raw: intake.raws[from + index]!, viewId: stampAt(index) }),
  );
  const atMs = context.clock.now();
  const result = await context.store.appendEntries({
    operationId: context.newId(),
    atMs,
    tenant: context.tenant,
    sessionId,
    target,
    entries,
  });
  if (result.status === 'appended') for (const head of heads.slice(0, answered)) head.viewId = answerStamp;
  return result;
}

/** One answer can be several messages in a row. */
function answerLength(heads: readonly Head[]): number {
  const end = heads.findIndex((head) => head.role !== 'assistant');
  return end < 0 ? heads.length : end;
}

export function newEntry(head: Head, at: { readonly position: number; readonly raw: string; readonly viewId?: string }): NewEntry {
  const { chain, fingerprint, role, tokens } = head;
  return { ...at, chain, fingerprint, role, tokens };
}

/** The newest view of which every touched entry is on this chain. */
export function applicableView(views: readonly ViewHead[], chain: readonly string[]): ViewHead | undefined {
  return views.find((view) => isOnChain(view, chain));
}

export function isOnChain({ cover }: ViewHead, chain: readonly string[]): boolean {
  return cover === undefined || chain[cover.position] === cover.chain;
}
