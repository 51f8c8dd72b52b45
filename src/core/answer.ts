// What a provider's answer says about itself, in neutral terms: how it ended, whether anything was said, what was counted.
import type { Usage } from './size/size.ts';

/** One finished answer: a whole response, or all events of a stream. */
export interface Answer {
  readonly usage: Usage;
  /** `finish_reason`, `stop_reason` or `incomplete_details.reason`, as the API gave it. */
  readonly finishReason?: string;
  /** True when it has text or a tool call (reasoning alone is none), and for a shape that is not known. */
  readonly hasContent: boolean;
  /** The provider's own error object (or the event that holds it) when it came inside a successful response. */
  readonly failure?: unknown;
}

/**
 * What one event of a stream is for whoever waits for the first words: `preface` announces the answer and can be held back, `content` belongs
 * to it (also an event of an unknown shape), `failure` is an error inside the stream, `end` closes it.
 */
export type AnswerStage = 'preface' | 'content' | 'failure' | 'end';

/** Reads the events of one stream as they pass. */
export interface AnswerReader {
  read(event: unknown): AnswerStage;
  /** What the events so far amount to. */
  answer(): Answer;
}

/** One finished answer and what is known of its request. */
export interface FinishedRequest {
  readonly usage: Usage;
  readonly finishReason?: string;
  readonly hasContent: boolean;
  readonly windowTokens?: number;
  /** Our estimate of the request, tokens. */
  readonly estimateTokens?: number;
  /** True when the estimate was calibrated on this provider's own counts. */
  readonly isCalibrated: boolean;
}

/**
 * An overflow that came as a success.
 * - `stopped-at-window`: the provider itself says that the window ended the answer.
 * - `empty-at-window`: nothing was answered and the input fills the window. The same request must not be sent again.
 * - `over-window`: more was counted than the window holds. The answer is good; the next request is not.
 * - `truncated-upstream`: the server counted far less than was sent: it dropped the beginning.
 */
export interface SilentOverflow {
  readonly kind: 'stopped-at-window' | 'empty-at-window' | 'over-window' | 'truncated-upstream';
  /** What the provider counted, tokens. */
  readonly promptTokens?: number;
}
