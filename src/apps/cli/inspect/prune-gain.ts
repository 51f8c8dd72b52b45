// What pruning alone would free: old results, long arguments and media turned into stubs, the newest steps left as they are.
import { planLive } from '../../../core/plan/live.ts';
import { findPrunes } from '../../../core/plan/prune.ts';
import { deriveScope } from '../../../core/plan/scope.ts';
import type { Entry } from '../../../core/transcript/entry.ts';

/** The tail that stays verbatim: a tenth of the window, within these bounds (tokens). */
const TAIL_SHARE = 0.1;
const LEAST_TAIL_TOKENS = 4_000;
const MOST_TAIL_TOKENS = 25_000;

export interface PruneGain {
  /** Tokens that would be free afterwards. */
  readonly tokens: number;
  /** Parts that would become stubs. */
  readonly parts: number;
  /** Of the tokens, those whose text stands elsewhere too or is stale: repeats, old media, old thinking. */
  readonly repeatedTokens: number;
}

/** `windowTokens` sizes the tail; without a window the transcript itself does. */
export function measurePruneGain(entries: readonly Entry[], windowTokens: number | undefined): PruneGain {
  const basis = windowTokens ?? entries.reduce((sum, entry) => sum + entry.tokens, 0);
  const tailTokens = Math.min(MOST_TAIL_TOKENS, Math.max(LEAST_TAIL_TOKENS, basis * TAIL_SHARE));
  const scope = deriveScope({ entries, canOpenHandles: false, refusedFolds: [] });
  const tail = planLive(scope, { tailTokens, zoneTokens: 0, mostMessages: Number.POSITIVE_INFINITY, earliest: 0 });
  const prunes = tail === undefined ? [] : findPrunes(scope, 0, tail.from - 1);
  const sum = (own: typeof prunes) => own.reduce((total, prune) => total + prune.savedTokens, 0);
  return { tokens: sum(prunes), parts: prunes.length, repeatedTokens: sum(prunes.filter((prune) => prune.isFree)) };
}
