// What the planner is given: calibrated goals turned into uncalibrated estimates.
import type { PlanInput } from '../core/plan/plan.ts';
import type { Entry } from '../core/transcript/entry.ts';
import type { RequestState } from './request.ts';
import { type AttemptGoal, type Pass, requestTokens } from './run.ts';

export const DEFAULT_PRUNE_SHARE = 0.6;

export interface PlanRequest {
  readonly goal: AttemptGoal;
  readonly entries: readonly Entry[];
  readonly pass: Pass;
  readonly pruneShare?: number;
}

export function planInput(state: RequestState, request: PlanRequest): PlanInput {
  const { goal, entries, pass } = request;
  const { budget, shape, rendered } = state;
  const toSave = (requestTokens(state, goal) - goal.targetTokens) / goal.factor;
  const toEstimate = (tokens: number) => Math.floor(tokens / goal.factor);
  const fold = state.view?.body.fold;
  return {
    entries,
    currentTokens: rendered.tokens,
    budgetTokens: Math.max(0, Math.floor(rendered.tokens - toSave)),
    tailTokens: toEstimate(budget.tail),
    minGainTokens: goal.kind === 'automatic' || goal.kind === 'background' ? toEstimate(budget.minGain) : 1,
    pins: state.bound?.located.pins.map((pin) => ({ id: pin.pinId, text: pin.text })) ?? [],
    pass,
    canOpenHandles: shape.canOpenHandles,
    pruneShare: request.pruneShare ?? DEFAULT_PRUNE_SHARE,
    messageTarget: goal.messageTarget,
    refusedFolds: state.bound?.views.flatMap((view) => (view.refusedFold === undefined ? [] : [view.refusedFold])) ?? [],
    focus: goal.focus,
    previousFold: fold && { to: fold.to, summaryText: fold.text },
  };
}
