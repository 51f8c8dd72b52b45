// What a provider's error can mean for the context: the input and the answer of the classifier.

/** An error and what is known about the request that met it. */
export interface ErrorInput {
  /** The error of an SDK, a `{ status, body }` pair, a parsed body, an event of a stream, or text. */
  readonly error: unknown;
  /** Our estimate of the request, tokens. */
  readonly ownTokens?: number;
  /** The window known so far, tokens. */
  readonly windowTokens?: number;
  /** Reasoning models are cut while idle: a lost connection says nothing about the size. */
  readonly isReasoningModel?: boolean;
}

/** What every class carries. */
export interface ErrorBase {
  /** HTTP status, where one was given. */
  readonly status?: number;
  /** The provider's own code, type or exception name. */
  readonly code?: string;
  /** The provider's message without its wrappers, at most 8,000 characters. */
  readonly text: string;
}

/** The input is larger than the window. `limit` and `actual` only when the provider printed them and they agree. */
export interface OverflowError extends ErrorBase {
  readonly kind: 'overflow';
  /** The window, tokens. Learn it only downwards. */
  readonly limit?: number;
  /** What the provider counted, tokens. */
  readonly actual?: number;
}

/** Nothing says so, but the request was large and the error says nothing else: one compaction may be tried. */
export interface SuspectedOverflowError extends ErrorBase {
  readonly kind: 'suspected-overflow';
}

/** The input fits, the requested output does not: lower the output. Says nothing about the window. */
export interface OutputCapError extends ErrorBase {
  readonly kind: 'output-cap';
  /** Output tokens that fit beside this input. A very small number means that the input should shrink too. */
  readonly available?: number;
  /** The most output tokens the model ever gives. */
  readonly limit?: number;
}

/** The body has too many bytes: drop media first, then text. */
export interface PayloadError extends ErrorBase {
  readonly kind: 'payload';
  readonly limitBytes?: number;
}

/** An image or file is too large, too many, or unreadable. */
export interface MediaError extends ErrorBase {
  readonly kind: 'media';
  readonly limitBytes?: number;
  readonly limitPx?: number;
}

/** This one request is over a limit of tokens per time, or over the plan's share of the window: no wait helps, a smaller request does. */
export interface SingleRequestError extends ErrorBase {
  readonly kind: 'single-request-over-rate';
  /** Tokens; never the model's window. */
  readonly limit: number;
  /** Tokens, when printed or estimated. */
  readonly requested?: number;
}

/** Too many requests, or an overloaded server: wait. */
export interface RateError extends ErrorBase {
  readonly kind: 'rate';
  readonly retryAfterMs?: number;
}

/** Credentials, permission or billing; a content policy; reasoning bound to other bytes; a broken rule of the API; anything else. */
export interface PlainError extends ErrorBase {
  readonly kind: 'auth' | 'policy' | 'thinking-binding' | 'structure' | 'other';
}

export type ErrorClass =
  | OverflowError
  | SuspectedOverflowError
  | OutputCapError
  | PayloadError
  | MediaError
  | SingleRequestError
  | RateError
  | PlainError;
