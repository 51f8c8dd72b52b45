// What people do without a library: the three baselines.
import type { Strategy } from './strategy.ts';
import { headAndTail, trimToFit } from './trimming.ts';

/** Oldest messages go, as many as needed. */
export const dropOldest: Strategy = {
  name: 'drop oldest',
  compact: (input) => trimToFit(input, () => ({ levels: 1, textAt: () => undefined })),
};

const REMOVED = '[An earlier tool output was removed.]';

/** Outputs of tools go, the newest N stay; as many as fit. */
export const keepLastObservations: Strategy = {
  name: 'last N outputs',
  compact: (input) =>
    trimToFit(input, (results) => ({
      levels: results.length + 1,
      textAt: (level, { rank, text }) => (rank < results.length - level || text.length <= REMOVED.length ? undefined : REMOVED),
    })),
};

/** Smallest and largest length of what is left of an output, tokens, and how many lengths between are tried. */
const LEAST_TOKENS = 24;
const MOST_TOKENS = 50_000;
const LENGTHS = 64;

/** Every output of a tool is cut to its beginning and its end, as long as fit. */
export const headAndTailOfOutputs: Strategy = {
  name: 'head + tail',
  compact: (input) =>
    trimToFit(input, () => ({
      levels: LENGTHS,
      textAt: (level, { text, tokens }) => headAndTail(text, tokens, MOST_TOKENS * (LEAST_TOKENS / MOST_TOKENS) ** (level / (LENGTHS - 1))),
    })),
};

export const BASELINES: readonly Strategy[] = [dropOldest, keepLastObservations, headAndTailOfOutputs];
