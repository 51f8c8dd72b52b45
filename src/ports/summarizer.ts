// A model that writes a summary. One function; the engine gives it text, a budget and a deadline, and checks what comes back.

export interface SummarizerRequest {
  /** Labelled, redacted, delimiter-safe plain text of the range. */
  readonly text: string;
  readonly previousSummary?: string;
  /** What to write, in which sections. */
  readonly instructions: string;
  readonly focus?: string;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export interface SummarizerResult {
  readonly text: string;
  /** 'stop' is complete; anything else counts as truncated. */
  readonly finishReason: string;
  readonly usage?: unknown;
}

/** May carry `id` (a stable path name, default `summarizer:<index>`) and `windowTokens` (default 32,000). */
export interface Summarizer {
  (request: SummarizerRequest): Promise<SummarizerResult>;
  readonly id?: string;
  readonly windowTokens?: number;
}
