// Context sizes and usage. Measured and estimated are different types; unknown is undefined, never 0.

/** Tokens of a whole request that a provider reported. */
export interface MeasuredSize {
  readonly kind: 'measured';
  readonly tokens: number;
}

/** Tokens of a whole request that were estimated (calibrated). */
export interface EstimatedSize {
  readonly kind: 'estimated';
  readonly tokens: number;
}

/** measured: the provider's own number for the prefix plus the estimate of what was added since. */
export type ContextSize = MeasuredSize | EstimatedSize;

/** Usage in disjoint classes, tokens. A class the provider does not report is undefined. */
export interface Usage {
  readonly uncachedInput?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly output?: number;
  /** Part of `output` that was reasoning. */
  readonly reasoning?: number;
  /** Sum of all input classes: the measured prompt size. undefined when the provider reported none. */
  readonly promptTokens?: number;
  /** The provider's own object, unchanged. */
  readonly raw: unknown;
}

/** The provider's last prompt size at one tip. The newest four per (conversation, model) are kept. */
export interface Anchor {
  readonly model: string;
  /** Chain hash of the last entry of the request. */
  readonly tip: string;
  readonly tipPosition: number;
  /** '' = before any fold or prune. */
  readonly viewId: string;
  readonly preambleDigest: string;
  readonly route: string;
  /** Measured prompt size. */
  readonly promptTokens: number;
  /** Uncalibrated estimate of the same request (preamble and messages). */
  readonly estimateTokens: number;
  readonly atMs: number;
}

/** Learned per (route, model): how much the provider counts against the estimate, and what window it proved to serve. */
export interface Calibration {
  readonly route: string;
  readonly model: string;
  /** measured / estimated, an exponential moving average; 1 when samples is 0. */
  readonly factor: number;
  readonly samples: number;
  /** A window printed by the provider in an overflow, or learnt from a plateau; only ever lowered. */
  readonly windowTokens?: number;
}
