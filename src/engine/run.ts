// The data of one running attempt, shared by its steps.
import type { Ask, AskKind, Decision, FailedPath, Guard, Unit } from '../core/guard/guard.ts';
import type { MediaWish } from '../core/plan/media-edits.ts';
import type { CompactionOutcome, OutcomeReason, OutcomeStatus, TriggerReason } from '../core/plan/outcome.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { Replacement, View } from '../core/plan/view.ts';
import type { EntryWorkCache } from '../core/plan/work.ts';
import type { Entry } from '../core/transcript/entry.ts';
import type { Context } from './context.ts';
import type { Rendered } from './render.ts';
import type { RequestState } from './request.ts';
import type { Bound } from './sync.ts';

export type Pass = 1 | 2 | 3;

/** What is to be done, and why. Token numbers are calibrated and of the whole request. */
export interface AttemptGoal {
  readonly kind: AskKind;
  readonly unit: Unit;
  readonly triggerReason: TriggerReason;
  /** What made it due. */
  readonly mark: number;
  /** Context size (or message count) now. */
  readonly size: number;
  readonly targetTokens: number;
  /** Multiplies estimates; larger than the calibration when a provider proved more. */
  readonly factor: number;
  readonly firstPass: Pass;
  readonly lastPass: Pass;
  /** At most so many messages, for hygiene. */
  readonly messageTarget?: number;
  /** At most so many bytes of body, for a 413: media go first. */
  readonly targetBytes?: number;
  /** Instead of a plan: reasoning, or media, go out of what is sent now. */
  readonly amends?: 'thinking' | MediaWish;
  readonly focus?: string;
  /** No model is asked, whatever the guard allows. */
  readonly isFactsOnly?: boolean;
}

export type BoundState = RequestState & { readonly bound: Bound };

export interface Run {
  readonly context: Context;
  readonly state: BoundState;
  readonly goal: AttemptGoal;
  /** Without what a provider refused before. */
  readonly entries: readonly Entry[];
  /** What stands in place of that, by position. */
  readonly refused: ReadonlyMap<number, Replacement>;
  /** Kept between the plans of one attempt; changes no byte. */
  readonly work: EntryWorkCache;
  readonly ask: Ask;
  /** Also the id of the view it commits. */
  readonly attemptId: string;
  readonly fence: number;
  readonly startedAtMs: number;
  readonly decision: Decision;
  /** Summarizer paths that failed so far. */
  readonly failed: FailedPath[];
}

/** A plan made real: the view it gives and what that sends. */
export interface Candidate {
  readonly plan: Plan;
  readonly view: View;
  readonly rendered: Rendered;
  /** Calibrated, whole request. */
  readonly newTokens: number;
  /** The body that would be sent. */
  readonly text: string;
  /** The caller's hook gave the summary: no model writes another. */
  readonly isFoldGiven?: boolean;
}

export interface AttemptResult {
  readonly attemptId: string;
  readonly status: OutcomeStatus;
  readonly reason?: OutcomeReason;
  readonly passes: number;
  /** Present when the view was committed, or made for this one request. */
  readonly candidate?: Candidate;
  readonly summary: 'model' | 'facts' | 'none';
  readonly summarizerUsage?: unknown;
  /** Summarizer paths that failed. */
  readonly failed?: readonly FailedPath[];
  readonly decision?: Decision;
  readonly guardAfter?: Guard;
  /** As it was stored with the commit: what is told is what was committed. */
  readonly committed?: CompactionOutcome;
  /** Another commit came first: the request must be rendered again through its view. */
  readonly isSuperseded?: boolean;
}

/** Leaving reasoning out is no compaction: it has no outcome. */
export function isCompaction(goal: AttemptGoal): boolean {
  return goal.amends !== 'thinking';
}

/** Calibrated size of the whole request as the goal sees it, tokens. */
export function requestTokens(state: RequestState, goal: AttemptGoal): number {
  return Math.round(goal.unit === 'tokens' ? goal.size : state.measure.context.tokens);
}
