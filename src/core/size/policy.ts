// The options of budgets: what a caller may say, and what is refused with a name, a value and a limit.
import { UllageError } from '../errors.ts';

/** Numbers 0..1 are shares of usable; larger ones are tokens. All optional; defaults in {@link POLICY_DEFAULTS}. */
export interface PolicyOptions {
  /** Context size at which compaction is due. Default 0.80 of usable. In tokens it is never raised. */
  readonly threshold?: number;
  /** Context size a compaction aims for. Default 0.44 of the threshold. */
  readonly target?: number;
  /** What stays verbatim at the end, tokens. Default 10 % of usable, between 4,000 and 25,000, at most half of the target. */
  readonly tailTokens?: number;
  /** Kept free for the answer, tokens. Default: what the request asks for, else the model's largest output; at most 20 % of the window. */
  readonly reserveTokens?: number;
  /** Smallest saving worth an automatic attempt, tokens. Default 10 % of the context size, at least 1,000. */
  readonly minGainTokens?: number;
  /** Message hygiene: compact when more messages than this would be sent. Default: off. */
  readonly messageLimit?: number;
  /** Plans tried for one request, 1 to 3. Default 3. */
  readonly maxPasses?: number;
  /** Pruning alone is tried when the target is at least this share of the context size. Default 0.6. */
  readonly pruneShare?: number;
}

export const POLICY_DEFAULTS = {
  /** Share of usable. */
  threshold: 0.8,
  /** Share of the threshold: 0.35 of usable, the cheapest in the replay of real sessions. */
  targetOfThreshold: 0.44,
  /** Share of the threshold at which background preparation may begin. */
  softOfThreshold: 0.81,
  /** Share of usable, and its bounds in tokens. */
  tail: 0.1,
  tailMinTokens: 4_000,
  tailMaxTokens: 25_000,
  /** Share of the unadjusted target that the default tail never exceeds. */
  tailOfTarget: 0.5,
  /** Share of the context size, and its least. */
  minGain: 0.1,
  minGainTokens: 1_000,
  /** Share of the window that a reserve never exceeds. */
  reserve: 0.2,
  /** Tokens of the smallest useful summary, without the first ask. */
  smallestSummaryTokens: 400,
  /** Share of the target that the first ask may take in a summary. */
  firstAskShare: 0.3,
  /** Where a target is put between a high floor and the room above it. */
  floorRoom: 0.25,
  /** Least distance between a raised target and its threshold, as a share of usable. */
  distance: 0.1,
  /** An estimated floor must be this much over the window before it is believed to exceed it. */
  floorOverWindow: 1.1,
} as const;

interface Limit {
  readonly from: number;
  readonly to: number;
  readonly isInteger?: boolean;
}

const LIMITS: Record<keyof PolicyOptions, Limit> = {
  threshold: { from: Number.MIN_VALUE, to: 1e9 },
  target: { from: Number.MIN_VALUE, to: 1e9 },
  tailTokens: { from: 1, to: 1e9 },
  reserveTokens: { from: 0, to: 1e9 },
  minGainTokens: { from: 1, to: 1e9 },
  messageLimit: { from: 4, to: 1e6, isInteger: true },
  maxPasses: { from: 1, to: 3, isInteger: true },
  pruneShare: { from: 0, to: 1 },
};

/** Throws UllageError option_invalid naming the option, its value, the limit and the next step. */
export function validatePolicy(policy: PolicyOptions): void {
  for (const [name, value] of Object.entries(policy)) checkOption(name, value);
  const { threshold, target } = policy;
  if (threshold === undefined || target === undefined || threshold <= 1 !== target <= 1 || target < threshold) return;
  throw invalid('target', target, `below the threshold, ${threshold}; lower policy.target or raise policy.threshold`);
}

function checkOption(name: string, value: unknown): void {
  if (!Object.hasOwn(LIMITS, name)) throw invalid(name, value, `left out: known are ${Object.keys(LIMITS).join(', ')}`);
  if (value === undefined) return;
  const { from, to, isInteger = false } = LIMITS[name as keyof PolicyOptions];
  const isLegal = typeof value === 'number' && value >= from && value <= to && (!isInteger || Number.isInteger(value));
  const least = from === Number.MIN_VALUE ? 'more than 0' : `from ${from}`;
  if (!isLegal) throw invalid(name, value, `${isInteger ? 'a whole number' : 'a number'} ${least} to ${to}`);
}

function invalid(name: string, value: unknown, limit: string): UllageError {
  return new UllageError('option_invalid', `Option policy.${name} is ${String(value)}; it must be ${limit}.`, {
    details: { option: `policy.${name}`, limit },
  });
}
