// What counts as progress, when a request is exhausted, and which outcomes contradict themselves. The sentence for people: outcome-text.ts.
import { type CompactionOutcome, STATUS_REASONS, type TriggerReason } from './outcome.ts';

export { describeOutcome, type OutcomeFacts } from './outcome-text.ts';

/** A request as it is measured before and after a pass. */
export interface RequestMeasure {
  readonly tokens: number;
  readonly bytes: number;
  readonly messageCount: number;
}

/** A smaller saving ends the passes. */
export const SMALLEST_PROGRESS_SHARE = 0.05;

/**
 * True when a pass moved something: the whole request has at least 5 % fewer tokens (after a 413: bytes), or, when the message limit
 * made it due, fewer messages. An equal count of messages is never a failure by itself.
 */
export function isProgress(old: RequestMeasure, now: RequestMeasure, trigger: TriggerReason = 'token_threshold'): boolean {
  const isSmaller = (before: number, after: number): boolean => before > 0 && before - after >= before * SMALLEST_PROGRESS_SHARE;
  if (trigger === 'provider_413') return isSmaller(old.bytes, now.bytes);
  if (trigger === 'message_hygiene' && now.messageCount < old.messageCount) return true;
  return isSmaller(old.tokens, now.tokens);
}

export interface ExhaustionInput {
  /** The assembled request exceeds what the provider accepts, by its own proof or by the window. */
  readonly exceedsWindow: boolean;
  /** A further pass would change the request. */
  readonly isPassPossible: boolean;
  readonly arePassesSpent: boolean;
  /** A step of this request was put off: a lease elsewhere, a verdict awaited, a store away. */
  readonly wasDeferred: boolean;
}

/** The only road to exhaustion. */
export function isExhausted({ exceedsWindow, isPassPossible, arePassesSpent, wasDeferred }: ExhaustionInput): boolean {
  return exceedsWindow && (!isPassPossible || arePassesSpent) && !wasDeferred;
}

const COUNTS = [
  'durationMs',
  'passes',
  'changedMessages',
  'oldMessageCount',
  'newMessageCount',
  'oldRequestTokens',
  'newRequestTokens',
] as const;

/** Contradictions in an outcome; empty = none. */
export function checkOutcome(outcome: CompactionOutcome): readonly string[] {
  const { status, reason } = outcome;
  const problems: string[] = [];
  const allowed: readonly (string | undefined)[] = STATUS_REASONS[status] ?? [];
  if (!allowed.includes(reason)) problems.push(`status ${status} does not allow the reason ${reason ?? 'none'}`);
  if (outcome.exhausted && status === 'deferred') problems.push('exhausted although a step was deferred');
  if (status === 'blocked' && outcome.retryAtMs === undefined) problems.push('blocked without the time at which it ends');
  for (const name of COUNTS) {
    if (!Number.isFinite(outcome[name]) || outcome[name] < 0) problems.push(`${name} is ${outcome[name]}`);
  }
  if (status === 'compacted' && outcome.oldRequestTokens < outcome.newRequestTokens && outcome.newMessageCount >= outcome.oldMessageCount) {
    problems.push(`compacted although the request grew from ${outcome.oldRequestTokens} to ${outcome.newRequestTokens} tokens`);
  }
  if (outcome.fitsThreshold && !outcome.fitsWindow) problems.push('fits the threshold but not the window');
  return problems;
}
