// Budgets: window → usable → threshold and target, with a floor that no compaction can shrink. 0 < target < threshold ≤ usable, always.
import type { Floor, FloorContributor } from '../plan/outcome.ts';
import { POLICY_DEFAULTS, type PolicyOptions } from './policy.ts';

export { type PolicyOptions, validatePolicy } from './policy.ts';

export interface BudgetFacts {
  /** The model's context length, tokens; at least 1. */
  readonly windowTokens: number;
  readonly requestedOutputTokens?: number;
  readonly modelMaxOutputTokens?: number;
  /** Calibrated, tokens. */
  readonly preambleTokens: number;
  /** Measured tokens that no estimate explains; they count as preamble. */
  readonly unexplainedTokens: number;
  readonly pinTokens: number;
  readonly firstAskTokens: number;
  /** Context size now. */
  readonly contextTokens: number;
  /** The preamble's named parts. */
  readonly contributors: readonly FloorContributor[];
}

/** All budgets of one request, tokens. */
export interface Budget {
  readonly window: number;
  readonly reserve: number;
  readonly usable: number;
  readonly threshold: number;
  readonly target: number;
  /** Context size at which background preparation may begin. */
  readonly soft: number;
  /** What stays verbatim at the end. */
  readonly tail: number;
  readonly minGain: number;
  readonly floor: Floor;
  /** usable − context size; negative when it is over. */
  readonly free: number;
  /** What was set otherwise than asked, and why. */
  readonly adjusted?: Readonly<Record<string, string>>;
  /** Nothing can be bought: the floor leaves no room under a threshold that may not be raised. */
  readonly isFloorAboveTarget: boolean;
  readonly floorExceedsWindow: boolean;
}

/** The most specific window known: told or registered, lowered by what a provider proved. */
export function resolveWindow(known: { readonly told: number; readonly learnt?: number }): number {
  return Math.max(1, Math.floor(Math.min(known.told, known.learnt ?? Number.POSITIVE_INFINITY)));
}

export function deriveBudget(policy: PolicyOptions, facts: BudgetFacts): Budget {
  const adjusted: Record<string, string> = {};
  const window = Math.max(4, Math.floor(facts.windowTokens));
  const reserve = reserveOf(policy, facts, window);
  const usable = window - reserve;
  const marks = marksOf(policy, usable, adjusted);
  const tail = tailOf(policy, usable, marks.target);
  const minGain = Math.round(
    policy.minGainTokens ?? Math.max(POLICY_DEFAULTS.minGainTokens, POLICY_DEFAULTS.minGain * facts.contextTokens),
  );
  const floor = floorOf(facts, { tail, target: marks.target });
  const room = raiseOverFloor({ ...marks, usable, minGain, floor: floor.tokens }, adjusted);
  const limit = facts.unexplainedTokens > 0 ? usable : POLICY_DEFAULTS.floorOverWindow * window;
  return {
    window,
    reserve,
    usable,
    threshold: room.threshold,
    target: room.target,
    soft: Math.max(1, Math.floor(POLICY_DEFAULTS.softOfThreshold * room.threshold)),
    tail,
    minGain,
    floor,
    free: usable - facts.contextTokens,
    ...(Object.keys(adjusted).length > 0 ? { adjusted } : {}),
    isFloorAboveTarget: room.isFloorAboveTarget,
    floorExceedsWindow: floor.tokens - tail > limit,
  };
}

function reserveOf(policy: PolicyOptions, facts: BudgetFacts, window: number): number {
  const asked = policy.reserveTokens ?? facts.requestedOutputTokens ?? facts.modelMaxOutputTokens ?? 0;
  return Math.max(0, Math.min(Math.floor(asked), Math.floor(POLICY_DEFAULTS.reserve * window)));
}

interface Marks {
  readonly threshold: number;
  readonly target: number;
  /** The user gave the threshold in tokens: it is never raised. */
  readonly isThresholdFixed: boolean;
  /** The user gave the target in tokens. */
  readonly isTargetFixed: boolean;
}

