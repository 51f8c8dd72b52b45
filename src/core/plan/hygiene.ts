// Counts of messages: what a fold leaves, and how many may stay for a message limit.
import type { Entry } from '../transcript/entry.ts';
import type { PlanInput } from './plan.ts';

/** True when a summary in front of this entry becomes its first block instead of a message of its own. */
function takesSummary(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.message.role === 'user' && entry.message.parts.every((part) => part.kind !== 'result');
}

/** Messages that are sent when everything up to `foldTo` is folded; undefined = no fold. */
export function messagesAfter(entries: readonly Entry[], foldTo: number | undefined): number {
  if (foldTo === undefined) return entries.length;
  const kept = entries.length - 1 - foldTo;
  return takesSummary(entries[foldTo + 1]) ? kept : kept + 1;
}

/** Entries that may stay so that, with a summary message, at most `messageTarget` are sent. */
export function mostLiveMessages(messageTarget: number): number {
  return Math.max(1, messageTarget - 1);
}

/** Of the size now, what a plan for the message limit may take although the tokens fit; and what of that may stay verbatim. */
const SIZE_SHARE = 0.8;
const LIVE_SHARE = 0.6;

/** The input of a plan for the message limit: where the tokens fit already, fewer messages stay as they are, but as many as may. */
export function hygieneInput(input: PlanInput): PlanInput {
  if (input.currentTokens > input.budgetTokens) return input;
  const budgetTokens = Math.floor(input.currentTokens * SIZE_SHARE);
  return { ...input, budgetTokens, tailTokens: Math.floor(budgetTokens * LIVE_SHARE) };
}
