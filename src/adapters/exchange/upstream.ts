// The upstream side of one exchange: each call's body and signal, its answer read in the form that `session.send` understands.
import type { Session } from '../../engine/session.ts';
import { AnswerStream, type ClosableResponse, HttpFailure, headerOf, isEncoded, readFailure, readWhole, WholeAnswer } from './answers.ts';
import { closableBody } from './closable-body.ts';
import type { Exchange } from './exchange.ts';
import { asksForStream, type PlacedBody, refusesUsage, withUsageAsked } from './include-usage.ts';
import { streamItems } from './stream-items.ts';
import { UsageCut } from './usage-cut.ts';

export type Answered = WholeAnswer | AnswerStream;

type Asking = Pick<Exchange, 'api' | 'transport' | 'signal' | 'onPhase'> & Partial<Pick<Exchange, 'session'>>;

/** Sessions whose upstream refused to be asked for usage: it is not asked again. */
const REFUSED = new WeakSet<Session>();

/** What is sent, and how its answer is to be read. */
interface Call {
  readonly body: Uint8Array;
  /** The request asks for a stream. */
  readonly isStream: boolean;
  readonly hidesUsage: boolean;
}

export class Upstream {
  /** How often it was asked. */
  calls = 0;
  private readonly exchange: Asking;
  private current: ClosableResponse | undefined;

  constructor(exchange: Asking) {
    this.exchange = exchange;
  }

  /** Bytes for which no one here has a reading. */
  async askUnread(body: Uint8Array): Promise<ClosableResponse> {
    return this.request(body);
  }

  /** Throws HttpFailure for a status of 400 or more, and what the network throws. */
  async ask(request: PlacedBody): Promise<Answered> {
    const { api, session } = this.exchange;
    const isStream = asksForStream(request);
    const canAsk = isStream && api === 'openai-chat' && !(session && REFUSED.has(session));
    const withUsage = canAsk ? withUsageAsked(request) : undefined;
    const plain = { body: request.body, isStream, hidesUsage: false };
    if (withUsage === undefined) return this.read(plain);
    try {
      return await this.read({ ...plain, body: withUsage, hidesUsage: true });
    } catch (error) {
      if (!(error instanceof HttpFailure) || !refusesUsage(error.status, error.body)) throw error;
      if (session) REFUSED.add(session);
      return this.read(plain);
    }
  }

  private async read({ body, isStream, hidesUsage }: Call): Promise<Answered> {
    const response = await this.request(body);
    if (response.status >= 400) {
      const failure = await readFailure(response);
      this.exchange.onPhase?.('ours');
      throw failure;
    }
    const type = headerOf(response.headers, 'content-type')?.toLowerCase() ?? '';
    if (isEncoded(response.headers)) return new WholeAnswer(response, undefined);
    if (!type.includes('text/event-stream') && !(isStream && !type.includes('json'))) return readWhole(response);
    const onEvents = (events: readonly unknown[]) => {
      if (events.some(isFailure)) this.exchange.onPhase?.('ours');
    };
    if (!hidesUsage) return new AnswerStream(response, streamItems(response.body, { onEvents }));
    // Its length is no longer the upstream's.
    const headers = response.headers.filter(([name]) => name !== 'content-length');
    return new AnswerStream({ ...response, headers }, streamItems(response.body, { cut: new UsageCut(), onEvents }));
  }

  /** An answer that was not the last one is over: its connection is not kept waiting. */
  private async request(body: Uint8Array): Promise<ClosableResponse> {
    await this.current?.body.close();
    const { transport, signal, onPhase } = this.exchange;
    const leaving = following(signal);
    onPhase?.('upstream');
    this.calls++;
    try {
      const response = await transport({ body, signal: leaving.signal });
      this.current = { ...response, body: closableBody(response.body, { abort: leaving.abort, onOver: leaving.release }) };
      return this.current;
    } catch (error) {
      leaving.release();
      throw error;
    }
  }
}

interface Following {
  readonly signal: AbortSignal;
  abort(): void;
  /** The caller's signal may live long after this. */
  release(): void;
}

/** A signal of its own that also follows the caller's. */
function following(callers: AbortSignal): Following {
  const own = new AbortController();
  const follow = () => own.abort(callers.reason);
  if (callers.aborted) follow();
  else callers.addEventListener('abort', follow, { once: true });
  return { signal: own.signal, abort: () => own.abort(), release: () => callers.removeEventListener('abort', follow) };
}

function isFailure(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const { type, error } = event as { type?: unknown; error?: unknown };
  return type === 'error' || type === 'response.failed' || (typeof error === 'object' && error !== null);
}
