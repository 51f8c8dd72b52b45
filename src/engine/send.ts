// The common case in one call: prepare, call, observe or recover (bounded), streams included.
import type { Answer } from '../core/answer.ts';
import type { ErrorCode, UllageError } from '../core/errors.ts';
import type { Context } from './context.ts';
import { type InFlight, inFlightOf } from './in-flight.ts';
import { indexLater } from './index-later.ts';
import type { BodyInput } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { observeAnswer } from './observe.ts';
import { prepareRequest } from './prepare.ts';
import type { Prepared, PreparedRequest, PrepareOptions } from './prepared.ts';
import type { PreparedRecord } from './prepared-id.ts';
import { recoverRequest } from './recover.ts';
import { isUnanswered } from './silent-overflow.ts';
import { isStream, openStream, type Stream } from './stream.ts';

export interface Sending<T> {
  readonly body: BodyInput;
  readonly options: PrepareOptions;
  readonly signal: AbortSignal;
  readonly call: (prepared: Prepared) => Promise<T>;
}

/** One call's end. */
type Reply<T> = { readonly given: T } | Failed<T>;

interface Failed<T> {
  /** The provider's error, or the response that holds one or holds nothing. */
  readonly failure: unknown;
  readonly isThrown: boolean;
  /** Of a response that holds nothing. */
  readonly answer?: Answer;
  /** Gives it to the caller as it came. */
  readonly giveBack: () => Promise<T>;
  /** Before the call is made again. */
  readonly discard?: () => Promise<void>;
}

/** Calls the provider with the best body there is. What asks for it is recovered; all else goes to the caller as the provider gave it. */
export async function sendRequest<T>(context: Context, memory: SessionMemory, sending: Sending<T>): Promise<T> {
  const { body, options, signal } = sending;
  const request = await prepareRequest(context, memory, { body, options });
  let { prepared, record } = request;
  let inFlight = inFlightOf(request, { body, model: options.model });
  for (;;) {
    signal.throwIfAborted();
    const reply = await callOnce({ context, memory, sending }, { prepared, record });
    if ('given' in reply) return reply.given;
    const recovered = signal.aborted ? undefined : await recoverSafely(context, memory, { id: prepared.id, reply, inFlight, signal });
    if (!recovered) return reply.giveBack();
    if ('surface' in recovered) return surfaced(recovered.surface, reply);
    await reply.discard?.();
    ({ inFlight } = recovered);
    ({ prepared, record } = recovered.request);
  }
}

/** Codes that tell more than the provider did; for all others its own error is thrown, unchanged. */
const TELLING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'context_window_exceeded',
  'payload_too_large',
  'floor_exceeds_window',
  'compaction_deferred',
  'output_cap',
]);

/** A response or stream is handed on whatever it says: only what was thrown is thrown in other words. */
function surfaced<T>(error: UllageError, reply: Failed<T>): Promise<T> {
  if (TELLING.has(error.code) && reply.isThrown) throw error;
  return reply.giveBack();
}

interface Sender<T> {
  readonly context: Context;
  readonly memory: SessionMemory;
  readonly sending: Sending<T>;
}

async function callOnce<T>(sender: Sender<T>, request: Pick<PreparedRequest, 'prepared' | 'record'>): Promise<Reply<T>> {
  const { context, sending } = sender;
  const { api } = context.codec;
  const { prepared, record } = request;
  try {
    const response = await sending.call(prepared);
    if (isStream(response)) return await openOnce(sender, { record, stream: response });
    return await judge(sender, { record, response, answer: context.wire.readAnswer(api, response) });
  } catch (error) {
    return { failure: error, isThrown: true, giveBack: () => Promise.reject(error) };
  }
}

interface Response<T> {
  readonly record: PreparedRecord;
  readonly response: T;
  readonly answer: Answer;
}

/** A response that came as a success: an answer, an error in disguise, or nothing at all. */
async function judge<T>(sender: Sender<T>, { record, response, answer }: Response<T>): Promise<Reply<T>> {
  const failed = { failure: response, isThrown: false, giveBack: async () => response };
  if (answer.failure !== undefined && !answer.hasContent) return failed;
  return (await isEmptyHanded(sender, { record, answer })) ? { ...failed, answer } : { given: response };
}

async function openOnce<T>(sender: Sender<T>, opened: { readonly record: PreparedRecord; readonly stream: Stream }): Promise<Reply<T>> {
  const { context } = sender;
  const { record, stream } = opened;
  const { state, answer, handOver, close } = await openStream(stream, context.wire.createAnswerReader(context.codec.api), context.clock);
  const whole = async () => handOver(() => {}) as T;
  if (state === 'failure') return { failure: answer.failure, isThrown: false, giveBack: whole, discard: close };
  if (state === 'end') {
    const isEmpty = answer.failure === undefined && (await isEmptyHanded(sender, { record, answer }));
    return isEmpty ? { failure: stream, answer, isThrown: false, giveBack: whole } : { given: await whole() };
  }
  const observed = handOver((whatCame, isWhole) => {
    // A caller who leaves before the provider reported anything has not seen a provider that reports nothing.
    if (isWhole || whatCame.usage.promptTokens !== undefined) observeLater(sender, { record, answer: whatCame });
  });
  return { given: observed as T };
}

interface Seen {
  readonly record: PreparedRecord;
  readonly answer: Answer;
}

/** True when nothing was answered because the window was full. What was answered is on its way before it is observed. */
async function isEmptyHanded<T>(sender: Sender<T>, seen: Seen): Promise<boolean> {
  if (!seen.answer.hasContent) return observeSafely(sender, seen);
  observeLater(sender, seen);
  return false;
}

/** Whatever is asked of the session next waits for it. */
function observeLater<T>(sender: Sender<T>, seen: Seen): void {
  const { context, memory } = sender;
  const observed = context.afterResponse.start(async () => void (await observeSafely(sender, seen)));
  memory.answered = Promise.all([memory.answered, observed]).then(() => {});
}

/** An answer is never lost to a fault of ours. True when nothing was answered because the window was full. */
async function observeSafely<T>({ context, memory }: Sender<T>, { record, answer }: Seen): Promise<boolean> {
  try {
    const { silentOverflow } = await observeAnswer(context, record, answer);
    indexLater(context, memory);
    return isUnanswered(answer, silentOverflow && { kind: silentOverflow });
  } catch (fault) {
    context.log.write('error', 'An answer could not be observed; it goes to the caller all the same.', { error: String(fault) });
    return false;
  }
}

/** The provider's own error is never lost to a fault of ours. */
async function recoverSafely<T>(
  context: Context,
  memory: SessionMemory,
  failed: { readonly id: string; readonly reply: Failed<T>; readonly inFlight: InFlight; readonly signal: AbortSignal },
) {
  const { id, reply, inFlight, signal } = failed;
  try {
    return await recoverRequest(context, memory, { id, error: reply.failure, answer: reply.answer, inFlight, signal });
  } catch (fault) {
    context.log.write('error', 'An error of the provider could not be recovered; it goes to the caller.', { error: String(fault) });
    return undefined;
  }
}
