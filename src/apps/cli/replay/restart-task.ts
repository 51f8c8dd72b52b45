// What the incident `restart` tells a process to do, and what the process says while it does it: one line of JSON each.
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import type { GuardStatus } from '../../../engine/guard-status.ts';

export interface RestartTask {
  readonly db: string;
  readonly key: string;
  /** Start of the story on the simulated clock, milliseconds since the epoch. */
  readonly startMs: number;
  /** Steps of tools before the first request. */
  readonly firstSteps: number;
  /** Requests that earlier processes made. */
  readonly requestsBefore: number;
  /** It makes at most so many. */
  readonly requests: number;
  /** It stops at the first one for which compaction is due. */
  readonly isStoppingWhenDue: boolean;
  /** Tokens the provider measures that no estimate sees. */
  readonly hiddenTokens: number;
  /** The system prompt says what time it is. */
  readonly isPreambleChanging: boolean;
  /** A person asks for a compaction before the first request. */
  readonly isCompactedByHand: boolean;
}

export interface RequestReport {
  readonly type: 'request';
  /** From 1, over all processes. */
  readonly request: number;
  readonly atMs: number;
  /** What was sent. */
  readonly estimatedTokens: number;
  readonly measuredTokens: number;
  readonly outcome?: Pick<
    CompactionOutcome,
    'status' | 'reason' | 'oldRequestTokens' | 'newRequestTokens' | 'retryAtMs' | 'retryTokens' | 'message'
  >;
  readonly guard: GuardStatus;
}

export interface HandReport {
  readonly type: 'by-hand';
  readonly atMs: number;
  readonly status: CompactionOutcome['status'];
  readonly oldRequestTokens: number;
  readonly newRequestTokens: number;
}

/** The last line: the work is done, the process stays until it is killed. */
export interface ReadyReport {
  readonly type: 'ready';
  readonly guard: GuardStatus;
  /** Times this process asked the summarizer. */
  readonly summaryCalls: number;
}

export type RestartReport = RequestReport | HandReport | ReadyReport;
