// One compaction attempt: claim the lease → plan → (summary) → commit, or end it with a reason. Every step that decides is stored.
import type { Decision } from '../core/guard/guard.ts';
import { planCompaction } from '../core/plan/planner.ts';
import { LEAST_PROSE_TOKENS, proseTokens } from '../core/plan/prose.ts';
import { candidateFor, findCandidate, isSound, planFor } from './candidate.ts';
import { commitAttempt, deadlineIn, endAborted, endAfterFault, endCancelled, endNoop, endSuperseded } from './commit.ts';
import type { Context } from './context.ts';
import { rangeOf } from './fold-range.ts';
import { askOf } from './goals.ts';
import { applyGuardEvent } from './guard-store.ts';
import { keepLease } from './lease.ts';
import { standingEntries } from './refused.ts';
import { type AttemptGoal, type AttemptResult, type BoundState, type Candidate, isCompaction, type Run } from './run.ts';
import { writeProse } from './summarize.ts';
import { prefixOf } from './summary-prefix.ts';

/** Throws only what the store throws; the lease is then released, or runs out. */
export async function attemptCompaction(context: Context, state: BoundState, goal: AttemptGoal): Promise<AttemptResult> {
  const attemptId = context.newId();
  const startedAtMs = context.clock.now();
  const ask = askOf(context, state, goal);
  const { conversation, guard, sessionId } = state.bound;
  const claim = await applyGuardEvent(
    context,
    { guardKey: conversation.guardKey, known: guard },
    { type: 'claim', ask, attemptId, path: 'none' },
  );
  const decision = claim.decision ?? { decision: 'not_due' };
  const isMoved = claim.guard.view !== guard.view;
  if (claim.status === 'refused') return { ...refusedResult(attemptId, decision), ...(isMoved ? { isSuperseded: true } : {}) };
  const standing = standingEntries(context.codec, state);
  const run: Run = { context, state, goal, ...standing, ask, attemptId, fence: claim.guard.fence, startedAtMs, decision, failed: [] };
  if (isMoved) return endSuperseded(run, { passes: 0 });
  const { conversationId } = conversation;
  const oldRequestTokens = state.measure.context.tokens;
  if (isCompaction(goal))
    context.emitter.emit('compaction-started', {
      attemptId,
      sessionId,
      conversationId,
      triggerReason: goal.triggerReason,
      oldRequestTokens,
    });
  try {
    return await runAttempt(run);
  } catch (error) {
    await endAfterFault(run, error);
    throw error;
  }
}

function refusedResult(attemptId: string, decision: Decision): AttemptResult {
  const base = { attemptId, decision, passes: 0, summary: 'none' as const };
  if (decision.decision === 'blocked') return { ...base, status: 'blocked', reason: decision.reason };
  if (decision.decision === 'deferred') return { ...base, status: 'deferred', reason: decision.reason };
  return { ...base, status: 'no_op', reason: 'nothing_to_compact' };
}

async function runAttempt(run: Run): Promise<AttemptResult> {
  const found = await findCandidate(run);
  if (!found.candidate) return found.reason === 'cancelled' ? endCancelled(run, found.passes) : endNoop(run, found.reason, found.passes);
  const { rendered, measure, budget } = run.state;
  // By our own estimate: what a provider proved scales everything up, and would buy a summary for a handful of new words.
  const gain = (rendered.tokens - found.candidate.rendered.tokens) * measure.factor;
  if (run.goal.unit === 'tokens' && gain < budget.minGain) return commitAttempt(run, { candidate: found.candidate, passes: found.passes });
  const written = await addProse(run, found.candidate);
  const made = { ...written, passes: found.passes };
  if (written.isLeaseLost) return endSuperseded(run, made);
  if (written.isClosing) return endAborted(run, made);
  return commitAttempt(run, made);
}

interface Written {
  readonly candidate: Candidate;
  readonly path?: string;
  readonly usage?: unknown;
  readonly isLeaseLost?: boolean;
  /** The engine is being closed: nobody commits any more. */
  readonly isClosing?: boolean;
}

/** Asks the allowed summarizers for prose; without one, or when all fail, the facts stay. */
async function addProse(run: Run, facts: Candidate): Promise<Written> {
  const { context, state, goal, decision, fence, failed } = run;
  const fold = facts.plan.fold;
  const paths = 'paths' in decision ? decision.paths : [];
  const hasRoom = fold !== undefined && proseTokens(fold.budgetTokens) >= LEAST_PROSE_TOKENS;
  if (!hasRoom || facts.isFoldGiven || paths.length === 0) return { candidate: facts };
  const guardKey = state.bound.conversation.guardKey;
  const range = rangeOf(run, fold);
  const lease = keepLease(context, { guardKey, fence });
  try {
    const { prose, path, usage, end } = await writeProse(context, {
      kind: goal.kind,
      paths,
      failed,
      range,
      prefixFor: (summarizer) => prefixOf(run, { fold, maxOutputTokens: range.maxOutputTokens }, summarizer),
      enterPath: async (entered) =>
        (await applyGuardEvent(context, { guardKey }, { type: 'path', fence, path: entered })).status === 'accepted',
      signal: goal.kind === 'background' ? AbortSignal.any([lease.signal, context.background.closing]) : lease.signal,
      isLeaseLost: lease.isLost,
    });
    if (end === 'lease-lost') return { candidate: facts, usage, isLeaseLost: true };
    if (end === 'aborted' && !lease.signal.aborted) return { candidate: facts, usage, isClosing: true };
    const candidate = prose === undefined ? undefined : withProse(run, facts, prose);
    if (candidate) return { candidate, path, usage };
    if (path !== undefined) failed.push({ path, deadlineMs: deadlineIn(run, path), reason: 'unusable' });
    return { candidate: facts, usage };
  } finally {
    lease.release();
  }
}

/** The same plan with the model's text beside the facts; undefined when that does not fit or is not sound. */
function withProse(run: Run, facts: Candidate, prose: string): Candidate | undefined {
  const { plan } = facts;
  const fold = planCompaction({ ...planFor(run, plan.pass), prose }, run.work).plan?.fold;
  if (fold?.hasProse !== true || fold.to !== plan.fold?.to) return undefined;
  const stages = plan.stages.map((stage) => (stage.kind === 'fold' ? { ...stage, newTokens: fold.tokens } : stage));
  const candidate = candidateFor(run, { plan: { ...plan, fold, stages }, summary: 'model' });
  const isFitting = candidate.newTokens <= Math.max(facts.newTokens, run.goal.targetTokens) * 1.05;
  return isFitting && isSound(run, candidate) ? candidate : undefined;
}
