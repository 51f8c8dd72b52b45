// What a provider's error asks for: compact and retry, ask for less output, or give the error back unchanged with a reason.
import { type ErrorCode, UllageError } from '../core/errors.ts';
import type { ErrorClass } from '../core/provider-error.ts';
import { lowerWindow } from '../core/size/calibration.ts';
import type { Context } from './context.ts';
import { lastPass, overflowGoal, tokenGoal } from './goals.ts';
import { applyGuardEvent } from './guard-store.ts';
import { attemptOrAlone } from './headroom.ts';
import type { BodyInput } from './intake.ts';
import { takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { recordFor } from './observe.ts';
import { requestBytes } from './outcome.ts';
import { lowerOutput } from './output-cap.ts';
import { finish, openRequest, type Prepared, type PreparedRequest, prepareRequest, shapeOf } from './prepare.ts';
import type { PreparedRecord } from './prepared-id.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, Pass } from './run.ts';

export type Recovery =
  | { readonly action: 'retry'; readonly prepared: Prepared }
  | { readonly action: 'surface'; readonly error: UllageError };

/** The request that failed, as this process still holds it. */
export interface InFlight {
  readonly body: BodyInput;
  readonly model?: string;
  readonly state: RequestState;
}

export interface RecoverInput {
  readonly id: string;
  readonly error: unknown;
  /** undefined when this process never prepared it, or too long ago. */
  readonly inFlight?: InFlight;
}

export type Recovered = { readonly retry: PreparedRequest; readonly body: BodyInput } | { readonly surface: UllageError };

/** Never throws for what the provider said. Two equal requests are never sent: each retry differs from the last. */
export async function recoverRequest(context: Context, memory: SessionMemory, input: RecoverInput): Promise<Recovered> {
  const record = recordFor(context, input.id);
  const ownTokens = input.inFlight?.state.measure.context.tokens ?? record.estimateTokens;
  const found = context.wire.classifyError({ error: input.error, ownTokens, windowTokens: record.windowTokens });
  const failure: Failure = { ...input, record, found };
  switch (found.kind) {
    case 'overflow':
    case 'payload':
    case 'single-request-over-rate':
      return compactAndRetry(context, memory, failure);
    case 'suspected-overflow':
      return record.pass === 0 ? compactAndRetry(context, memory, failure) : surface(failure, 'provider_error');
    case 'output-cap':
      return askForLess(context, memory, failure);
    default:
      return surface(failure, 'provider_error');
  }
}

interface Failure extends RecoverInput {
  readonly record: PreparedRecord;
  readonly found: ErrorClass;
}

function surface({ error, found, record }: Failure, code: ErrorCode, extra = ''): { surface: UllageError } {
  const what = found.kind === 'other' ? 'an error' : `an error of kind ${found.kind}`;
  const size =
    code === 'provider_error'
      ? ''
      : ` The request is about ${record.estimateTokens} tokens by estimate; the window is taken as ${record.windowTokens}.`;
  const message = `The provider answered with ${what}.${size}${extra}`;
  return { surface: new UllageError(code, message, { cause: error, details: { kind: found.kind, passes: record.pass } }) };
}

async function askForLess(context: Context, memory: SessionMemory, failure: Failure): Promise<Recovered> {
  const { inFlight, found, record } = failure;
  const lowered =
    inFlight && found.kind === 'output-cap' && record.pass < lastPass(context) ? lowerOutput(context.codec, inFlight, found) : undefined;
  if (lowered === undefined) return surface(failure, 'output_cap');
  const options = { model: inFlight?.model };
  return { retry: await prepareRequest(context, memory, { body: lowered, options, pass: record.pass + 1 }), body: lowered };
}

async function compactAndRetry(context: Context, memory: SessionMemory, failure: Failure): Promise<Recovered> {
  const { inFlight, record } = failure;
  if (!inFlight) return surface(failure, 'provider_error', ' Its body is no longer held here: prepare it again.');
  await learn(context, failure);
  if (record.pass >= lastPass(context)) return surface(failure, exhaustedCode(failure), ' All passes are spent.');
  const startedAtMs = context.clock.now();
  const intake = takeIn(context, inFlight.body, memory.last);
  const state = await openRequest(context, memory, { intake, shape: shapeOf(context, intake, inFlight.model) });
  const goal = recoveryGoal(context, state, failure);
  const headroom = await attemptOrAlone(context, state, goal);
  const outcome = headroom.result;
  if (!outcome.candidate && !outcome.isSuperseded) return surfaceWithoutProgress(failure, outcome.status);
  if (outcome.isSuperseded)
    return {
      retry: await prepareRequest(context, memory, { ...inFlight, options: { model: inFlight.model }, pass: record.pass + 1 }),
      body: inFlight.body,
    };
  const retry = await finish(context, memory, { state, headroom, startedAtMs, pass: record.pass + 1 });
  return { retry, body: inFlight.body };
}

function surfaceWithoutProgress(failure: Failure, status: string): { surface: UllageError } {
  return status === 'deferred'
    ? surface(failure, 'compaction_deferred')
    : surface(failure, exhaustedCode(failure), ' Nothing more can be compacted.');
}

function exhaustedCode({ found }: Failure): ErrorCode {
  return found.kind === 'payload' ? 'payload_too_large' : found.kind === 'overflow' ? 'context_window_exceeded' : 'provider_error';
}

/** A printed limit lowers the window, durably; an overflow of a request that speaks is a verdict, recorded before the recovery claims. */
async function learn(context: Context, { record, found }: Failure): Promise<void> {
  if (found.kind !== 'overflow' || record.isUnbound) return;
  const { sessionId, conversationId, guardKey, model, route } = record;
  try {
    if (found.limit !== undefined && found.limit < record.windowTokens) {
      const known = (await context.store.calibrations({ route, model })) ?? { route, model, factor: 1, samples: 0 };
      const calibration = lowerWindow(known, found.limit);
      const operationId = `limit:${record.nonce}`;
      await context.store.recordObservation({
        operationId,
        atMs: context.clock.now(),
        tenant: context.tenant,
        sessionId,
        conversationId,
        calibration,
      });
    }
    const reading = { view: record.viewId === '' ? undefined : record.viewId, grown: record.grownTokens, model };
    await applyGuardEvent(context, { guardKey }, { type: 'overflow-verdict', reading, actual: found.actual, limit: found.limit });
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    context.health.store = 'unavailable';
  }
}

/** Half of the bytes of a rejected body: a 413 says nothing of tokens. */
const PAYLOAD_SHARE = 0.5;

/** Below the limit of a rate by this share, so that the next request is not refused again. */
const RATE_SHARE = 0.8;

function recoveryGoal(context: Context, state: RequestState, { record, found }: Failure): AttemptGoal {
  const goal = { ...overflowGoal(state, tokenGoal(context, state, 'provider_overflow')), firstPass: Math.min(3, record.pass + 1) as Pass };
  if (found.kind === 'payload') {
    const targetBytes = Math.floor(PAYLOAD_SHARE * requestBytes(state));
    return {
      ...goal,
      triggerReason: 'provider_413',
      targetBytes,
      targetTokens: Math.min(goal.targetTokens, Math.floor(goal.size * PAYLOAD_SHARE)),
    };
  }
  if (found.kind === 'single-request-over-rate' && found.limit !== undefined) {
    return { ...goal, targetTokens: Math.min(goal.targetTokens, Math.floor(found.limit * RATE_SHARE)) };
  }
  const proven = Math.max(goal.size, found.kind === 'overflow' ? (found.actual ?? found.limit ?? 0) : 0, state.budget.usable);
  return { ...goal, size: proven, factor: Math.max(goal.factor, proven / Math.max(1, state.measure.estimateTokens)) };
}
