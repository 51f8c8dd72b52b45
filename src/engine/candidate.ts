// Plans made real and checked: pass after pass until one reaches the goal, the smallest sound one is kept.
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { Plan } from '../core/plan/plan.ts';
import { planCompaction } from '../core/plan/planner.ts';
import { buildView } from './build-view.ts';
import { planInput } from './plan-input.ts';
import { renderFor } from './request.ts';
import { type AttemptGoal, type Candidate, type Pass, type Run, requestTokens } from './run.ts';
import { addedViolation } from './validity.ts';

export interface Found {
  readonly candidate?: Candidate;
  readonly reason: OutcomeReason;
  readonly passes: number;
}

export async function findCandidate(run: Run): Promise<Found> {
  const { goal, context } = run;
  let best: Candidate | undefined;
  let reason: OutcomeReason = 'nothing_to_compact';
  let passes = 0;
  for (let pass = goal.firstPass; pass <= goal.lastPass; pass++) {
    const planned = planCompaction(planFor(run, pass));
    passes++;
    if (!planned.plan) {
      reason = passes === 1 ? planned.reason : reason;
      continue;
    }
    const plan = await (context.options.beforeCompact?.(planned.plan) ?? planned.plan);
    if (plan === 'cancel') return { reason: 'cancelled', passes };
    const candidate = candidateFor(run, { plan, summary: 'facts' });
    const flaw = flawOf(run, candidate, best);
    if (flaw) reason = flaw;
    else best = candidate;
    if (best && reachesGoal(goal, best)) break;
  }
  return { candidate: best, reason, passes };
}

export function planFor(run: Run, pass: number) {
  return planInput(run.state, {
    goal: run.goal,
    entries: run.entries,
    pass: pass as Pass,
    pruneShare: run.context.options.policy?.pruneShare,
  });
}

export function candidateFor(run: Run, made: { readonly plan: Plan; readonly summary: 'model' | 'facts' }): Candidate {
  const { context, state, goal, entries } = run;
  const pins = state.bound.located.pins;
  const pinIds = pins.map((pin) => pin.pinId);
  const atMs = context.clock.now();
  const view = buildView({ codec: context.codec, entries, ...made, base: state.view, viewId: run.attemptId, atMs, pinIds });
  const rendered = renderFor(context, { intake: state.intake, view, pins });
  const raws = rendered.messages.map((message) => message.raw);
  const text = context.codec.spliceMessages(state.intake.body, raws);
  const newTokens = Math.ceil(requestTokens(state, goal) - (state.rendered.tokens - rendered.tokens) * goal.factor);
  return { plan: made.plan, view, rendered, newTokens, text };
}

function flawOf(run: Run, candidate: Candidate, best: Candidate | undefined): OutcomeReason | undefined {
  const { state, goal } = run;
  const isSmaller = candidate.newTokens < (best?.newTokens ?? requestTokens(state, goal));
  const isFewer = goal.unit === 'messages' && candidate.rendered.messages.length < state.rendered.messages.length;
  if (!isSmaller && !isFewer) return 'would_grow';
  return isSound(run, candidate) ? undefined : 'no_safe_cut';
}

function reachesGoal(goal: AttemptGoal, candidate: Candidate): boolean {
  if (goal.targetBytes !== undefined) return Buffer.byteLength(candidate.text) <= goal.targetBytes;
  if (goal.unit === 'messages') return candidate.rendered.messages.length <= (goal.messageTarget ?? Number.POSITIVE_INFINITY);
  return candidate.newTokens < goal.mark;
}

/** What we emit passes the API's rules, or breaks none that the caller's own body did not break. */
export function isSound(run: Run, candidate: Candidate): boolean {
  return addedViolation(run.context, { original: run.state.intake.body.text, rendered: candidate.text }) === undefined;
}
