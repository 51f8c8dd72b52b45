// A model that writes a summary. One function; the engine gives it text, a budget and a deadline, and checks what comes back.
import type { PrefixUse } from '../core/summary/prefix.ts';
import type { Api } from '../core/transcript/entry.ts';

/** A request that was sent already, up to the end of the range: what the provider may still have in its cache. */
export interface SummaryPrefix {
  readonly api: Api;
  /** JSON text of its body, byte for byte as it was sent; the messages end with the range. */
  readonly body: string;
}

/** What a summarizer is given. */
export interface SummarizerRequest {
  /** Labelled, redacted, delimiter-safe plain text of the range. */
  readonly text: string;
  /** Instead of `text` (which is empty then): the conversation itself. Only for summarizers that say `usesPrefix`. */
  readonly prefix?: SummaryPrefix;
  /** The summary it should continue, where one stands before the range. */
  readonly previousSummary?: string;
  /** What to write, in which sections. */
  readonly instructions: string;
  /** What a person asked to favour. */
  readonly focus?: string;
  readonly maxOutputTokens: number;
  /** Aborts at the deadline, and when the attempt ends otherwise. */
  readonly signal: AbortSignal;
}

/** What a summarizer gives back; it throws when it cannot. */
export interface SummarizerResult {
  readonly text: string;
  /** 'stop' is complete; anything else counts as truncated. */
  readonly finishReason: string;
  /** Passed on to the outcome, unchanged. */
  readonly usage?: unknown;
}

/**
 * May carry `id` (a stable path name, default `summarizer:<index>`), `windowTokens` (default 32,000) and `maxOutputTokens`, the longest text it can
 * write; with `usesPrefix` it may be asked behind requests of that API and model, where the provider has them in its cache; with `isOnly` in no other
 * way, and calls no tool there: where that may not be, it is passed over. With `hasCaller` it writes on the account of whoever waits: it is never asked in the background, nor when that says that nobody is there (any more).
 */
export interface Summarizer {
  (request: SummarizerRequest): Promise<SummarizerResult>;
  readonly id?: string;
  readonly windowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly hasCaller?: () => boolean;
  readonly usesPrefix?: PrefixUse;
}
