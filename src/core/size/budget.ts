// Budgets: window → usable → threshold and target, with a floor that no compaction can shrink. 0 < target < threshold ≤ usable, always.
import type { Floor } from '../plan/outcome.ts';
import { deriveFloor, type FloorFacts } from './floor.ts';
import { POLICY_DEFAULTS, type PolicyOptions } from './policy.ts';
import { checkWindow } from './window.ts';

export { type PolicyOptions, validatePolicy } from './policy.ts';
export { GUESSED_WINDOW_TOKENS, isWindowGuessed, resolveWindow } from './window.ts';

export interface BudgetFacts extends FloorFacts {
  /** The model's context length, tokens. */
  readonly windowTokens: number;
  /** Nobody told or proved the window. */
  readonly isWindowGuess?: boolean;
  /** Largest input where the provider limits it below the window, tokens. */
  readonly maxInputTokens?: number;
  readonly requestedOutputTokens?: number;
  readonly modelMaxOutputTokens?: number;
  /** Context size now, tokens. */
  readonly contextTokens: number;
}

/** All budgets of one request, tokens. */
export interface Budget {
  readonly window: number;
  /** Kept free for the answer. */
  readonly reserve: number;
  /** What a request may take: window − reserve, or the provider's input limit. */
  readonly usable: number;
  /** Context size at which compaction is due. */
  readonly threshold: number;
  /** Context size a compaction aims for. */
  readonly target: number;
  /** Context size at which a host may begin to prepare ahead; nothing here does. */
  readonly soft: number;
  /** What stays verbatim at the end. */
  readonly tail: number;
  /** Smallest saving worth an automatic attempt. */
  readonly minGain: number;
  /** What no compaction can shrink. */
  readonly floor: Floor;
  /** usable − context size; negative when it is over. */
  readonly free: number;
  /** What was set otherwise than asked (by option), and why. */
  readonly adjusted?: Readonly<Record<string, string>>;
  /** The user gave the threshold in tokens, and it fits: nothing raises it. */
  readonly isThresholdFixed: boolean;
  /** Nothing can be bought: the floor leaves no room under the threshold. */
  readonly isFloorAboveTarget: boolean;
  /** Not even a compaction to the floor would fit. */
  readonly floorExceedsWindow: boolean;
  /** Sentences for people: a guessed window, a threshold that does not fit, a floor in the way. */
  readonly warnings: readonly string[];
}

/** Pure; equal input gives equal budgets. Throws UllageError option_invalid for a window that is no positive number. */
export function deriveBudget(policy: PolicyOptions, facts: BudgetFacts): Budget {
  checkWindow(facts.windowTokens);
  const adjusted: Record<string, string> = {};
  const window = Math.floor(facts.windowTokens);
  const reserve = reserveOf(policy, facts, { window, adjusted });
  const usable = usableOf(facts, window - reserve);
  const marks = marksOf(policy, usable, adjusted);
  const tail = tailOf(policy, { usable, target: marks.target, adjusted });
  const minGain = minGainOf(policy, facts.contextTokens);
  const floor = deriveFloor(facts, { tail, target: marks.target });
  const { threshold, target, isFloorAboveTarget } = raiseOverFloor({ ...marks, usable, minGain, floor: floor.tokens }, adjusted);
  const partial = {
    window,
    reserve,
    usable,
    threshold,
    target,
    soft: softOf(policy, { usable, threshold, target }),
    tail,
    // A threshold near its target is the user's wish: what lies between them is then worth an attempt.
    minGain: Math.max(1, Math.min(minGain, threshold - target)),
    floor,
    free: usable - facts.contextTokens,
    isThresholdFixed: marks.isThresholdFixed,
    isFloorAboveTarget,
    floorExceedsWindow: exceedsWindow(facts, { floor: floor.tokens, tail, usable, window }),
    ...(Object.keys(adjusted).length > 0 ? { adjusted } : {}),
  };
  return { ...partial, warnings: warningsOf(partial, facts) };
}

interface Room {
  readonly usable: number;
  readonly threshold: number;
  readonly target: number;
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.floor(value)));

/** A number up to 1 is a share of usable. */
const tokensOf = (value: number, usable: number): number => Math.floor(value <= 1 ? value * usable : value);

function reserveOf(
  policy: PolicyOptions,
  facts: BudgetFacts,
  { window, adjusted }: { readonly window: number; readonly adjusted: Record<string, string> },
): number {
  const most = Math.floor(POLICY_DEFAULTS.reserve * window);
  if (policy.reserveTokens !== undefined && policy.reserveTokens > most)
    adjusted.reserveTokens = `${policy.reserveTokens} tokens are more than a fifth of the window; ${most} are kept free`;
  return clamp(policy.reserveTokens ?? facts.requestedOutputTokens ?? facts.modelMaxOutputTokens ?? 0, 0, most);
}

/** Never so little that no target below a threshold is left, whatever limit a catalogue holds. */
function usableOf({ maxInputTokens }: BudgetFacts, free: number): number {
  return maxInputTokens !== undefined && maxInputTokens >= 2 ? Math.min(free, Math.floor(maxInputTokens)) : free;
}

interface Marks {
  readonly threshold: number;
  readonly target: number;
  readonly isThresholdFixed: boolean;
  /** The user gave the target in tokens, and it fits. */
  readonly isTargetFixed: boolean;
}

