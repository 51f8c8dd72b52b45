// Decide: what a request that is due gets — an attempt, a wait, a plan for itself alone, or the plain truth about why not.
import { UllageError } from '../core/errors.ts';
import { evaluate } from '../core/guard/evaluate.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import { attemptCompaction } from './attempt.ts';
import type { Context } from './context.ts';
import { askOf, dueGoal, floorReason, isOverWindow, overflowGoal } from './goals.ts';
import { plainResult } from './outcome.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, AttemptResult, BoundState } from './run.ts';
import { planForThisRequest } from './transient.ts';
import { withinWait } from './within-wait.ts';

export interface Headroom {
  readonly goal: AttemptGoal;
  readonly result: AttemptResult;
  /** The candidate is for this request only and was not committed. */
  readonly isTransient?: boolean;
  /** Why it is, where a step was put off: nothing here proves that no more can be done. */
  readonly deferred?: AttemptResult;
}

/** An attempt needs the request in the store, and a store that can be written. */
function isStored(state: RequestState): state is BoundState {
  return state.bound !== undefined && state.bound.fault === undefined;
}

/** Told of an attempt that ended after its caller had stopped waiting for it. */
export type LateHeadroom = (headroom: Headroom) => void;

/** undefined = nothing is due. Throws nothing for a size; store faults become a deferred result. */
export async function keepHeadroom(
  context: Context,
  state: RequestState,
  wait: { readonly signal?: AbortSignal; readonly onLate?: LateHeadroom } = {},
): Promise<Headroom | undefined> {
  const goal = dueGoal(context, state);
  if (!goal) return undefined;
  const floor = goal.unit === 'tokens' ? floorReason(state) : undefined;
  if (floor === 'floor_exceeds_window' || (floor && !isOverWindow(state))) return { goal, result: plainResult(context, 'no_op', floor) };
  if (!isStored(state)) return fitOrDefer(context, state, { goal, result: plainResult(context, 'deferred', 'store_unavailable') });
  if (state.bound.relation === 'branch') return isOverWindow(state) ? alone(context, state, goal) : undefined;
  const bound = { ...state, bound: state.bound };
  return attemptOrFit(context, bound, { goal: floor ? overflowGoal(state, goal) : goal, ...wait });
}

/** An attempt that a provider's refusal asks for; without a store, or on a branch, a plan for this request alone. */
export async function attemptOrAlone(
  context: Context,
  state: RequestState,
  ask: { readonly goal: AttemptGoal; readonly signal?: AbortSignal },
): Promise<Headroom> {
  const { goal } = ask;
  if (!isStored(state)) return aloneOr(context, state, { goal, result: plainResult(context, 'deferred', 'store_unavailable') });
  if (state.bound.relation === 'branch') return alone(context, state, goal);
  const found = await attemptOrFit(context, { ...state, bound: state.bound }, ask);
  return found.result.status === 'deferred' && !found.result.isSuperseded ? aloneOr(context, state, found) : found;
}

interface Asked {
  readonly goal: AttemptGoal;
  readonly signal?: AbortSignal;
  /** End of the wait for another's compaction; set when it begins. */
  readonly untilMs?: number;
  readonly onLate?: LateHeadroom;
}

async function attemptOrFit(context: Context, state: BoundState, ask: Asked): Promise<Headroom> {
  try {
    return await attemptOrWait(context, state, ask);
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return fitOrDefer(context, state, { goal: ask.goal, result: plainResult(context, 'deferred', faultReason(context, error)) });
  }
}

async function attemptOrWait(context: Context, state: BoundState, ask: Asked): Promise<Headroom> {
  const { goal, signal, onLate } = ask;
  const attempt = attemptCompaction(context, state, goal);
  const result = await withinWait(attempt, { signal, onLate: (late) => onLate?.({ goal, result: late }) });
  if (result.reason === 'in_progress') return waitForOther(context, state, { ...ask, result });
  const isRefused = result.reason === 'verdict_pending' || result.status === 'blocked';
  if (isRefused && goal.kind !== 'overflow' && isOverWindow(state)) {
    const overflow = { ...overflowGoal(state, goal), isFactsOnly: true };
    return attemptOrWait(context, state, { ...ask, goal: overflow });
  }
  const found = { goal, result };
  return result.status === 'deferred' && !result.isSuperseded ? fitOrDefer(context, state, found) : found;
}

function faultReason(context: Context, error: UllageError): OutcomeReason {
  if (error.code === 'cancelled') return 'cancelled';
  context.log.write('error', `Compaction is deferred: ${error.message}`, { code: error.code });
  return 'store_unavailable';
}

const LEASE_POLL_MS = 50;
const DEFAULT_LEASE_WAIT_MS = 2_000;

/** Waits briefly for another's compaction and adopts its view; else the request goes out as it is, or with a plan of its own. */
async function waitForOther(context: Context, state: BoundState, held: Asked & { readonly result: AttemptResult }): Promise<Headroom> {
  const { goal, signal, result } = held;
  const { conversation, guard: known } = state.bound;
  const untilMs = held.untilMs ?? context.clock.now() + (context.options.leaseWaitMs ?? DEFAULT_LEASE_WAIT_MS);
  while (context.clock.now() < untilMs && !signal?.aborted) {
    await context.clock.wait(Math.min(LEASE_POLL_MS, untilMs - context.clock.now()), signal).catch(() => {});
    const guard = await context.store.readGuard({ tenant: context.tenant, guardKey: conversation.guardKey });
    if (guard.view !== known.view) return { goal, result: { ...result, isSuperseded: true } };
    const decision = evaluate(guard, askOf(context, state, goal), context.clock.now(), context.guardOptions);
    const isHeld = decision.decision === 'deferred' && decision.reason === 'in_progress';
    if (!isHeld)
      return attemptOrWait(context, { ...state, bound: { ...state.bound, guard } }, { goal, signal, untilMs, onLate: held.onLate });
  }
  return fitOrDefer(context, state, { goal, result });
}

/** A request that would not fit gets a facts plan of its own; one that fits goes out as it is. */
async function fitOrDefer(context: Context, state: RequestState, deferred: Headroom): Promise<Headroom> {
  return isOverWindow(state) ? aloneOr(context, state, deferred) : deferred;
}

/** Where even a plan of its own finds nothing, the truth is that the step was put off. */
async function aloneOr(context: Context, state: RequestState, deferred: Headroom): Promise<Headroom> {
  const found = await alone(context, state, deferred.goal);
  return found.result.candidate ? { ...found, deferred: deferred.result } : deferred;
}

async function alone(context: Context, state: RequestState, goal: AttemptGoal): Promise<Headroom> {
  const overflow = goal.kind === 'overflow' ? goal : overflowGoal(state, goal);
  return { goal: overflow, result: await planForThisRequest(context, state, overflow), isTransient: true };
}
