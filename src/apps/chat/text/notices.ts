// What people are told without having asked. Routine is silent; failures and lost access are not.
import type { CompactionOutcome } from '../../../index.ts';
import { messages, tokens } from './numbers.ts';
import { describeOutcome } from './outcome-text.ts';

/** The words of a notice, or undefined when there is nothing to tell. */
export function noticeOf(outcome: CompactionOutcome, level: 'failures' | 'all', nowMs: number): string | undefined {
  const { status } = outcome;
  if (status === 'failed') return `ℹ️ ${describeOutcome(outcome, nowMs)}`;
  const isShortened = status === 'compacted' && outcome.stages.some(({ kind }) => kind === 'squeeze');
  if (isShortened)
    return `ℹ️ ${describeOutcome(outcome, nowMs)} Also some of the newest messages had to be shortened for the model; /search finds their full text.`;
  return status === 'compacted' && level === 'all' ? `ℹ️ ${describeOutcome(outcome, nowMs)}` : undefined;
}

/** A conversation ended because it could not go on; this is its successor. */
export function continuationNotice(cause: string, outcome: CompactionOutcome | undefined): string {
  const numbers =
    outcome === undefined
      ? ''
      : ` It had ${tokens(outcome.newRequestTokens)} in ${messages(outcome.newMessageCount)} after everything that compaction could do.`;
  return `ℹ️ This conversation could not go on as it was: ${cause}.${numbers} It goes on in a continuation that carries your pins, the facts and your last question; the old one is kept, and /search finds everything in it.`;
}
