// Plans made real and checked: pass after pass until one reaches the goal, the smallest sound one is kept.
import type { OutcomeReason } from '../core/plan/outcome.ts';
import { isProgress } from '../core/plan/outcome-rules.ts';
import type { Plan } from '../core/plan/plan.ts';
import { planCompaction } from '../core/plan/planner.ts';
import { withMediaRefused, withoutMedia, withoutThinking } from './amend.ts';
import { buildView } from './build-view.ts';
import { requestBytes } from './outcome.ts';
import { askHook, cancelledBy, type HookedPlan } from './plan-hook.ts';
import { planInput } from './plan-input.ts';
import { renderFor } from './request.ts';
import { type AttemptGoal, type Candidate, type Pass, type Run, requestTokens } from './run.ts';
import { addedViolation } from './validity.ts';

export interface Found {
  readonly candidate?: Candidate;
  readonly reason: OutcomeReason;
  readonly passes: number;
}

/** The smallest request that can be had; for a provider's refusal only one that moves something. */
export async function findCandidate(run: Run): Promise<Found> {
  const { goal } = run;
  if (goal.amends !== undefined) return findAmendment(run, goal.amends);
  const found = goal.targetBytes === undefined ? await tryPasses(run, NOTHING) : await findFewerBytes(run, goal.targetBytes);
  if (!found.candidate) return found;
  // GUARD C6: fewer messages, but not few enough, would be due again at the next request.
  if (goal.unit === 'messages' && !reachesGoal(goal, found.candidate)) return { reason: 'message_limit_unreachable', passes: found.passes };
  const isTooLittle = goal.kind === 'overflow' && !isWorthSending(run, found.candidate);
  return isTooLittle ? { reason: 'below_min_gain', passes: found.passes } : found;
}

const NOTHING: Found = { reason: 'nothing_to_compact', passes: 0 };

async function findAmendment(run: Run, amends: NonNullable<AttemptGoal['amends']>): Promise<Found> {
  const candidate = amends === 'thinking' ? withoutThinking(run) : withoutMedia(run, amends);
  if (!candidate) return NOTHING;
  return amends === 'thinking' ? soundOr(run, candidate, { ...NOTHING, passes: 1 }) : consider(run, candidate, NOTHING);
}

function soundOr(run: Run, candidate: Candidate, other: Found): Found {
  return isSound(run, candidate) ? { ...other, candidate } : { ...other, reason: 'no_safe_cut' };
}

/** Media of the newest ask go only when nothing else is enough. */
const REACHES = ['results', 'all'] as const;

/** Bytes: media first, then a plan that also folds and shortens texts. */
async function findFewerBytes(run: Run, targetBytes: number): Promise<Found> {
  const saveBytes = requestBytes(run.state) - targetBytes;
  let found = NOTHING;
  for (const reach of REACHES) {
    const media = withoutMedia(run, { saveBytes, reach });
    if (media) found = await consider(run, media, found);
    if (!isReached(run.goal, found)) found = await tryPasses(withMediaRefused(run, { saveBytes, reach }), found);
    if (isReached(run.goal, found) || found.reason === 'cancelled') break;
  }
  return found;
}

async function tryPasses(run: Run, before: Found): Promise<Found> {
  const { goal } = run;
  let found = before;
  for (let pass = goal.firstPass; pass <= goal.lastPass && !isReached(goal, found); pass++) {
    const planned = planCompaction(planFor(run, pass), run.work);
    found = { ...found, passes: found.passes + 1 };
    if (planned.plan) found = await consider(run, planned.plan, found);
    else if (found.passes === 1) found = { ...found, reason: planned.reason };
    if (found.reason === 'cancelled') break;
  }
  return found;
}

