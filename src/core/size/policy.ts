// The options of budgets: what a caller may say, and what is refused with a name, a value and a limit.
import { UllageError } from '../errors.ts';

/** Numbers up to 1 are shares of usable, larger ones are tokens, where both are said to be possible. All optional. */
export interface PolicyOptions {
  /** Context size at which compaction is due: share or tokens. Default 0.80. In tokens it is never raised. */
  readonly threshold?: number;
  /** Context size a compaction aims for: share or tokens. Default 0.44 of the threshold, 0.35 of usable. */
  readonly target?: number;
  /** Where background preparation begins, when it is on; given as `budget.soft`. Share or tokens, default 0.81 of the threshold. */
  readonly softThreshold?: number;
  /** Compact after a response that passed the soft threshold, while nobody waits; the next request finds it done. Default false. */
  readonly background?: boolean;
  /** What stays verbatim at the end: share or tokens. Default: a quarter of the target, at most 25,000 tokens. */
  readonly tailTokens?: number;
  /** Kept free for the answer, tokens. Default: what the request asks for, else the model's largest output. At most 20 % of the window. */
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
  /** Share of usable: late enough to compact rarely, with room for one large step before the window is full. */
  threshold: 0.8,
  /** Share of the threshold: 0.35 of usable, the cheapest in the replay of real sessions. */
  targetOfThreshold: 0.44,
  /** Share of the threshold at which background preparation may begin: about two large steps ahead. */
  softOfThreshold: 0.81,
  /** Share of the unadjusted target: recall is flat between 5 and 35 % of it, and in small windows more is better spent on the summary. */
  tailOfTarget: 0.25,
  /** Tokens: more is better spent on facts. */
  tailMaxTokens: 25_000,
  /** Share of the context size: a smaller saving costs more in lost prompt cache than it brings. */
  minGain: 0.1,
  /** Tokens: the least of the same. */
  minGainTokens: 1_000,
  /** Share of the window that a reserve never exceeds: models print 64,000 and more as their largest output, answers are short. */
  reserve: 0.2,
  /** Tokens of the smallest useful summary, without the first ask. */
  smallestSummaryTokens: 400,
  /** Share of the target that the same may take on a tiny window, where the whole summary is tiny, too. */
  smallestSummaryOfTarget: 0.25,
  /** Share of the target that the first ask may take in a summary. */
  firstAskShare: 0.3,
  /** Where a target is put between a high floor and the room above it. */
  floorRoom: 0.25,
  /** Least distance between a raised target and its threshold, as a share of usable. */
  distance: 0.1,
  /** Share of the window: an estimated floor must be above it before it is believed to exceed the window. */
  floorOverWindow: 1.1,
} as const;

interface Limit {
  readonly from: number;
  readonly to: number;
  readonly isInteger?: boolean;
  /** Up to 1 a share, above tokens. */
  readonly isShareOrTokens?: boolean;
}

/** Numbers above 1 up to this are taken for percentages by mistake. */
const PERCENT_LIMIT = 100;

type NumberOption = Exclude<keyof PolicyOptions, 'background'>;

const LIMITS: Record<NumberOption, Limit> = {
  threshold: { from: Number.MIN_VALUE, to: 1e9, isShareOrTokens: true },
  target: { from: Number.MIN_VALUE, to: 1e9, isShareOrTokens: true },
  softThreshold: { from: Number.MIN_VALUE, to: 1e9, isShareOrTokens: true },
  tailTokens: { from: Number.MIN_VALUE, to: 1e9, isShareOrTokens: true },
  reserveTokens: { from: 0, to: 1e9 },
  minGainTokens: { from: 1, to: 1e9 },
  messageLimit: { from: 4, to: 1e6, isInteger: true },
  maxPasses: { from: 1, to: 3, isInteger: true },
  pruneShare: { from: 0, to: 1 },
};

/** Throws UllageError option_invalid naming the option, its value, the limit and the next step. */
export function validatePolicy(policy: PolicyOptions): void {
  if (typeof policy !== 'object' || policy === null)
    throw invalid('policy', policy, { limit: 'an object', next: 'Leave it out for the defaults.' });
  const { background, ...numbers } = policy;
  checkSwitch('background', background);
  for (const [name, value] of Object.entries(numbers)) checkOption(name, value);
  checkOrder(policy, 'target', 'threshold');
  checkOrder(policy, 'target', 'softThreshold');
  const { softThreshold, threshold } = policy;
  if (isSameUnit(softThreshold, threshold) && softThreshold! > threshold!)
    throw invalid('softThreshold', softThreshold, {
      limit: `at most the threshold, ${threshold}`,
      next: 'Lower it, or raise policy.threshold.',
    });
}

const isSameUnit = (a: number | undefined, b: number | undefined): boolean => a !== undefined && b !== undefined && a <= 1 === b <= 1;

function checkOrder(policy: PolicyOptions, low: 'target', high: 'threshold' | 'softThreshold'): void {
  if (!isSameUnit(policy[low], policy[high]) || policy[low]! < policy[high]!) return;
  throw invalid(low, policy[low], { limit: `below policy.${high}, ${policy[high]}`, next: `Lower it, or raise policy.${high}.` });
}

function checkSwitch(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw invalid(name, value, { limit: 'true or false', next: 'Leave it out for false.' });
}

function checkOption(name: string, value: unknown): void {
  const known = [...Object.keys(LIMITS), 'background'].join(', ');
  if (!Object.hasOwn(LIMITS, name)) throw invalid(name, value, { limit: 'left out: there is no such option', next: `Known are ${known}.` });
  if (value === undefined) return;
  const limit = LIMITS[name as NumberOption];
  const { from, to, isInteger = false, isShareOrTokens = false } = limit;
  const isNumber = typeof value === 'number' && value >= from && value <= to && (!isInteger || Number.isInteger(value));
  if (!isNumber) throw invalid(name, value, { limit: describeLimit(limit), next: 'Correct it, or leave it out for the default.' });
  if (isShareOrTokens && value > 1 && value <= PERCENT_LIMIT)
    throw invalid(name, value, {
      limit: `a share up to 1 or more than ${PERCENT_LIMIT} tokens`,
      next: `For ${value} % write ${value / 100}.`,
    });
}

function describeLimit({ from, to, isInteger, isShareOrTokens }: Limit): string {
  if (isShareOrTokens) return `a number above 0: a share up to 1, or tokens up to ${to}`;
  return `${isInteger ? 'a whole number' : 'a number'} from ${from} to ${to}`;
}

function invalid(name: string, value: unknown, { limit, next }: { readonly limit: string; readonly next: string }): UllageError {
  const option = name === 'policy' ? name : `policy.${name}`;
  return new UllageError('option_invalid', `Option ${option} is ${String(value)}; it must be ${limit}. ${next}`, {
    details: { option, value, limit },
  });
}
