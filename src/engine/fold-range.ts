// What of an attempt a summarizer is given to summarise, and what its answer is checked against.

import type { Fold } from '../core/plan/plan.ts';
import { proseTokens } from '../core/plan/prose.ts';
import { genuineText } from '../core/transcript/genuine.ts';
import { isGenuineUser } from '../core/transcript/steps.ts';
import type { Run } from './run.ts';
import type { Range } from './summarize-range.ts';

const LEAST_OUTPUT_TOKENS = 256;
/** More takes a model longer than anybody waits; what it leaves of its half the facts fill. */
const MOST_OUTPUT_TOKENS = 8_000;

export function rangeOf({ entries, state, goal }: Run, fold: Fold): Range {
  const previous = state.view?.body.fold;
  const isDeeper = previous !== undefined && previous.to < fold.to;
  const folded = entries.slice(0, fold.to + 1);
  // Newest first: a person may have changed the language.
  const texts = entries.toReversed().flatMap(({ message }) => {
    if (message.role !== 'user') return [];
    return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  });
  return {
    entries: isDeeper ? folded.slice(previous.to + 1) : folded,
    previousSummary: isDeeper ? previous.text : undefined,
    focus: goal.focus,
    maxOutputTokens: Math.min(MOST_OUTPUT_TOKENS, Math.max(LEAST_OUTPUT_TOKENS, proseTokens(fold.budgetTokens))),
    replacedTokens: folded.reduce((sum, entry) => sum + entry.tokens, 0),
    hasGenuineUser: folded.some(isGenuineUser),
    userText: texts.join('\n'),
    genuineText: texts.map(genuineText).join('\n'),
    pins: state.bound.located.pins.map((pin) => pin.text),
  };
}
