// Undo: the newest fold and its prunes are taken back by a new view; what was folded is refused from now on, and automatic work rests.
import { UllageError } from '../core/errors.ts';
import { reduceGuard } from '../core/guard/reduce.ts';
import { EMPTY_VIEW_BODY, type View, type ViewBody } from '../core/plan/view.ts';
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { openStored } from './open-stored.ts';
import { loadView } from './request.ts';
import type { BoundState } from './run.ts';
import { isOnChain } from './sync.ts';

/** What `session.undo` took back. */
export interface Undone {
  /** The view that was taken back. */
  readonly viewId: string;
  /** Messages that are sent again as they came. */
  readonly restoredMessages: number;
}

const UNDO_TRIES = 64;

/** Throws nothing_to_undo when nothing is folded or pruned. After a crash: undone as a whole, or not at all. */
export async function undoNewest(given: Context, memory: SessionMemory): Promise<Undone> {
  for (let attempt = 0; attempt < UNDO_TRIES; attempt++) {
    const { context, state } = await openStored(given, memory);
    const undone = await tryUndo(context, state);
    if (undone) return undone;
  }
  throw new UllageError('store_unavailable', 'The conversation was changed by other writers during the undo; try again.');
}

async function tryUndo(context: Context, state: BoundState): Promise<Undone | undefined> {
  const { bound, budget, measure } = state;
  const shown = state.view && (await shownView(context, state.view));
  if (!shown || changedMessages(shown.body) === 0)
    throw new UllageError('nothing_to_undo', 'Nothing is folded or pruned in this conversation.');
  const view = await undoView(context, state, shown);
  const { usable } = budget;
  const event = { type: 'undo', viewId: view.viewId, size: measure.context.tokens, usable, minGain: budget.minGain } as const;
  const now = context.clock.now();
  const isCommitted = await context.store.commitCompaction({
    operationId: view.viewId,
    atMs: now,
    tenant: context.tenant,
    sessionId: bound.sessionId,
    conversationId: bound.conversation.conversationId,
    guardKey: bound.conversation.guardKey,
    expectedVersion: bound.guard.version,
    guard: reduceGuard(bound.guard, event, now, context.guardOptions).guard,
    view,
    outcome: undefined,
  });
  if (!isCommitted) return undefined;
  return { viewId: shown.viewId, restoredMessages: Math.max(0, changedMessages(shown.body) - changedMessages(view.body)) };
}

/** Entries that a compaction took away. What a provider refused is no matter of taste: it stays out. */
function changedMessages(body: ViewBody): number {
  return (body.fold?.to ?? -1) + 1 + body.replacements.filter(({ kind }) => kind !== 'refused').length;
}

/** The compaction whose body is in force: an undo and an amendment show an earlier one. */
async function shownView(context: Context, view: View): Promise<View | undefined> {
  if (view.kind === 'compaction') return view;
  const restores = view.body.restores;
  return restores ? loadView(context, restores) : undefined;
}

/** What was in force on this chain before `shown`; a guard that is shared holds views of other chains in between. */
async function viewBefore(context: Context, state: BoundState, shown: View): Promise<View | undefined> {
  for (let viewId = shown.baseViewId; viewId !== undefined; ) {
    const view = await loadView(context, viewId);
    if (view === undefined) return undefined;
    if (isOnChain(view, state.intake.chain)) return shownView(context, view);
    viewId = view.baseViewId;
  }
  return undefined;
}

async function undoView(context: Context, state: BoundState, shown: View): Promise<View> {
  const earlier = await viewBefore(context, state, shown);
  const position = state.intake.chain.length - 1;
  return {
    viewId: context.newId(),
    baseViewId: state.bound.guard.view,
    kind: 'undo',
    // In force exactly where the undone view was: on other chains under this guard nothing was taken back.
    cover: [earlier?.cover, state.view?.cover].reduce(deeper, shown.cover),
    watermark: { position, chain: state.intake.chain[position]! },
    atMs: context.clock.now(),
    refusedFold: shown.body.fold?.toChain,
    body: { ...withRefused(earlier?.body ?? EMPTY_VIEW_BODY, state.view?.body), restores: earlier?.viewId ?? '' },
  };
}

function withRefused(body: ViewBody, now: ViewBody | undefined): ViewBody {
  const refused = now?.replacements.filter(({ kind, position }) => kind === 'refused' && position > (body.fold?.to ?? -1)) ?? [];
  const positions = new Set(refused.map(({ position }) => position));
  const kept = body.replacements.filter(({ position }) => !positions.has(position));
  return { ...body, replacements: [...kept, ...refused].sort((a, b) => a.position - b.position) };
}

function deeper(a: View['cover'], b: View['cover']): View['cover'] {
  if (a === undefined || b === undefined) return a ?? b;
  return b.position > a.position ? b : a;
}
