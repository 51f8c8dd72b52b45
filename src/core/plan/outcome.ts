// The structured result of one compaction attempt: closed reasons, which status may carry which, and what counts as progress.
import type { Decision } from '../guard/guard.ts';

/** What made an attempt due; `background` is the soft threshold, when `policy.background` is on. */
export type TriggerReason =
  | 'token_threshold'
  | 'message_hygiene'
  | 'manual'
  | 'provider_overflow'
  | 'provider_413'
  | 'model_switch'
  | 'background';

/** How an attempt ended; a `reason` says why, where there is one. */
export type OutcomeStatus = 'compacted' | 'no_op' | 'deferred' | 'blocked' | 'failed';

/** Which reasons each status may carry. A test pins the table. */
export const STATUS_REASONS = {
  compacted: [undefined, 'message_limit_unreachable'],
  no_op: [
    'nothing_to_compact',
    'would_grow',
    'below_min_gain',
    'floor_above_target',
    'floor_exceeds_window',
    'no_safe_cut',
    'unchanged',
    'message_limit_unreachable',
    'disabled',
    'cancelled',
  ],
  deferred: ['in_progress', 'verdict_pending', 'base_changed', 'store_unavailable', 'cancelled'],
  blocked: ['guard_ineffective', 'guard_refill', 'guard_nothing_to_compact', 'guard_undone'],
  failed: ['summary_timeout', 'summary_rejected', 'summary_unavailable', 'store_unavailable', 'cancelled'],
} as const;

/** Why an attempt ended as it did: closed, of {@link STATUS_REASONS}. */
export type OutcomeReason = Exclude<(typeof STATUS_REASONS)[OutcomeStatus][number], undefined>;

export type StageKind = 'prune' | 'fold' | 'squeeze';

/** What one kind of step did. Tokens are calibrated estimates of the parts it touched. */
export interface Stage {
  readonly kind: StageKind;
  /** Entries touched. */
  readonly count: number;
  readonly oldTokens: number;
  readonly newTokens: number;
}

/** One named part of the floor. */
export interface FloorContributor {
  readonly name: string;
  readonly tokens: number;
}

/** What no compaction can shrink, tokens. */
export interface Floor {
  readonly tokens: number;
  /** The largest first. */
  readonly contributors: readonly FloorContributor[];
}

/** The structured result of one compaction attempt. Returned by every path, stored as an event, one log line. */
export interface CompactionOutcome {
  readonly attemptId: string;
  readonly sessionId: string;
  /** '' for both ids when the store could not be read. */
  readonly conversationId: string;
  /** When it ended, milliseconds since the epoch. */
  readonly atMs: number;
  /** From the request to the end, milliseconds; waiting for a summarizer or another process included. */
  readonly durationMs: number;
  /** Plans tried within the attempt. */
  readonly passes: number;
  readonly triggerReason: TriggerReason;
  readonly status: OutcomeStatus;
  /** The assembled request still exceeds what the provider accepts, no pass is left, and nothing was deferred. */
  readonly exhausted: boolean;
  readonly reason?: OutcomeReason;
  /** Messages whose bytes differ, or that are no longer sent. */
  readonly changedMessages: number;
  readonly oldMessageCount: number;
  readonly newMessageCount: number;
  /** Whole request, calibrated estimate or measured, tokens. */
  readonly oldRequestTokens: number;
  readonly newRequestTokens: number;
  /** Percent, one decimal; 0 when nothing was gained. */
  readonly tokenSavingsPct: number;
  /** Of the whole request body as UTF-8. */
  readonly oldBytes: number;
  readonly newBytes: number;
  readonly thresholdTokens: number;
  readonly targetTokens: number;
  readonly fitsTarget: boolean;
  /** Below the threshold: no automatic compaction is due. */
  readonly fitsThreshold: boolean;
  /** At most what is usable of the window. */
  readonly fitsWindow: boolean;
  readonly stages: readonly Stage[];
  /** Who wrote the summary: a model (with facts beside its prose), the facts alone, or nobody because nothing was folded. */
  readonly summary: 'model' | 'facts' | 'none';
  /** What the summarizers gave as their usage: of one call unchanged, of several added up member by member, failed and rejected ones too. */
  readonly summarizerUsage?: unknown;
  /** Summarizers that were asked in vain, in order: their path and why (`timeout`, `rate`, `refusal`, `language`, …). Absent when none failed. */
  readonly summarizerFailures?: readonly { readonly path: string; readonly reason: string }[];
  readonly floor: Floor;
  /** What the guard said to this attempt. */
  readonly guardBefore?: Decision['decision'];
  /** What it would say to an automatic one right after. */
  readonly guardAfter?: Decision['decision'];
  /** When an automatic attempt may run again, for blocked and deferred; milliseconds since the epoch. */
  readonly retryAtMs?: number;
  /** Context size at which one may run again. */
  readonly retryTokens?: number;
  /** The committed view, for compacted. */
  readonly viewId?: string;
  /** One sentence for people. */
  readonly message: string;
}
