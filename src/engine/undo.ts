// Undo: the newest fold and its prunes are taken back by a new view; what was folded is refused from now on, and automatic work rests.
import { UllageError } from '../core/errors.ts';
import { reduceGuard } from '../core/guard/reduce.ts';
import { EMPTY_VIEW_BODY, type View } from '../core/plan/view.ts';
import type { Context } from './context.ts';
import { openStored } from './manual.ts';
import type { SessionMemory } from './memory.ts';
import { loadView } from './request.ts';
import type { BoundState } from './run.ts';

export interface Undone {
  /** The view that was taken back. */
  readonly viewId: string;
  /** Messages that are sent again as they came. */
  readonly restoredMessages: number;
}

const UNDO_TRIES = 64;

/** Throws nothing_to_undo when nothing is folded or pruned. After a crash: undone as a whole, or not at all. */
export async function undoNewest(context: Context, memory: SessionMemory): Promise<Undone> {
  for (let attempt = 0; attempt < UNDO_TRIES; attempt++) {
    const state = await openStored(context, memory);
    const undone = await tryUndo(context, state);
    if (undone) return undone;
  }
  throw new UllageError('store_unavailable', 'The conversation was changed by other writers during the undo; try again.');
}

async function tryUndo(context: Context, state: BoundState): Promise<Undone | undefined> {
  const { bound, budget, measure } = state;
  const shown = state.view && (await shownView(context, state.view));
  if (!shown) throw new UllageError('nothing_to_undo', 'Nothing is folded or pruned in this conversation.');
  const view = await undoView(context, state, shown);
  const event = {
    type: 'undo',
    viewId: view.viewId,
    size: measure.context.tokens,
    usable: budget.usable,
    minGain: budget.minGain,
  } as const;
  const now = context.clock.now();
  const { guard } = reduceGuard(bound.guard, event, now, context.guardOptions);
  const isCommitted = await context.store.commitCompaction({
    operationId: view.viewId,
    atMs: now,
    tenant: context.tenant,
    sessionId: bound.sessionId,
    conversationId: bound.conversation.conversationId,
    guardKey: bound.conversation.guardKey,
    expectedVersion: bound.guard.version,
    guard,
    view,
    outcome: undefined,
  });
  if (!isCommitted) return undefined;
  const restored =
    (shown.body.fold?.to ?? -1) + 1 + shown.body.replacements.length - view.body.replacements.length - ((view.body.fold?.to ?? -1) + 1);
  return { viewId: shown.viewId, restoredMessages: Math.max(0, restored) };
}

/** The compaction whose body is in force: an undo shows an earlier one. */
async function shownView(context: Context, view: View): Promise<View | undefined> {
  if (view.kind === 'compaction') return view;
  const restores = view.body.restores;
  return restores ? loadView(context, restores) : undefined;
}

async function undoView(context: Context, state: BoundState, shown: View): Promise<View> {
  const base = shown.baseViewId === undefined ? undefined : await loadView(context, shown.baseViewId);
  const earlier = base && (await shownView(context, base));
  const position = state.intake.chain.length - 1;
  return {
    viewId: context.newId(),
    baseViewId: state.bound.guard.view,
    kind: 'undo',
    cover: earlier?.cover,
    watermark: { position, chain: state.intake.chain[position]! },
    atMs: context.clock.now(),
    refusedFold: shown.body.fold?.toChain,
    body: { ...(earlier?.body ?? EMPTY_VIEW_BODY), restores: earlier?.viewId ?? '' },
  };
}
