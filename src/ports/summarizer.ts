// A model that writes a summary. One function; the engine gives it text, a budget and a deadline, and checks what comes back.

/** What a summarizer is given. */
export interface SummarizerRequest {
  /** Labelled, redacted, delimiter-safe plain text of the range. */
  readonly text: string;
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

/** May carry `id` (a stable path name, default `summarizer:<index>`) and `windowTokens` (default 32,000). */
export interface Summarizer {
  (request: SummarizerRequest): Promise<SummarizerResult>;
  readonly id?: string;
  readonly windowTokens?: number;
}
