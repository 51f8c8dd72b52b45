// The floor: what no compaction can shrink, with the names of what it is made of.
import type { Floor, FloorContributor } from '../plan/outcome.ts';
import { POLICY_DEFAULTS } from './policy.ts';

export interface FloorFacts {
  /** Calibrated, tokens. */
  readonly preambleTokens: number;
  /** Measured tokens that no estimate explains; they count as preamble. */
  readonly unexplainedTokens: number;
  readonly pinTokens: number;
  /** The first genuine ask, which stands at the head of every summary. */
  readonly firstAskTokens: number;
  /** The preamble's named parts. */
  readonly contributors: readonly FloorContributor[];
}

/** Preamble + unexplained + pins + tail budget + smallest summary; constant between changes of the preamble. The largest contributor first. */
export function deriveFloor(facts: FloorFacts, budget: { readonly tail: number; readonly target: number }): Floor {
  const named = facts.contributors.reduce((sum, contributor) => sum + contributor.tokens, 0);
  const contributors: readonly FloorContributor[] = [
    ...facts.contributors,
    { name: facts.contributors.length === 0 ? 'preamble' : 'preamble, other', tokens: Math.max(0, facts.preambleTokens - named) },
    { name: 'unexplained', tokens: facts.unexplainedTokens },
    { name: 'pins', tokens: facts.pinTokens },
    { name: 'tail', tokens: budget.tail },
    { name: 'smallest summary', tokens: smallestSummary(facts.firstAskTokens, budget.target) },
  ];
  const rest = facts.unexplainedTokens + facts.pinTokens + budget.tail + smallestSummary(facts.firstAskTokens, budget.target);
  return {
    tokens: Math.ceil(facts.preambleTokens + rest),
    contributors: contributors
      .filter((contributor) => contributor.tokens > 0)
      .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
  };
}

function smallestSummary(firstAskTokens: number, target: number): number {
  const { smallestSummaryTokens, smallestSummaryOfTarget, firstAskShare } = POLICY_DEFAULTS;
  const frame = Math.min(smallestSummaryTokens, Math.floor(smallestSummaryOfTarget * target));
  return frame + Math.min(firstAskTokens, Math.floor(firstAskShare * target));
}
