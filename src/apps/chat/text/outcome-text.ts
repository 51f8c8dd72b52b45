// What a compaction did, in words for someone who has never heard of tokens' overflow. Never a success for what did not change, never
// "too long" for what fits.
import type { CompactionOutcome, OutcomeReason } from '../../../index.ts';
import { megabytes, messages, timeText, tokens } from './numbers.ts';

/** The largest parts of what cannot be shortened. */
export function floorParts(parts: readonly { readonly name: string; readonly tokens: number }[]): string {
  return parts
    .slice(0, 3)
    .map(({ name, tokens: size }) => `${plainName(name)} ${tokens(size)}`)
    .join(', ');
}

const PLAIN_NAMES: Readonly<Record<string, string>> = {
  system: 'the system prompt',
  preamble: 'system prompt and tools',
  'preamble, other': 'system prompt and tools',
  unexplained: 'tokens that only the provider counts',
  tail: 'the newest messages',
  'smallest summary': 'the smallest summary',
};

const plainName = (name: string): string => PLAIN_NAMES[name] ?? name;

/** Why nothing was done, as the end of a sentence. */
export const REASONS: Readonly<Record<OutcomeReason, string>> = {
  nothing_to_compact: 'there is nothing in it that could be shortened',
  would_grow: 'a summary would be longer than what it replaces',
  below_min_gain: 'too little would be gained',
  floor_above_target: 'what cannot be shortened is already above the size that compaction aims for, so it would gain nothing',
  floor_exceeds_window: 'what cannot be shortened is larger than the window',
  no_safe_cut: 'there is no place to cut without parting a tool call from its result',
  unchanged: 'it would change nothing',
  message_limit_unreachable: 'whole steps alone are more messages than the message limit',
  in_progress: 'another process is compacting this conversation right now',
  verdict_pending: 'the effect of the last compaction is not measured yet; the next answer measures it',
  guard_ineffective: 'the last compactions did not bring the size below the threshold',
  guard_refill: 'the conversation filled up again right after the last compactions',
  guard_nothing_to_compact: 'the last attempt found nothing to shorten',
  guard_undone: 'the last compaction was undone',
  disabled: 'automatic compaction is switched off',
  summary_timeout: 'the model that writes summaries did not answer in time',
  summary_rejected: 'what the model wrote was not a usable summary',
  summary_unavailable: 'the model that writes summaries cannot be reached',
  base_changed: 'the conversation was compacted by another process meanwhile',
  store_unavailable: 'the store cannot be reached',
  cancelled: 'it was cancelled',
};

export const reasonText = (reason: OutcomeReason | undefined): string => (reason === undefined ? 'no reason was given' : REASONS[reason]);

/** One or two sentences about an outcome. */
export function describeOutcome(outcome: CompactionOutcome, nowMs: number): string {
  switch (outcome.status) {
    case 'compacted':
      return `${changeText(outcome)}${limitText(outcome)}${standingText(outcome)}`;
    case 'no_op':
      return `Not compacted: ${reasonText(outcome.reason)}${floorText(outcome)}. ${sizeText(outcome)}${standingText(outcome)}`;
    case 'deferred':
      return `Put off: ${reasonText(outcome.reason)}. Nothing was changed; try again ${againText(outcome, nowMs) || 'in a moment'}.`;
    case 'blocked':
      return `Automatic compaction rests: ${reasonText(outcome.reason)}${floorText(outcome)}. It may run again ${againText(outcome, nowMs) || 'later'}.`;
    case 'failed':
      return `Compaction failed: ${reasonText(outcome.reason)}. Nothing was changed. ${sizeText(outcome)}`;
  }
}

function changeText(outcome: CompactionOutcome): string {
  const { oldMessageCount, newMessageCount, oldBytes, newBytes, triggerReason, stages } = outcome;
  const size = `${tokens(outcome.oldRequestTokens)} became ${tokens(outcome.newRequestTokens)}`;
  const bytes = triggerReason === 'provider_413' ? `, ${megabytes(oldBytes)} became ${megabytes(newBytes)}` : '';
  const count =
    oldMessageCount === newMessageCount
      ? `still ${messages(newMessageCount)}, but shorter`
      : `${messages(oldMessageCount)} became ${messages(newMessageCount)}`;
  const how = stages.some(({ kind }) => kind === 'fold') ? writer(outcome) : 'old tool results and attachments were shortened';
  return `Compacted${CAUSES[triggerReason]}: ${size}${bytes}; ${count}; ${how}. Everything stays stored and can be searched.`;
}

const CAUSES: Readonly<Record<CompactionOutcome['triggerReason'], string>> = {
  token_threshold: ' at the threshold',
  message_hygiene: ', there were more messages than the message limit',
  manual: '',
  provider_overflow: ', the provider refused it as too long',
  provider_413: ', the provider takes fewer bytes',
  model_switch: ', the model has a smaller window than the one before',
  background: '',
};

function writer({ summary }: CompactionOutcome): string {
  return summary === 'model' ? 'older messages became a summary by a model' : 'older messages became a summary of their own lines';
}

function limitText({ reason, newMessageCount }: CompactionOutcome): string {
  return reason === 'message_limit_unreachable' ? ` The message limit stays exceeded with ${messages(newMessageCount)}.` : '';
}

function floorText({ reason, floor, targetTokens }: CompactionOutcome): string {
  if (reason !== 'floor_above_target' && reason !== 'floor_exceeds_window') return '';
  return ` (${tokens(floor.tokens)}, the target is ${tokens(targetTokens)}; largest: ${floorParts(floor.contributors)})`;
}

function sizeText({ newRequestTokens }: CompactionOutcome): string {
  return `The conversation has ${tokens(newRequestTokens)}.`;
}

function standingText(outcome: CompactionOutcome): string {
  if (outcome.exhausted && outcome.triggerReason === 'provider_413')
    return ` The provider takes fewer bytes than its ${megabytes(outcome.newBytes)}.`;
  if (!outcome.fitsWindow) return ' That is more than the model takes.';
  return outcome.fitsThreshold ? '' : ' That is above the threshold, but it fits the window.';
}

function againText({ retryAtMs, retryTokens }: Pick<CompactionOutcome, 'retryAtMs' | 'retryTokens'>, nowMs: number): string {
  const time = retryAtMs === undefined ? [] : [`after ${timeText(retryAtMs, nowMs)}`];
  const size = retryTokens === undefined || !Number.isFinite(retryTokens) ? [] : [`once it has ${tokens(retryTokens)}`];
  return [...time, ...size].join(', or ');
}
