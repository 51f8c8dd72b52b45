// What is due for a request: which attempt, at which mark, to which target. Pure.
import type { Ask } from '../core/guard/guard.ts';
import type { OutcomeReason, TriggerReason } from '../core/plan/outcome.ts';
import { type Context, pathOf } from './context.ts';
import { pathDeadlineMs } from './deadline.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, Pass } from './run.ts';

/** Message hygiene aims at three quarters of the limit (GUARD C6). */
const MESSAGE_TARGET_SHARE = 0.75;

/** Share of the room above the floor that a recovery leaves filled (ENGINE §2, the rule for a high floor). */
const OVERFLOW_ROOM_SHARE = 0.25;

const DEFAULT_MAX_PASSES = 3;

export function lastPass(context: Context): Pass {
  return Math.min(3, Math.max(1, context.options.policy?.maxPasses ?? DEFAULT_MAX_PASSES)) as Pass;
}

/** A goal in tokens at the derived target. */
export function tokenGoal(context: Context, state: RequestState, triggerReason: TriggerReason): AttemptGoal {
  return {
    kind: 'automatic',
    unit: 'tokens',
    triggerReason,
    mark: state.budget.threshold,
    size: state.measure.context.tokens,
    targetTokens: state.budget.target,
    factor: state.measure.factor,
    firstPass: 1,
    lastPass: lastPass(context),
  };
}

/** What is prepared ahead of the threshold, while nobody waits; undefined below the soft mark. */
export function backgroundGoal(context: Context, state: RequestState): AttemptGoal | undefined {
  const { budget, measure } = state;
  if (measure.context.tokens < budget.soft || floorReason(state)) return undefined;
  return { ...tokenGoal(context, state, 'background'), kind: 'background', mark: budget.soft };
}

/** The automatic attempt that is due, if any: tokens first, messages at the next request. */
export function dueGoal(context: Context, state: RequestState): AttemptGoal | undefined {
  const { budget, measure } = state;
  if (measure.context.tokens >= budget.threshold) return tokenGoal(context, state, dueReason(state));
  const limit = context.options.policy?.messageLimit;
  const messages = state.rendered.messages.length + state.intake.body.preambleCount;
  if (limit === undefined || messages <= limit) return undefined;
  return {
    ...tokenGoal(context, state, 'message_hygiene'),
    unit: 'messages',
    mark: limit,
    size: messages,
    messageTarget: Math.max(1, Math.floor(limit * MESSAGE_TARGET_SHARE) - state.intake.body.preambleCount),
  };
}

function dueReason(state: RequestState): TriggerReason {
  const before = state.bound?.conversation.lastModel;
  return before !== undefined && before !== state.shape.model ? 'model_switch' : 'token_threshold';
}

/** The same for a request that cannot be sent as it is: never blocked, and never aimed below what the floor allows. */
export function overflowGoal(state: RequestState, goal: AttemptGoal): AttemptGoal {
  const { budget } = state;
  const reachable = budget.floor.tokens + OVERFLOW_ROOM_SHARE * Math.max(0, budget.usable - budget.floor.tokens);
  const isTargetReachable = budget.floor.tokens <= goal.targetTokens;
  const targetTokens = isTargetReachable ? goal.targetTokens : Math.floor(reachable);
  return {
    ...goal,
    kind: 'overflow',
    unit: 'tokens',
    size: state.measure.context.tokens,
    mark: budget.threshold,
    targetTokens,
  };
}

/**
 * What a person who names no size expects: `wanted`, unless that lies under what cannot be compacted. The tail is cut for a small
 * conversation, so it counts for no more than a quarter of what can be.
 */
export function manualTarget(state: RequestState, wanted: number): number {
  const { budget, measure } = state;
  const size = measure.context.tokens;
  const fixed = budget.floor.tokens - budget.tail;
  const floor = fixed + Math.min(budget.tail, OVERFLOW_ROOM_SHARE * Math.max(0, size - fixed));
  return floor <= wanted ? wanted : Math.ceil(floor + OVERFLOW_ROOM_SHARE * Math.max(0, size - floor));
}

/** Why an attempt cannot buy anything, known by arithmetic alone. */
export function floorReason(state: RequestState): OutcomeReason | undefined {
  if (state.budget.floorExceedsWindow) return 'floor_exceeds_window';
  if (state.budget.isFloorAboveTarget) return 'floor_above_target';
  return undefined;
}

export function isOverWindow(state: RequestState): boolean {
  return state.measure.context.tokens > state.budget.window;
}

/** The question to the guard for a goal. */
export function askOf(context: Context, state: RequestState, goal: AttemptGoal): Ask {
  const isTokens = goal.unit === 'tokens';
  // What a provider proved of a size says nothing of what can be gained.
  const size = goal.kind === 'overflow' ? state.measure.context.tokens : goal.size;
  return {
    kind: goal.kind,
    unit: goal.unit,
    size: goal.size,
    mark: goal.mark,
    model: state.shape.model,
    gain: isTokens ? Math.max(0, size - state.budget.floor.tokens) : goal.size,
    minGain: isTokens ? state.budget.minGain : 1,
    paths: goal.isFactsOnly ? [] : pathsFor(context, goal),
  };
}

/** Summarizers that may be asked, in order, by their names. */
function pathsFor(context: Context, { kind }: AttemptGoal): Ask['paths'] {
  return context.summarizers.flatMap((summarizer, index) => {
    const { hasCaller } = summarizer;
    const isAtHand = hasCaller === undefined || (kind !== 'background' && hasCaller());
    return isAtHand ? [{ path: pathOf(summarizer, index), deadlineMs: pathDeadlineMs(context, kind, index) }] : [];
  });
}