/** What was found, with a plan or an amendment beside it. The caller's hook sees it first, and may change or cancel it. */
async function consider(run: Run, made: Plan | Candidate, found: Found): Promise<Found> {
  const cancelled: Found = { reason: 'cancelled', passes: found.passes };
  const hooked = await askHook(run.context, 'plan' in made ? made.plan : made, run.entries);
  if (hooked === 'cancel') return cancelled;
  const candidate = 'plan' in made && !hooked.isChanged ? made : executedPlan(run, hooked);
  if (!candidate) return cancelled;
  const flaw = flawOf(run, candidate, found.candidate);
  return flaw ? { ...found, reason: flaw } : { ...found, candidate };
}

/** undefined when a plan of the caller's cannot be executed. */
function executedPlan(run: Run, { plan, isChanged, isFoldGiven }: HookedPlan): Candidate | undefined {
  try {
    return { ...candidateFor(run, { plan, summary: 'facts' }), isFoldGiven };
  } catch (error) {
    if (!isChanged) throw error;
    cancelledBy(run.context, error);
    return undefined;
  }
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
  const { context, state, goal, entries, refused } = run;
  const pins = state.bound.located.pins;
  const pinIds = pins.map((pin) => pin.pinId);
  const atMs = context.clock.now();
  const { guard } = state.bound;
  const names = { viewId: run.attemptId, base: state.view, follows: guard.view };
  const view = buildView({ codec: context.codec, entries, refused, ...made, ...names, atMs, pinIds });
  const rendered = renderFor(context, { intake: state.intake, view, pins });
  const raws = rendered.messages.map((message) => message.raw);
  const text = context.codec.spliceMessages(state.intake.body, raws);
  const newTokens = Math.ceil(requestTokens(state, goal) - (state.rendered.tokens - rendered.tokens) * goal.factor);
  return { plan: made.plan, view, rendered, newTokens, text };
}

function flawOf(run: Run, candidate: Candidate, best: Candidate | undefined): OutcomeReason | undefined {
  const { state, goal } = run;
  const isSmaller = sizeOf(goal, candidate) < (best ? sizeOf(goal, best) : sizeNow(run));
  const isFewer = goal.unit === 'messages' && candidate.rendered.messages.length < state.rendered.messages.length;
  // A picture that a provider refuses goes also where the words in its place are longer.
  const isRefused = goal.amends !== undefined;
  if (!isSmaller && !isFewer && !isRefused) return 'would_grow';
  return isSound(run, candidate) ? undefined : 'no_safe_cut';
}

const sizeOf = (goal: AttemptGoal, { text, newTokens }: Candidate): number =>
  goal.targetBytes === undefined ? newTokens : Buffer.byteLength(text);

const sizeNow = ({ state, goal }: Run): number => (goal.targetBytes === undefined ? requestTokens(state, goal) : requestBytes(state));

const isReached = (goal: AttemptGoal, { candidate }: Found): boolean => candidate !== undefined && reachesGoal(goal, candidate);

function reachesGoal(goal: AttemptGoal, candidate: Candidate): boolean {
  if (goal.targetBytes !== undefined) return Buffer.byteLength(candidate.text) <= goal.targetBytes;
  if (goal.unit === 'messages') return candidate.rendered.messages.length <= (goal.messageTarget ?? Number.POSITIVE_INFINITY);
  return candidate.newTokens < goal.mark;
}

/** A refused request is sent again only when it moved: by five percent, or to where it fits. */
function isWorthSending(run: Run, candidate: Candidate): boolean {
  const { state, goal } = run;
  if (reachesGoal(goal, candidate)) return true;
  const { usable } = state.budget;
  const isMadeToFit = requestTokens(state, goal) > usable && candidate.newTokens <= usable;
  if (goal.targetBytes === undefined && isMadeToFit) return true;
  const messageCount = 0;
  const old = { tokens: requestTokens(state, goal), bytes: requestBytes(state), messageCount };
  const now = { tokens: candidate.newTokens, bytes: Buffer.byteLength(candidate.text), messageCount };
  return isProgress(old, now, goal.triggerReason);
}

/** What we emit passes the API's rules, or breaks none that the caller's own body did not break. */
export function isSound(run: Run, candidate: Candidate): boolean {
  return addedViolation(run.context, { original: run.state.intake.body.text, rendered: candidate.text }) === undefined;
}