function marksOf(policy: PolicyOptions, usable: number, adjusted: Record<string, string>): Marks {
  const asked = policy.threshold ?? POLICY_DEFAULTS.threshold;
  const isThresholdFixed = asked > 1 && asked <= usable;
  if (asked > 1 && !isThresholdFixed)
    adjusted.threshold = `${asked} tokens do not fit ${usable} usable ones; the default share is taken`;
  const share = asked > 1 ? POLICY_DEFAULTS.threshold : asked;
  const threshold = clamp(isThresholdFixed ? asked : share * usable, 2, usable);
  const derived = clamp(POLICY_DEFAULTS.targetOfThreshold * threshold, 1, threshold - 1);
  const wanted = policy.target === undefined ? derived : policy.target > 1 ? policy.target : policy.target * usable;
  const isLegal = wanted < threshold;
  if (!isLegal) adjusted.target = `${Math.floor(wanted)} tokens are not below the threshold of ${threshold}; ${derived} are taken`;
  const target = isLegal ? clamp(wanted, 1, threshold - 1) : derived;
  return { threshold, target, isThresholdFixed, isTargetFixed: isLegal && policy.target !== undefined && policy.target > 1 };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.floor(value)));
}

function tailOf(policy: PolicyOptions, usable: number, target: number): number {
  if (policy.tailTokens !== undefined) return clamp(policy.tailTokens, 1, Math.max(1, target));
  const { tail, tailMinTokens, tailMaxTokens, tailOfTarget } = POLICY_DEFAULTS;
  return clamp(Math.min(Math.max(tail * usable, tailMinTokens), tailMaxTokens, tailOfTarget * target), 1, usable);
}

function floorOf(facts: BudgetFacts, room: { readonly tail: number; readonly target: number }): Floor {
  const firstAsk = Math.min(facts.firstAskTokens, Math.floor(POLICY_DEFAULTS.firstAskShare * room.target));
  // On a tiny window the whole summary is tiny, too.
  const summary = Math.min(POLICY_DEFAULTS.smallestSummaryTokens, Math.floor(room.target / 4)) + firstAsk;
  const named = facts.contributors.reduce((sum, contributor) => sum + contributor.tokens, 0);
  const contributors: readonly FloorContributor[] = [
    ...facts.contributors,
    { name: 'preamble, other', tokens: Math.max(0, facts.preambleTokens - named) },
    { name: 'unexplained', tokens: facts.unexplainedTokens },
    { name: 'pins', tokens: facts.pinTokens },
    { name: 'tail', tokens: room.tail },
    { name: 'smallest summary', tokens: summary },
  ];
  const tokens = Math.round(facts.preambleTokens + facts.unexplainedTokens + facts.pinTokens + room.tail + summary);
  return {
    tokens,
    contributors: contributors
      .filter((contributor) => contributor.tokens > 0)
      .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
  };
}

interface Room extends Marks {
  readonly usable: number;
  readonly minGain: number;
  readonly floor: number;
}

interface Raised {
  readonly threshold: number;
  readonly target: number;
  readonly isFloorAboveTarget: boolean;
}

/** A floor over the target moves derived marks up; marks the user fixed stay, and then nothing is bought. */
function raiseOverFloor(room: Room, adjusted: Record<string, string>): Raised {
  const { threshold, target, floor, usable, minGain } = room;
  const same = { threshold, target, isFloorAboveTarget: false };
  if (floor <= target) return same;
  if (room.isTargetFixed && room.isThresholdFixed) return { ...same, isFloorAboveTarget: true };
  const distance = Math.floor(Math.max(minGain, POLICY_DEFAULTS.distance * (room.isThresholdFixed ? threshold : usable)));
  const ceiling = room.isThresholdFixed ? threshold : usable;
  const raised = Math.floor(floor + POLICY_DEFAULTS.floorRoom * (ceiling - floor));
  const newThreshold = room.isThresholdFixed ? threshold : Math.min(usable, Math.max(threshold, raised + distance));
  if (floor >= newThreshold || newThreshold - raised < Math.min(distance, minGain)) return { ...same, isFloorAboveTarget: true };
  const newTarget = Math.max(1, Math.min(raised, newThreshold - 1));
  adjusted.target = `${target} tokens are under the floor of ${floor}; ${newTarget} are taken`;
  if (newThreshold !== threshold)
    adjusted.threshold = `${threshold} tokens are too near to the floor of ${floor}; ${newThreshold} are taken`;
  return { threshold: newThreshold, target: newTarget, isFloorAboveTarget: false };
}
