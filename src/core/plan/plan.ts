// The types of a plan: what is pruned, folded and squeezed to reach a budget. Pure data, printable.
import type { Entry } from '../transcript/entry.ts';
import type { EntryEdit } from './edit.ts';
import type { OutcomeReason, Stage } from './outcome.ts';

export interface PlanPin {
  readonly id: string;
  readonly text: string;
}

/** All a plan depends on. Every token number is an uncalibrated estimate: the caller divides by its calibration factor. */
export interface PlanInput {
  /** The whole chain, as stored, in order. */
  readonly entries: readonly Entry[];
  /** Tokens the messages take in the request as it is rendered now. */
  readonly currentTokens: number;
  /** Tokens the messages may take afterwards (the target less preamble and unexplained). */
  readonly budgetTokens: number;
  /** Tokens for what stays verbatim at the end. */
  readonly tailTokens: number;
  /** Smallest saving worth a commit. */
  readonly minGainTokens: number;
  readonly pins: readonly PlanPin[];
  /** 1 normal; 2 tail halved, fold up to the open turn; 3 squeeze. */
  readonly pass: 1 | 2 | 3;
  /** True when the request declares the retrieval tool: stubs and marks may print handles. */
  readonly canOpenHandles: boolean;
  /** At or above this share budget/current a prune alone is tried first. Default 0.6. */
  readonly pruneShare: number;
  /** For message hygiene: send at most so many messages. */
  readonly messageTarget?: number;
  /** The last entry (chain hash) of folds that were undone: the plan may not end a fold there. */
  readonly refusedFolds: readonly string[];
  /** Text the user asked to favour (manual compaction). */
  readonly focus?: string;
  /** Text of a summary by a model; the fold shares its budget between it and the facts it does not hold. */
  readonly prose?: string;
  /** The oldest position a prune may touch is after this fold; undefined = no fold committed yet. */
  readonly previousFold?: { readonly to: number; readonly summaryText: string };
}

/** A range that is replaced by one summary. It always begins at the first entry of the chain. */
export interface Fold {
  /** Last folded position. */
  readonly to: number;
  /** Framed and escaped text that goes into the request. */
  readonly text: string;
  /** Estimated tokens of `text`. */
  readonly tokens: number;
  /** Budget the text was composed for. */
  readonly budgetTokens: number;
  /** Prose was given and stands in it, if not whole. What the user demanded has its room first. */
  readonly hasProse?: boolean;
}

/** A plan that can be executed. */
export interface Plan {
  readonly pass: 1 | 2 | 3;
  readonly fold?: Fold;
  /**
   * In position order; none inside the fold. Complete: what stays and has no edit is sent as it is stored, whatever an older view did to
   * it. Signed thinking up to the watermark counts as dropped, without an edit of its own.
   */
  readonly edits: readonly EntryEdit[];
  /** First position from which on nothing is edited. */
  readonly tailFrom: number;
  /** Last position the plan saw. */
  readonly watermark: number;
  /** Tokens the messages take afterwards. */
  readonly newTokens: number;
  readonly stages: readonly Stage[];
}

/** `reason` beside a plan: it lowers the message count, but not to the target. */
export type PlanResult =
  | { readonly plan: Plan; readonly reason?: 'message_limit_unreachable' }
  | { readonly plan?: undefined; readonly reason: OutcomeReason };
