// One plain sentence about an outcome, with its numbers. Says what happened, why, and when it can happen again.
import type { CompactionOutcome, OutcomeReason } from './outcome.ts';
import { formatUtc } from './utc-time.ts';

/** All of an outcome but its sentence. */
export type OutcomeFacts = Omit<CompactionOutcome, 'message'>;

const count = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
const tokens = (value: number): string => `${count(value)} ${Math.round(value) === 1 ? 'token' : 'tokens'}`;

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 100_000 ? 3 : 1)} MB`;
}

function messageChange({ oldMessageCount, newMessageCount }: OutcomeFacts): string {
  const fewer = oldMessageCount - newMessageCount;
  return `${count(Math.abs(fewer))} ${Math.abs(fewer) === 1 ? 'message' : 'messages'} ${fewer < 0 ? 'more' : 'fewer'}`;
}

/** A model that was asked in vain is named: a fall-back does not hide it. */
function modelUse({ summary, summarizerFailures = [] }: OutcomeFacts): string {
  const failed = summarizerFailures.map(({ path, reason }) => `${path}: ${reason}`).join(', ');
  const inVain = failed === '' ? '' : ` (failed: ${failed})`;
  if (summary === 'model') return `summary by a model${inVain}`;
  return failed === '' ? 'no model call' : `no summary by a model${inVain}`;
}

/** The largest parts of the floor, by name. */
function contributors({ floor }: OutcomeFacts): string {
  const largest = floor.contributors.slice(0, 3).map(({ name, tokens: size }) => `${name} ${count(size)}`);
  return largest.length === 0 ? '' : ` (largest: ${largest.join(', ')})`;
}

const WHY: Readonly<Record<OutcomeReason, (outcome: OutcomeFacts) => string>> = {
  nothing_to_compact: () => 'nothing in it can be shortened',
  would_grow: () => 'the compacted request would not be smaller',
  below_min_gain: () => 'too little would be saved',
  floor_above_target: (outcome) =>
    `${tokens(outcome.floor.tokens)} of it cannot be shortened${contributors(outcome)}, which is above the target of ${count(outcome.targetTokens)}`,
  floor_exceeds_window: (outcome) =>
    `${tokens(outcome.floor.tokens)} of it cannot be shortened${contributors(outcome)}, more than the window holds`,
  no_safe_cut: () => 'there is no place to cut without parting a call from its result',
  unchanged: () => 'the plan would change nothing',
  message_limit_unreachable: () => 'whole steps alone exceed the message limit',
  in_progress: () => 'another compaction of this conversation is under way',
  verdict_pending: () => 'the effect of the last compaction is not measured yet',
  guard_ineffective: () => 'the last compactions did not bring the context below the threshold',
  guard_refill: () => 'the context filled up again soon after each of the last compactions',
  guard_nothing_to_compact: () => 'the last attempt found nothing to shorten',
  guard_undone: () => 'the last compaction was undone',
  disabled: () => 'automatic compaction is switched off',
  summary_timeout: () => 'the summarizer did not answer in time',
  summary_rejected: () => 'what the summarizer wrote was no summary',
  summary_unavailable: () => 'no summarizer could be reached',
  base_changed: () => 'the conversation was compacted elsewhere meanwhile',
  store_unavailable: () => 'the store could not be reached',
  cancelled: () => 'it was cancelled',
};

function why(outcome: OutcomeFacts): string {
  return outcome.reason === undefined ? 'no reason was given' : WHY[outcome.reason](outcome);
}

/** When an attempt may run again. */
function again({ retryAtMs, retryTokens }: OutcomeFacts): string {
  const date = retryAtMs === undefined ? undefined : formatUtc(retryAtMs);
  const time = date === undefined ? undefined : `after ${date}`;
  const size = retryTokens === undefined || !Number.isFinite(retryTokens) ? undefined : `at ${tokens(retryTokens)}`;
  const when = [time, size].filter((each) => each !== undefined).join(' or ');
  return when === '' ? '' : `; possible again ${when}`;
}

/** How the request stands after it: nothing to say when it is below the threshold. */
function standing(outcome: OutcomeFacts): string {
  if (outcome.exhausted) return `; ${stillRefused(outcome)}`;
  if (!outcome.fitsWindow) return '; the request is still larger than the window';
  return outcome.fitsThreshold ? '' : `; still above the threshold of ${count(outcome.thresholdTokens)}, but it fits the window`;
}

/** A 413 says nothing of the window, and what a provider refuses may fit it by our count. */
function stillRefused(outcome: OutcomeFacts): string {
  if (outcome.triggerReason === 'provider_413')
    return `the provider accepts fewer bytes than its ${megabytes(outcome.newBytes)} and nothing more can be left out`;
  if (outcome.fitsWindow) return 'the provider still refuses it as too large and nothing more can be compacted';
  return 'the request is still larger than the window and nothing more can be compacted';
}

function change(outcome: OutcomeFacts): string {
  const bytes = outcome.triggerReason === 'provider_413' ? [`${megabytes(outcome.oldBytes)} → ${megabytes(outcome.newBytes)}`] : [];
  const size = `${count(outcome.oldRequestTokens)} → ${tokens(outcome.newRequestTokens)}`;
  return [...bytes, size, messageChange(outcome), modelUse(outcome), `${count(outcome.durationMs)} ms`].join(', ');
}

/** One sentence for people. `done` says what became of a plan: it was committed, holds for one request alone, or was only made. */
export function describeOutcome(outcome: OutcomeFacts, done = 'Compacted'): string {
  const size = `the request has ${tokens(outcome.newRequestTokens)}`;
  switch (outcome.status) {
    case 'compacted': {
      const limit = outcome.reason === undefined ? '' : `; ${why(outcome)}`;
      return `${done}: ${change(outcome)}${limit}${standing(outcome)}.`;
    }
    case 'no_op':
      return `Not compacted: ${why(outcome)}; ${size}${standing(outcome)}.`;
    case 'deferred':
      return `Compaction put off: ${why(outcome)}; ${size}${again(outcome)}.`;
    case 'blocked':
      return `Automatic compaction rests: ${why(outcome)}; ${size}${again(outcome)}${standing(outcome)}.`;
    case 'failed':
      return `Compaction failed: ${why(outcome)}; nothing was changed, ${size}${standing(outcome)}.`;
  }
}
