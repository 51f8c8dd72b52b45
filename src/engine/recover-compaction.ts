// A request that a provider proved too large: one more compaction, deeper each time, or the plain truth that no more can be done.
import type { ErrorCode } from '../core/errors.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { Context } from './context.ts';
import { type HeldFailure, type Recovered, surface } from './failure.ts';
import { finish } from './finish.ts';
import { lastPass, overflowGoal, tokenGoal } from './goals.ts';
import { attemptOrAlone, type Headroom } from './headroom.ts';
import { inFlightOf } from './in-flight.ts';
import { takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { openRequest, shapeOf } from './open-request.ts';
import { plainResult, requestBytes } from './outcome.ts';
import { prepareRequest } from './prepare.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, AttemptResult, Pass } from './run.ts';

export interface TooLarge extends HeldFailure {
  /** What the input may have at most, tokens, where the limit is not the window's. */
  readonly inputTokens?: number;
}

export async function compactAndRetry(context: Context, memory: SessionMemory, failure: TooLarge): Promise<Recovered> {
  const { held, record, signal } = failure;
  const startedAtMs = context.clock.now();
  const intake = takeIn(context, held.body, memory.last);
  const state = await openRequest(context, memory, { intake, shape: shapeOf(context, intake, held.model) });
  const goal = recoveryGoal(context, state, failure);
  const giveUp = (headroom: Headroom) => surfaceExhausted(context, memory, { failure, state, headroom, startedAtMs });
  const isHopeless = failure.found.kind === 'overflow' && state.budget.floorExceedsWindow;
  if (isHopeless) return giveUp({ goal, result: plainResult(context, 'no_op', 'floor_exceeds_window') });
  if (record.pass >= lastPass(context)) return giveUp({ goal, result: spentResult(context, record.deferredBy) });
  const isAdoptable = isSmallerElsewhere(state, failure);
  const headroom = isAdoptable ? undefined : await attemptOrAlone(context, state, { goal, signal });
  if (headroom && !headroom.result.candidate && !headroom.result.isSuperseded) return giveUp(headroom);
  const deferred = headroom?.deferred;
  if (headroom?.result.candidate && held.sent.includes(headroom.result.candidate.text))
    return giveUp({ goal, result: deferred ?? plainResult(context, 'no_op', 'unchanged') });
  const tried = { pass: record.pass + 1, repairs: record.repairs, deferredBy: deferred?.reason ?? record.deferredBy };
  const request =
    !headroom || headroom.result.isSuperseded
      ? await prepareRequest(context, memory, { body: held.body, options: { model: held.model, signal }, tried })
      : await finish(context, memory, { state, headroom, startedAtMs, tried });
  return { request, inFlight: inFlightOf(request, held) };
}

/** All passes are spent: exhausted, unless one of them was put off. */
function spentResult(context: Context, deferredBy: OutcomeReason | undefined): AttemptResult {
  return deferredBy === undefined ? plainResult(context, 'no_op', 'nothing_to_compact') : plainResult(context, 'deferred', deferredBy);
}

/** Another process compacted after this request was rendered: what goes out now is smaller already. */
function isSmallerElsewhere(state: RequestState, { record }: HeldFailure): boolean {
  return (state.view?.viewId ?? '') !== record.viewId && state.measure.estimateTokens < record.estimateTokens;
}

interface Exhausted {
  readonly failure: HeldFailure;
  readonly state: RequestState;
  readonly headroom: Headroom;
  readonly startedAtMs: number;
}

/** Exhausted only by the provider's own proof, when no pass is left and none was put off. */
async function surfaceExhausted(context: Context, memory: SessionMemory, given: Exhausted): Promise<Recovered> {
  const { failure, state, headroom, startedAtMs } = given;
  const { found, record } = failure;
  const isDeferred = headroom.result.status === 'deferred';
  // What the caller's own hook forbade proves nothing.
  const isProven = (found.kind === 'overflow' || found.kind === 'payload') && headroom.result.reason !== 'cancelled';
  const outcome = await noteOutcome(context, memory, { state, ...headroom, startedAtMs, isProvenTooLarge: isProven });
  const { window: windowTokens, floor } = state.budget;
  const isSpent = record.pass >= lastPass(context);
  const note = isDeferred ? undefined : isSpent ? `All ${record.pass} passes are spent.` : 'Nothing more can be compacted.';
  return surface(failure, {
    code: isDeferred && isProven ? 'compaction_deferred' : isProven ? codeOf(failure, state) : codeUnproven(failure),
    note: isProven ? note : undefined,
    tokens: headroom.goal.unit === 'tokens' ? Math.round(headroom.goal.size) : undefined,
    windowTokens,
    sizeBytes: found.kind === 'payload' ? requestBytes(state) : undefined,
    contributors: state.budget.floorExceedsWindow ? floor.contributors : undefined,
    exhausted: outcome.exhausted,
  });
}

function codeUnproven({ found }: HeldFailure): ErrorCode {
  return found.kind === 'output-cap' ? 'output_cap' : 'provider_error';
}

function codeOf({ found }: HeldFailure, state: RequestState): ErrorCode {
  if (found.kind === 'payload') return 'payload_too_large';
  return state.budget.floorExceedsWindow ? 'floor_exceeds_window' : 'context_window_exceeded';
}

/** Share of the bytes of a rejected body that its next form may have, by pass: a 413 says nothing of tokens. The last try holds nothing back. */
const PAYLOAD_SHARES = [0.5, 0.25, 0.05] as const;
/** The same below a printed limit. */
const PAYLOAD_LIMIT_SHARE = 0.9;

function recoveryGoal(context: Context, state: RequestState, { record, found, inputTokens }: TooLarge): AttemptGoal {
  const goal = { ...overflowGoal(state, tokenGoal(context, state, 'provider_overflow')), firstPass: Math.min(3, record.pass + 1) as Pass };
  if (found.kind === 'payload') {
    const share = PAYLOAD_SHARES[Math.min(record.pass, PAYLOAD_SHARES.length - 1)]!;
    const most = PAYLOAD_LIMIT_SHARE * (found.limitBytes ?? Number.POSITIVE_INFINITY);
    const targetBytes = Math.floor(Math.min(share * requestBytes(state), most));
    const targetTokens = Math.min(goal.targetTokens, Math.floor(goal.size * share));
    return { ...goal, triggerReason: 'provider_413', targetBytes, targetTokens };
  }
  if (inputTokens !== undefined) {
    const requested = found.kind === 'single-request-over-rate' ? (found.requested ?? 0) - (state.shape.requestedOutputTokens ?? 0) : 0;
    const proven = Math.max(goal.size, requested);
    return { ...proved(goal, state, proven), targetTokens: Math.min(goal.targetTokens, inputTokens), mark: inputTokens };
  }
  const counted = found.kind === 'overflow' ? Math.max(found.actual ?? 0, found.limit ?? 0) : 0;
  return proved(goal, state, Math.max(goal.size, counted, state.budget.usable));
}

/** Everything is scaled by what the provider proved, so that the target is reached in its own count. */
function proved(goal: AttemptGoal, state: RequestState, size: number): AttemptGoal {
  return { ...goal, size, factor: Math.max(goal.factor, size / Math.max(1, state.measure.estimateTokens)) };
}
