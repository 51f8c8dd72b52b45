// Decide: what a request that is due gets — an attempt, a wait, a plan for itself alone, or the plain truth about why not.
import { UllageError } from '../core/errors.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import { attemptCompaction } from './attempt.ts';
import type { Context } from './context.ts';
import { dueGoal, floorReason, isOverWindow, overflowGoal } from './goals.ts';
import { plainResult } from './outcome.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, AttemptResult, BoundState } from './run.ts';
import { planForThisRequest } from './transient.ts';

export interface Headroom {
  readonly goal: AttemptGoal;
  readonly result: AttemptResult;
  /** The candidate is for this request only and was not committed. */
  readonly isTransient?: boolean;
}

/** undefined = nothing is due. Throws nothing for a size; store faults become a deferred result. */
export async function keepHeadroom(context: Context, state: RequestState, signal?: AbortSignal): Promise<Headroom | undefined> {
  const goal = dueGoal(context, state);
  if (!goal) return undefined;
  const floor = goal.unit === 'tokens' ? floorReason(state) : undefined;
  if (floor === 'floor_exceeds_window' || (floor && !isOverWindow(state))) return { goal, result: plainResult(context, 'no_op', floor) };
  if (!state.bound) return fitOrDefer(context, state, { goal, result: plainResult(context, 'deferred', 'store_unavailable') });
  if (state.bound.relation === 'branch') return isOverWindow(state) ? alone(context, state, goal) : undefined;
  const bound = { ...state, bound: state.bound };
  return attemptOrFit(context, bound, { goal: floor ? overflowGoal(state, goal) : goal, signal });
}

/** An attempt that a provider's refusal asks for; without a store, or on a branch, a plan for this request alone. */
export async function attemptOrAlone(context: Context, state: RequestState, goal: AttemptGoal): Promise<Headroom> {
  if (!state.bound || state.bound.relation === 'branch') return alone(context, state, goal);
  const found = await attemptOrFit(context, { ...state, bound: state.bound }, { goal });
  return found.result.status === 'deferred' && !found.result.isSuperseded ? alone(context, state, goal) : found;
}

async function attemptOrFit(
  context: Context,
  state: BoundState,
  ask: { readonly goal: AttemptGoal; readonly signal?: AbortSignal },
): Promise<Headroom> {
  const { goal, signal } = ask;
  try {
    const result = await attemptWithin(context, state, ask);
    if (result.reason === 'in_progress') return await waitForOther(context, state, { goal, result, signal });
    const isRefused = result.reason === 'verdict_pending' || result.status === 'blocked';
    if (isRefused && isOverWindow(state)) {
      const overflow = overflowGoal(state, goal);
      return { goal: overflow, result: await attemptCompaction(context, state, overflow) };
    }
    return { goal, result };
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return fitOrDefer(context, state, { goal, result: plainResult(context, 'deferred', faultReason(context, error)) });
  }
}

function faultReason(context: Context, error: UllageError): OutcomeReason {
  if (error.code === 'cancelled') return 'cancelled';
  context.health.store = 'unavailable';
  context.log.write('error', `Compaction is deferred: ${error.message}`, { code: error.code });
  return 'store_unavailable';
}

/** The caller's signal ends its wait, not the attempt. */
async function attemptWithin(
  context: Context,
  state: BoundState,
  ask: { readonly goal: AttemptGoal; readonly signal?: AbortSignal },
): Promise<AttemptResult> {
  const attempt = attemptCompaction(context, state, ask.goal);
  if (!ask.signal) return attempt;
  return Promise.race([attempt, whenAborted(ask.signal, attempt)]);
}

function whenAborted(signal: AbortSignal, attempt: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () =>
      reject(
        new UllageError('cancelled', 'The caller’s signal ended the wait for a compaction; it goes on by itself.', {
          cause: signal.reason,
        }),
      );
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const forget = () => signal.removeEventListener('abort', abort);
    attempt.then(forget, forget);
  });
}

const LEASE_POLL_MS = 50;
const DEFAULT_LEASE_WAIT_MS = 2_000;

/** Waits briefly for another's compaction and adopts its view; else the request goes out as it is, or with a plan of its own. */
async function waitForOther(
  context: Context,
  state: BoundState,
  held: { readonly goal: AttemptGoal; readonly result: AttemptResult; readonly signal?: AbortSignal },
): Promise<Headroom> {
  const { guardKey } = state.bound.conversation;
  const untilMs = context.clock.now() + (context.options.leaseWaitMs ?? DEFAULT_LEASE_WAIT_MS);
  while (context.clock.now() < untilMs && !held.signal?.aborted) {
    await context.clock.wait(LEASE_POLL_MS, held.signal).catch(() => {});
    const guard = await context.store.readGuard({ tenant: context.tenant, guardKey });
    if (guard.view !== state.bound.guard.view) return { goal: held.goal, result: { ...held.result, isSuperseded: true } };
    if (!guard.lease)
      return { goal: held.goal, result: await attemptCompaction(context, { ...state, bound: { ...state.bound, guard } }, held.goal) };
  }
  return fitOrDefer(context, state, held);
}

/** A request that would not fit gets a facts plan of its own; one that fits goes out as it is. */
async function fitOrDefer(context: Context, state: RequestState, deferred: Headroom): Promise<Headroom> {
  return isOverWindow(state) ? alone(context, state, deferred.goal) : deferred;
}

async function alone(context: Context, state: RequestState, goal: AttemptGoal): Promise<Headroom> {
  const overflow = goal.kind === 'overflow' ? goal : overflowGoal(state, goal);
  return { goal: overflow, result: await planForThisRequest(context, state, overflow), isTransient: true };
}
