// A session: what a caller names by a key. Thin doors over the engine's steps.
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { PinRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import { type ExportOptions, exportSession } from './export.ts';
import { type GuardStatus, guardStatus } from './guard-status.ts';
import { InFlights, inFlightOf } from './in-flight.ts';
import { indexLater } from './index-later.ts';
import type { BodyInput } from './intake.ts';
import { continueSession, deleteSession, rotateSession } from './lifecycle.ts';
import { type CompactOptions, compactSession } from './manual.ts';
import type { SessionMemory } from './memory.ts';
import { type Observation, observeRequest } from './observe.ts';
import { addPin, listPins, removePin } from './pins.ts';
import { prepareRequest } from './prepare.ts';
import type { Prepared, PrepareOptions } from './prepared.ts';
import { type Hit, type ReadOptions, readHandle, searchSession } from './recall.ts';
import { type Recovery, recoverRequest } from './recover.ts';
import { type RenderedRequest, renderOnly } from './render-only.ts';
import { sendRequest } from './send.ts';
import { isUnanswered } from './silent-overflow.ts';
import { currentSessionId } from './stored.ts';
import { type Undone, undoNewest } from './undo.ts';

/** What goes out for a body: an object of the same type, or a plain one for text and bytes. */
export type BodyOf<B extends BodyInput> = B extends string | Uint8Array ? Record<string, unknown> : B;

/** One session. All state that decides anything is in the store: any number of these, in any process, agree. */
export interface Session {
  /** The caller's name for it; `@` and the API behind it once it stands beside a session of another API. */
  readonly key: string;
  /** The store's name for it. Another one after a deletion. */
  readonly id: string;
  /**
   * Prepares, calls, and observes or recovers. `call` gets the body and the prepared request; a stream is returned as it is, its usage read as it
   * flies by. An answer is handed on at once and observed then: what is asked of this session next waits for that, and so does `close`. Throws
   * the provider's own error when there is nothing to recover, UllageError with that error as its cause when a size is the reason.
   */
  send<B extends BodyInput, T>(
    body: B,
    call: (body: B, request: { readonly signal: AbortSignal; readonly prepared: Prepared }) => Promise<T>,
    options?: PrepareOptions,
  ): Promise<T>;
  /** The best body to send, and what happened. Throws transcript_invalid; never for a size reason. After a crash the next prepare decides the same. */
  prepare<B extends BodyInput>(body: B, options?: PrepareOptions): Promise<Prepared<BodyOf<B>>>;
  /** The API's own usage object (or a whole response that holds one), or undefined. Harmless when called twice. */
  observe(id: string, usage: unknown): Promise<Observation>;
  /** What to do about a provider's error. Never throws for what the provider said. */
  recover(id: string, error: unknown): Promise<Recovery>;
  /**
   * The request as it would be sent if nothing were due: through the committed view, with the pins. Reads only: nothing is stored, nothing is
   * compacted. The body as it is when nothing of it is known or the store is down. Throws transcript_invalid.
   */
  render(body: BodyInput): Promise<RenderedRequest>;
  /** Manual compaction, never blocked by the guard. Throws session_not_found, not_stored, option_invalid. */
  compact(options?: CompactOptions): Promise<CompactionOutcome & { readonly plan?: Plan }>;
  /** Takes the newest fold and its prunes back, and keeps it so. Throws nothing_to_undo, session_not_found, not_stored. */
  undo(): Promise<Undone>;
  /** Text for every request, verbatim, until it is taken away. At most 2,000 tokens in all. Throws pin_too_large, option_invalid, session_not_found. */
  pin(text: string): Promise<{ readonly id: string; readonly text: string }>;
  /** Of the conversation the session goes on with; none before the first request. */
  pins(): Promise<readonly { readonly id: string; readonly text: string }[]>;
  /** False when there is no such pin. A pin that stands in a summary goes with the next fold. */
  unpin(id: string): Promise<boolean>;
  /** Everything ever said in this session, folded or not. Throws not_stored. */
  search(query: string, options?: { readonly limit?: number }): Promise<readonly Hit[]>;
  /** The full text behind a prune, fold or hit. Throws handle_not_found, not_stored, option_invalid. */
  read(handle: string, options?: ReadOptions): Promise<string>;
  /** What the next automatic compaction would be told, and until when. Writes nothing. */
  guard(): Promise<GuardStatus>;
  /** Newest first, at most `limit` (default 20). Two alike in a row are kept once, unless they compacted. */
  outcomes(options?: { readonly limit?: number }): Promise<readonly CompactionOutcome[]>;
  /** JSON text of a request body with all messages, or with those that are sent now. Throws session_not_found, not_stored, option_invalid. */
  export(options?: ExportOptions): Promise<string>;
  /** Goes on in a new conversation with the same full history, views and guard. Throws session_not_found, store_unavailable when others are faster. */
  rotate(): Promise<{ readonly conversationId: string }>;
  /**
   * Goes on in a new conversation that begins with the returned messages: pins, facts and the last ask. The old one stays, intact and linked.
   * Throws session_not_found, not_stored, store_unavailable when others are faster.
   */
  continue(): Promise<{ readonly session: Session; readonly messages: readonly unknown[] }>;
  /** Removes everything of the session for good; it begins anew with the next request. Answers how many messages were removed. */
  delete(): Promise<{ readonly entries: number }>;
}

export function createSession(context: Context, memory: SessionMemory): Session {
  const inFlights = new InFlights();
  /** Whatever is asked sees the answers that were handed on before. */
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    await memory.answered;
    return work();
  };
  const prepare = async (body: BodyInput, options: PrepareOptions): Promise<Prepared> => {
    const request = await prepareRequest(context, memory, { body, options });
    inFlights.hold(request.prepared.id, inFlightOf(request, { body, model: options.model }));
    return request.prepared;
  };
  const session: Session = {
    get key() {
      return memory.key;
    },
    get id() {
      return memory.sessionId;
    },
    prepare: (body, options = {}) => after(() => prepare(body, options)) as Promise<Prepared<never>>,
    async observe(id, usage) {
      await memory.answered;
      const observation = await observeRequest(context, id, usage);
      // A response without an answer can still be recovered.
      if (!isUnanswered({ hasContent: false }, observation.silentOverflow && { kind: observation.silentOverflow })) inFlights.take(id);
      indexLater(context, memory);
      return observation;
    },
    async recover(id, error) {
      await memory.answered;
      const recovered = await recoverRequest(context, memory, { id, error, inFlight: inFlights.take(id) });
      if ('surface' in recovered) return { action: 'surface', error: recovered.surface };
      const { prepared } = recovered.request;
      inFlights.hold(prepared.id, recovered.inFlight);
      return { action: 'retry', prepared };
    },
    send(body, call, options = {}) {
      const signal = options.signal ?? new AbortController().signal;
      const ask = (prepared: Prepared) => call(inFormOf(body, prepared), { signal, prepared });
      return after(() => sendRequest(context, memory, { body, options, signal, call: ask }));
    },
    render: (body) => after(() => renderOnly(context, memory, body)),
    compact: (options = {}) => after(() => compactSession(context, memory, options)),
    undo: () => after(() => undoNewest(context, memory)),
    pin: (text) => after(async () => publicPin(await addPin(context, memory, text))),
    pins: () => after(async () => (await listPins(context, memory)).map(publicPin)),
    unpin: (id) => after(() => removePin(context, memory, id)),
    search: (text, options = {}) =>
      after(async () => searchSession(context, await currentSessionId(context, memory), { text, limit: options.limit ?? 10 })),
    read: async (handle, options = {}) => readHandle(context, await currentSessionId(context, memory), { handle, options }),
    guard: () => after(() => guardStatus(context, memory)),
    outcomes: ({ limit = 20 } = {}) =>
      after(async () => context.store.outcomes({ tenant: context.tenant, sessionId: await currentSessionId(context, memory), limit })),
    export: (options = {}) => after(() => exportSession(context, memory, options)),
    rotate: () => after(() => rotateSession(context, memory)),
    continue: () => after(async () => ({ session, messages: (await continueSession(context, memory)).messages })),
    delete: () => after(() => deleteSession(context, memory)),
  };
  return session;
}

/** Object, text or bytes, as the caller gave it. */
function inFormOf<B extends BodyInput>(body: B, prepared: Prepared): B {
  if (body instanceof Uint8Array) return new TextEncoder().encode(prepared.text) as BodyInput as B;
  return (typeof body === 'string' ? prepared.text : prepared.body) as BodyInput as B;
}

function publicPin(pin: PinRow): { readonly id: string; readonly text: string } {
  return { id: pin.pinId, text: pin.text };
}
