// The contract of an exchange: one HTTP request to a model API, sent through a session. Shared by the gateway and `ullage.fetch`; knows no socket.
import type { CompactionOutcome } from '../../core/plan/outcome.ts';
import type { Api } from '../../core/transcript/entry.ts';
import type { Session } from '../../engine/session.ts';
import type { Log } from '../../ports/log.ts';

/** What a path of the three APIs asks for. */
export type ExchangeKind =
  /** An answer of the model. */
  | 'generate'
  /** How many tokens a request has: rendered through the session's view, stored nowhere. */
  | 'count-tokens';

/** Header names are in lower case; a name may come several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What the upstream is sent. Everything but the body is the caller's own and is added by the transport. */
export interface UpstreamRequest {
  /** JSON, UTF-8. Byte for byte the caller's where nothing had to change. */
  readonly body: Uint8Array;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface UpstreamResponse {
  readonly status: number;
  /** A body that is still encoded (`content-encoding`) passes unread: decode it, and leave the header out, or ask for `identity`. */
  readonly headers: HeaderList;
  /** The bytes as they come; asking for the next one is the backpressure. Ending the iteration early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends one request; called again for each retry. Throws what the network throws: an exchange hands that on unchanged. */
export type Transport = (request: UpstreamRequest) => Promise<UpstreamResponse>;

export interface Exchange {
  readonly api: Api;
  readonly kind: ExchangeKind;
  /** As the caller sent it. What is not a request of the API goes upstream untouched: the provider says what is wrong with it. */
  readonly body: Uint8Array;
  /** The same by `bodyText`, where that was asked for already. */
  readonly text?: string;
  readonly signal: AbortSignal;
  readonly session: Session;
  readonly transport: Transport;
  /** Told when the exchange begins to wait for us (a compaction), and when it no longer does: for keep-alives. */
  readonly onPhase?: (phase: 'ours' | 'upstream') => void;
  /** Told of faults of ours that the caller sees only as `left-alone; internal`. */
  readonly log?: Log;
}

/** What goes back to the caller. */
export interface ExchangeResult {
  /** Status, headers and body of the upstream, but for what this API would not have sent without us (the usage chunk nobody asked for). */
  readonly response: UpstreamResponse;
  readonly report: ExchangeReport;
}

/** What the response headers and the log say. */
export interface ExchangeReport {
  readonly sessionKey: string;
  /** Of the request really sent; undefined when it was passed through unread. */
  readonly contextTokens?: number;
  /** Of the last preparation at which something was due; undefined when nothing was. */
  readonly outcome?: CompactionOutcome;
  /** Why the request was left alone: 'previous_response_id', 'compact_20260112', 'not_json', 'store_unavailable', … */
  readonly leftAlone?: string;
  /** How often the upstream was asked. */
  readonly calls: number;
}