function marksOf(policy: PolicyOptions, usable: number, adjusted: Record<string, string>): Marks {
  const asked = policy.threshold ?? POLICY_DEFAULTS.threshold;
  const isThresholdFixed = asked > 1 && asked <= usable;
  const share = asked > 1 ? POLICY_DEFAULTS.threshold : asked;
  const threshold = clamp(isThresholdFixed ? asked : share * usable, 2, usable);
  if (asked > 1 && !isThresholdFixed) adjusted.threshold = `${asked} tokens do not fit the ${usable} usable ones; ${threshold} are taken`;
  const derived = clamp(POLICY_DEFAULTS.targetOfThreshold * threshold, 1, threshold - 1);
  if (policy.target === undefined) return { threshold, target: derived, isThresholdFixed, isTargetFixed: false };
  const wanted = Math.max(1, tokensOf(policy.target, usable));
  if (wanted < threshold) return { threshold, target: wanted, isThresholdFixed, isTargetFixed: policy.target > 1 };
  adjusted.target = `${wanted} tokens are not below the threshold of ${threshold}; ${derived} are taken`;
  return { threshold, target: derived, isThresholdFixed, isTargetFixed: false };
}

function tailOf(
  policy: PolicyOptions,
  { usable, target, adjusted }: { readonly usable: number; readonly target: number; readonly adjusted: Record<string, string> },
): number {
  const { tailMaxTokens, tailOfTarget } = POLICY_DEFAULTS;
  if (policy.tailTokens === undefined) return clamp(Math.min(tailMaxTokens, tailOfTarget * target), 1, usable);
  const wanted = Math.max(1, tokensOf(policy.tailTokens, usable));
  if (wanted > target) adjusted.tailTokens = `${wanted} tokens are more than the target of ${target}; ${target} are taken`;
  return Math.min(wanted, target);
}

function minGainOf(policy: PolicyOptions, contextTokens: number): number {
  return Math.floor(policy.minGainTokens ?? Math.max(POLICY_DEFAULTS.minGainTokens, POLICY_DEFAULTS.minGain * contextTokens));
}

function softOf(policy: PolicyOptions, { usable, threshold, target }: Room): number {
  const wanted = policy.softThreshold === undefined ? POLICY_DEFAULTS.softOfThreshold * threshold : tokensOf(policy.softThreshold, usable);
  return clamp(wanted, Math.min(target + 1, threshold), threshold);
}

interface FloorRoom extends Marks {
  readonly usable: number;
  readonly minGain: number;
  readonly floor: number;
}

interface Raised {
  readonly threshold: number;
  readonly target: number;
  readonly isFloorAboveTarget: boolean;
}

/** A floor over the target moves derived marks up; marks the user gave in tokens stay, and when both stay nothing is bought. */
function raiseOverFloor(room: FloorRoom, adjusted: Record<string, string>): Raised {
  const { threshold, target, floor, usable, minGain } = room;
  const same = { threshold, target, isFloorAboveTarget: false };
  if (floor <= target) return same;
  if (room.isTargetFixed && room.isThresholdFixed) return { ...same, isFloorAboveTarget: true };
  const ceiling = room.isThresholdFixed ? threshold : usable;
  const distance = Math.floor(Math.max(minGain, POLICY_DEFAULTS.distance * ceiling));
  const raised = Math.floor(floor + POLICY_DEFAULTS.floorRoom * (ceiling - floor));
  const newThreshold = room.isThresholdFixed ? threshold : Math.min(usable, Math.max(threshold, raised + distance));
  if (floor >= newThreshold || newThreshold - raised < Math.min(distance, minGain)) return { ...same, isFloorAboveTarget: true };
  const newTarget = clamp(raised, 1, newThreshold - 1);
  adjusted.target = `${target} tokens are under the floor of ${floor}; ${newTarget} are taken`;
  if (newThreshold !== threshold)
    adjusted.threshold = `${threshold} tokens are too near to the floor of ${floor}; ${newThreshold} are taken`;
  return { threshold: newThreshold, target: newTarget, isFloorAboveTarget: false };
}

/** The tail is left out: a third pass squeezes it. What only estimates say must be well over the window to be believed. */
function exceedsWindow(
  facts: BudgetFacts,
  { floor, tail, usable, window }: { readonly floor: number; readonly tail: number; readonly usable: number; readonly window: number },
): boolean {
  return floor - tail > (facts.unexplainedTokens > 0 ? usable : POLICY_DEFAULTS.floorOverWindow * window);
}

function warningsOf(budget: Omit<Budget, 'warnings'>, facts: BudgetFacts): readonly string[] {
  const { floor, target, window, usable } = budget;
  const largest = floor.contributors.slice(0, 3).map(({ name, tokens }) => `${name} ${Math.ceil(tokens)}`);
  const made = `largest: ${largest.join(', ')}`;
  return [
    ...(facts.isWindowGuess ? [`The window of this model is not known; ${window} tokens are assumed. Say it in the option models.`] : []),
    ...(budget.adjusted?.threshold ? [`threshold: ${budget.adjusted.threshold}.`] : []),
    ...(budget.floorExceedsWindow
      ? [`What cannot be compacted, ${floor.tokens} tokens, does not fit the ${usable} usable ones; ${made}.`]
      : []),
    ...(budget.isFloorAboveTarget && !budget.floorExceedsWindow
      ? [`What cannot be compacted, ${floor.tokens} tokens, leaves no room under the threshold for the target of ${target}; ${made}.`]
      : []),
  ];
}
