// What a provider's error asks for: compact and retry, ask for less, leave out what was refused, or give the error back unchanged with a reason.
import type { Answer } from '../core/answer.ts';
import type { UllageError } from '../core/errors.ts';
import type { ErrorClass, OutputCapError, SingleRequestError } from '../core/provider-error.ts';
import type { Context } from './context.ts';
import { type Failure, type HeldFailure, type Recovered, type Retry, surface } from './failure.ts';
import { lastPass } from './goals.ts';
import { type InFlight, inFlightOf } from './in-flight.ts';
import type { BodyInput } from './intake.ts';
import { learnFrom } from './learn.ts';
import type { SessionMemory } from './memory.ts';
import { recordFor } from './observe.ts';
import { LEAST_OUTPUT_TOKENS, outputAfter, withOutput } from './output-cap.ts';
import { isPassedThrough } from './pass-through.ts';
import { prepareRequest } from './prepare.ts';
import type { Prepared } from './prepared.ts';
import { type PreparedRecord, type Tried, withRepair } from './prepared-id.ts';
import { amendAndRetry } from './recover-amendment.ts';
import { compactAndRetry } from './recover-compaction.ts';
import { unansweredOverflow } from './silent-overflow.ts';

export interface RecoverInput {
  readonly id: string;
  /** The provider's error; or its response, where that holds an error or no answer. */
  readonly error: unknown;
  /** The same, where it was read already and holds nothing. */
  readonly answer?: Answer;
  /** undefined when this process never prepared it, or too long ago. */
  readonly inFlight?: InFlight;
  readonly signal?: AbortSignal;
}

/** What `recover` answers. */
export type Recovery =
  /** Send this one instead. */
  | { readonly action: 'retry'; readonly prepared: Prepared }
  /** Nothing can be done here; `error.cause` is the provider's own, unchanged. */
  | { readonly action: 'surface'; readonly error: UllageError };

/** Never throws for what the provider said. Two equal requests are never sent: each retry differs from all before it. */
export async function recoverRequest(context: Context, memory: SessionMemory, input: RecoverInput): Promise<Recovered> {
  const record = recordFor(context, input.id);
  const { error, inFlight: held, signal } = input;
  const found = await classify(context, record, input);
  await learnFrom(context, { record, found });
  if (!held) return notHeld({ record, found, error });
  const recovered = await tryAgain(context, memory, { record, found, error, signal, held });
  if ('surface' in recovered || !held.sent.includes(recovered.request.prepared.text)) return recovered;
  return surface({ record, found, error }, { code: 'provider_error', note: 'The same request would go out again.' });
}

async function classify(context: Context, record: PreparedRecord, { error, answer, inFlight }: RecoverInput): Promise<ErrorClass> {
  if (answer) return (await unansweredOverflow(context, record, answer)) ?? { kind: 'other', text: '' };
  const found = context.wire.classifyError({
    error,
    ownTokens: inFlight?.tokens ?? record.estimateTokens,
    windowTokens: record.windowTokens,
    isReasoningModel: inFlight !== undefined && reasons(inFlight),
  });
  const isResponse = typeof error === 'object' && error !== null && !(error instanceof Error);
  if (found.kind !== 'other' || !isResponse) return found;
  return (await unansweredOverflow(context, record, context.wire.readAnswer(context.codec.api, error))) ?? found;
}

/** Asked to reason, or seen to. */
function reasons({ state }: InFlight): boolean {
  const { facts, heads } = state.intake;
  return facts.isReasoning === true || heads.some((head) => head.hasBoundThinking);
}

const RECOVERABLE: ReadonlySet<ErrorClass['kind']> = new Set([
  'overflow',
  'suspected-overflow',
  'payload',
  'single-request-over-rate',
  'output-cap',
  'media',
  'thinking-binding',
]);

function notHeld(failure: Failure): Recovered {
  const note = RECOVERABLE.has(failure.found.kind) ? 'Its body is no longer held here: prepare it again.' : undefined;
  return surface(failure, { code: 'provider_error', note });
}

async function tryAgain(context: Context, memory: SessionMemory, failure: HeldFailure): Promise<Recovered> {
  const { found, record, held } = failure;
  if (found.kind === 'output-cap') return askForLess(context, memory, { ...failure, found });
  if (!RECOVERABLE.has(found.kind) || isPassedThrough(held.state.intake)) return surface(failure, { code: 'provider_error' });
  switch (found.kind) {
    case 'media':
    case 'thinking-binding':
      return amendAndRetry(context, memory, { ...failure, found });
    case 'suspected-overflow':
      return record.pass === 0 ? compactAndRetry(context, memory, failure) : surface(failure, { code: 'provider_error' });
    case 'single-request-over-rate':
      return shrinkForRate(context, memory, { ...failure, found });
    default:
      return compactAndRetry(context, memory, failure);
  }
}

/** The same messages in another body. */
async function sendInstead(
  context: Context,
  memory: SessionMemory,
  again: HeldFailure & { readonly body: BodyInput; readonly tried: Tried },
): Promise<Retry> {
  const { body, tried, held, signal } = again;
  const request = await prepareRequest(context, memory, { body, options: { model: held.model, signal }, tried });
  return { request, inFlight: inFlightOf(request, { ...held, body }) };
}

type CapFailure = HeldFailure & { readonly found: OutputCapError };

async function askForLess(context: Context, memory: SessionMemory, failure: CapFailure): Promise<Recovered> {
  const { held, found, record } = failure;
  const { facts } = held.state.intake;
  const lowerings = record.repairs.filter((repair) => repair === 'output').length;
  if (lowerings >= lastPass(context)) return surface(failure, { code: 'output_cap' });
  const tokens = outputAfter(found, facts.maxOutputTokens) ?? 0;
  const body = tokens >= LEAST_OUTPUT_TOKENS ? withOutput(context.codec, held, tokens) : undefined;
  if (body !== undefined) return sendInstead(context, memory, { ...failure, body, tried: withRepair(record, 'output') });
  // So little is left beside the input that the input itself must shrink.
  const isInputTooLarge = found.available !== undefined && facts.maxOutputTokens !== undefined && !isPassedThrough(held.state.intake);
  return isInputTooLarge ? compactAndRetry(context, memory, failure) : surface(failure, { code: 'output_cap' });
}

/** Providers count the requested output into a rate: at most this share of the limit is asked for. */
const RATE_OUTPUT_SHARE = 0.25;
/** Input and output together stay below the limit by this share. */
const RATE_SHARE = 0.8;
/** Each further refusal aims lower by this. */
const RATE_STEP = 0.6;

type RateFailure = HeldFailure & { readonly found: SingleRequestError };

/** Output first, then the input: together they are over what one request may take. */
async function shrinkForRate(context: Context, memory: SessionMemory, failure: RateFailure): Promise<Recovered> {
  const { held, found, record } = failure;
  const asked = held.state.intake.facts.maxOutputTokens ?? 0;
  const most = Math.max(LEAST_OUTPUT_TOKENS, Math.floor(found.limit * RATE_OUTPUT_SHARE));
  const body = asked > most ? withOutput(context.codec, held, most) : undefined;
  const inputTokens = Math.floor(found.limit * RATE_SHARE * RATE_STEP ** record.pass) - Math.min(asked, most);
  if (body !== undefined && held.tokens <= inputTokens)
    return sendInstead(context, memory, { ...failure, body, tried: withRepair(record, 'output') });
  return compactAndRetry(context, memory, {
    ...failure,
    held: { ...held, body: body ?? held.body },
    inputTokens: Math.max(1, inputTokens),
  });
}
