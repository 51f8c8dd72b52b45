// An attempt's result → the structured outcome that every path returns, stores and logs.
import { evaluate } from '../core/guard/evaluate.ts';
import type { Decision } from '../core/guard/guard.ts';
import type { CompactionOutcome, OutcomeReason, OutcomeStatus } from '../core/plan/outcome.ts';
import { describeOutcome, isExhausted } from '../core/plan/outcome-rules.ts';
import type { Context } from './context.ts';
import { askOf } from './goals.ts';
import { type RequestState, surroundingsOf } from './request.ts';
import { type AttemptGoal, type AttemptResult, requestTokens } from './run.ts';

export interface OutcomeInput {
  readonly state: RequestState;
  readonly goal: AttemptGoal;
  readonly result: AttemptResult;
  readonly startedAtMs?: number;
  /** The provider itself refused this request, and no further pass is left. */
  readonly isProvenTooLarge?: boolean;
  /** A dry run. */
  readonly isPlanOnly?: boolean;
}

export function outcomeOf(context: Context, input: OutcomeInput): CompactionOutcome {
  const { state, goal, result } = input;
  const { rendered, budget } = state;
  const candidate = result.candidate;
  const now = context.clock.now();
  const oldTokens = requestTokens(state, goal);
  const newTokens = candidate?.newTokens ?? oldTokens;
  const { preambleCount, lostBytes } = outsideOf(state);
  const oldMessageCount = rendered.messages.length + preambleCount;
  const oldBytes = requestBytes(state) + lostBytes;
  const facts = {
    attemptId: result.attemptId,
    sessionId: state.bound?.sessionId ?? '',
    conversationId: state.bound?.conversation.conversationId ?? '',
    atMs: now,
    durationMs: Math.max(0, now - (input.startedAtMs ?? now)),
    passes: result.passes,
    triggerReason: goal.triggerReason,
    status: result.status,
    reason: result.reason,
    changedMessages: candidate ? changedMessages(state, candidate.rendered.messages) : 0,
    oldMessageCount,
    newMessageCount: candidate ? candidate.rendered.messages.length + preambleCount : oldMessageCount,
    oldRequestTokens: oldTokens,
    newRequestTokens: newTokens,
    tokenSavingsPct: oldTokens === 0 ? 0 : Math.round((1 - newTokens / oldTokens) * 1_000) / 10,
    oldBytes,
    newBytes: candidate ? Buffer.byteLength(candidate.text) + lostBytes : oldBytes,
    thresholdTokens: budget.threshold,
    targetTokens: Math.round(goal.targetTokens),
    fitsTarget: newTokens <= goal.targetTokens,
    fitsThreshold: newTokens < budget.threshold,
    fitsWindow: newTokens <= budget.usable,
    stages: (candidate?.plan.stages ?? []).map((stage) => ({
      ...stage,
      oldTokens: Math.round(stage.oldTokens * goal.factor),
      newTokens: Math.round(stage.newTokens * goal.factor),
    })),
    summary: result.summary,
    summarizerUsage: result.summarizerUsage,
    ...failuresOf(result),
    floor: budget.floor,
    guardBefore: result.decision?.decision,
    guardAfter: guardAfter(context, input),
    ...retryOf(result.decision),
    viewId: result.status === 'compacted' && result.guardAfter ? candidate?.view.viewId : undefined,
  };
  const exhausted = isExhausted({
    exceedsWindow: input.isProvenTooLarge === true || !facts.fitsWindow,
    // What the caller forbade would have been possible.
    isPassPossible: result.status === 'compacted' || result.reason === 'cancelled' || result.reason === 'disabled',
    arePassesSpent: input.isProvenTooLarge === true,
    wasDeferred: result.status === 'deferred' || result.status === 'blocked',
  });
  return { ...facts, exhausted, message: describeOutcome({ ...facts, exhausted }, doneWord(input)) };
}

function doneWord({ result, isPlanOnly }: OutcomeInput): string {
  if (isPlanOnly) return 'Planned';
  return result.guardAfter ? 'Compacted' : 'Compacted for this request alone';
}

function changedMessages(state: RequestState, messages: readonly { readonly raw: string; readonly position?: number }[]): number {
  const before = new Map(state.rendered.messages.map((message) => [message.position, message.raw]));
  const unchanged = messages.filter((message) => message.position !== undefined && before.get(message.position) === message.raw).length;
  return state.rendered.messages.length - unchanged;
}

/** A request that is made of stored messages alone lacks what its newest request sent around them. */
function outsideOf({ intake, shape }: RequestState): { readonly preambleCount: number; readonly lostBytes: number } {
  const here = surroundingsOf(intake.body);
  const { messages, bytes } = shape.around ?? here;
  return { preambleCount: messages, lostBytes: bytes - here.bytes };
}

export function requestBytes(state: RequestState): number {
  const messages = state.rendered.messages.reduce((sum, message) => sum + Buffer.byteLength(message.raw), 0);
  const original = state.intake.raws.reduce((sum, raw) => sum + Buffer.byteLength(raw), 0);
  return Buffer.byteLength(state.intake.body.text) - original + messages;
}

function failuresOf({ failed = [] }: AttemptResult): Pick<CompactionOutcome, 'summarizerFailures'> {
  return failed.length === 0 ? {} : { summarizerFailures: failed.map(({ path, reason }) => ({ path, reason })) };
}

function retryOf(decision: Decision | undefined): { readonly retryAtMs?: number; readonly retryTokens?: number } {
  if (decision?.decision === 'blocked') return { retryAtMs: decision.retryAtMs, retryTokens: decision.retryTokens };
  if (decision?.decision === 'deferred') return { retryAtMs: decision.retryAtMs };
  return {};
}

function guardAfter(context: Context, { state, goal, result }: OutcomeInput): Decision['decision'] | undefined {
  if (!result.guardAfter) return result.decision?.decision;
  return evaluate(result.guardAfter, askOf(context, state, { ...goal, kind: 'automatic' }), context.clock.now(), context.guardOptions)
    .decision;
}

/** Results that are known without claiming: a floor, a deferral, nothing to do. */
export function plainResult(context: Context, status: OutcomeStatus, reason: OutcomeReason): AttemptResult {
  return { attemptId: context.newId(), status, reason, passes: 0, summary: 'none' };
}
