// What the planner is given: calibrated goals turned into uncalibrated estimates.
import type { PlanInput, PlanPin } from '../core/plan/plan.ts';
import { isFramedSummary } from '../core/summary/frame.ts';
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
  const { goal, pass } = request;
  const { budget, shape, rendered } = state;
  const pins = state.bound?.located.pins.map((pin) => ({ id: pin.pinId, text: pin.text })) ?? [];
  const toSave = (requestTokens(state, goal) - goal.targetTokens) / goal.factor;
  const toEstimate = (tokens: number) => Math.floor(tokens / goal.factor);
  const fold = state.view?.body.fold;
  return {
    entries: withoutSaidPins(request.entries, pins),
    currentTokens: rendered.tokens,
    budgetTokens: Math.max(0, Math.floor(rendered.tokens - toSave)),
    tailTokens: toEstimate(budget.tail),
    minGainTokens: goal.kind === 'automatic' || goal.kind === 'background' ? toEstimate(budget.minGain) : 1,
    pins,
    pass,
    canOpenHandles: shape.canOpenHandles,
    pruneShare: request.pruneShare ?? DEFAULT_PRUNE_SHARE,
    messageTarget: goal.messageTarget,
    refusedFolds: state.bound?.views.flatMap((view) => (view.refusedFold === undefined ? [] : [view.refusedFold])) ?? [],
    focus: goal.focus,
    previousFold: fold && { to: fold.to, summaryText: fold.text },
  };
}

/** A continuation begins with a summary that holds its pins; a summary of it says them by itself, once. */
function withoutSaidPins(entries: readonly Entry[], pins: readonly PlanPin[]): readonly Entry[] {
  const [first] = entries;
  if (pins.length === 0 || first === undefined) return entries;
  const { message } = first;
  const parts = message.parts.map((part) =>
    part.kind === 'text' && isFramedSummary(part.text) ? { ...part, text: less(part.text, pins) } : part,
  );
  const isSame = parts.every((part, index) => part === message.parts[index]);
  return isSame ? entries : [{ ...first, message: { ...message, parts } }, ...entries.slice(1)];
}

function less(text: string, pins: readonly PlanPin[]): string {
  return pins.reduce((rest, pin) => rest.replaceAll(pin.text, ''), text);
}
