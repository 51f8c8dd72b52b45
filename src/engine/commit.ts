// The ends of an attempt: one atomic commit, or a recorded reason why there is none.
import type { Guard, GuardEvent } from '../core/guard/guard.ts';
import { reduceGuard } from '../core/guard/reduce.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { Store } from '../ports/store.ts';
import { applyGuardEvent } from './guard-store.ts';
import { outcomeOf } from './outcome.ts';
import { type AttemptResult, type Candidate, isCompaction, type Run } from './run.ts';

export interface CommitInput {
  readonly candidate: Candidate;
  readonly passes: number;
  /** The path whose summary it is, when a model wrote it. */
  readonly path?: string;
  readonly usage?: unknown;
}

const COMMIT_TRIES = 64;

/** Fold, prunes, guard with its pending verdict and outcome in one transaction, if fence and base view still hold. */
export async function commitAttempt(run: Run, input: CommitInput): Promise<AttemptResult> {
  const { context, state } = run;
  const { conversation, sessionId } = state.bound;
  const key = { tenant: context.tenant, guardKey: conversation.guardKey };
  const event = commitEvent(run, input);
  for (let attempt = 0; attempt < COMMIT_TRIES; attempt++) {
    const guard = await context.store.readGuard(key);
    const reduced = reduceGuard(guard, event, context.clock.now(), context.guardOptions);
    if (reduced.status === 'refused') return endSuperseded(run, input);
    const result = committedResult(run, input, reduced.guard);
    const { goal, startedAtMs } = run;
    const committed = isCompaction(goal) ? outcomeOf(context, { state, goal, result, startedAtMs }) : undefined;
    const isCommitted = await commitOrCool(run, input.path, {
      ...key,
      operationId: `${run.attemptId}:${guard.version}`,
      atMs: context.clock.now(),
      sessionId,
      conversationId: conversation.conversationId,
      expectedVersion: guard.version,
      guard: reduced.guard,
      view: input.candidate.view,
      outcome: committed,
    });
    if (isCommitted) {
      context.views.set(input.candidate.view.viewId, input.candidate.view);
      return { ...result, committed };
    }
  }
  return endSuperseded(run, input);
}

/** A summary that was paid for and cannot be written is not bought anew at every request: its path cools. */
async function commitOrCool(run: Run, path: string | undefined, commit: Parameters<Store['commitCompaction']>[0]): Promise<boolean> {
  try {
    return await run.context.store.commitCompaction(commit);
  } catch (error) {
    if (path !== undefined) run.failed.push({ path, deadlineMs: deadlineIn(run, path), reason: 'store' });
    throw error;
  }
}

/** What the ask allowed a path. */
export function deadlineIn({ ask }: Run, path: string): number {
  return ask.paths.find((asked) => asked.path === path)?.deadlineMs ?? 0;
}

function commitEvent(run: Run, input: CommitInput): GuardEvent {
  const { state, ask, fence, goal } = run;
  const { heads, chain } = state.intake;
  return {
    type: 'commit',
    fence,
    baseView: state.bound.guard.view,
    viewId: run.attemptId,
    ask,
    watermark: input.candidate.view.watermark.chain,
    growthAfter: (watermark) => {
      // One of another chain reads as the first entry of this one.
      const after = heads.slice(Math.max(0, chain.lastIndexOf(watermark)) + 1);
      return goal.unit === 'messages' ? after.length : after.reduce((sum, head) => sum + head.tokens, 0) * goal.factor;
    },
    failed: run.failed,
    modelPath: input.path,
  };
}

function committedResult(run: Run, input: CommitInput, guardAfter: Guard): AttemptResult {
  const { candidate, passes, path, usage } = input;
  const summary = candidate.plan.fold ? (path === undefined ? 'facts' : 'model') : 'none';
  const { attemptId, decision } = run;
  const { failed } = run;
  return { attemptId, decision, status: 'compacted', passes, candidate, summary, summarizerUsage: usage, failed, guardAfter };
}

/** How far an attempt came, and what it has cost: that is told also when nothing came of it. */
type Spent = Pick<CommitInput, 'passes' | 'usage'>;

/** F4: another commit or an undo came first; its view is adopted by rendering again. */
export async function endSuperseded(run: Run, { passes, usage }: Spent): Promise<AttemptResult> {
  const ended = await end(run, { type: 'end-superseded', fence: run.fence });
  const { attemptId, decision } = run;
  return {
    attemptId,
    decision,
    status: 'deferred',
    reason: 'base_changed',
    passes,
    summary: 'none',
    summarizerUsage: usage,
    failed: run.failed,
    guardAfter: ended,
    isSuperseded: true,
  };
}

/** The caller's hook said no: nothing is proven of the conversation, so nothing rests. */
export async function endCancelled(run: Run, passes: number): Promise<AttemptResult> {
  const ended = await end(run, { type: 'end-superseded', fence: run.fence });
  const { attemptId, decision } = run;
  return { attemptId, decision, status: 'no_op', reason: 'cancelled', passes, summary: 'none', guardAfter: ended };
}

/** F2: the engine is being closed; what was asked of a model is charged, and the next attempt begins anew. */
export async function endAborted(run: Run, { passes, usage }: Spent): Promise<AttemptResult> {
  const ended = await end(run, { type: 'end-failed', fence: run.fence, failed: run.failed, isAborted: true });
  const { attemptId, decision } = run;
  const { failed } = run;
  const none = { summary: 'none', summarizerUsage: usage, failed } as const;
  return { attemptId, decision, status: 'failed', reason: 'cancelled', passes, ...none, guardAfter: ended };
}

/** F3: nothing could be gained. */
export async function endNoop(run: Run, reason: OutcomeReason, passes: number): Promise<AttemptResult> {
  const ended = await end(run, { type: 'end-noop', fence: run.fence, ask: run.ask, failed: run.failed });
  const { attemptId, decision } = run;
  return { attemptId, decision, status: 'no_op', reason, passes, summary: 'none', guardAfter: ended };
}

/** F1/F2 after a fault of ours or of the store: recorded if the store can be written, else the lease runs out. */
export async function endAfterFault(run: Run, error: unknown): Promise<void> {
  try {
    await end(run, { type: 'end-failed', fence: run.fence, failed: run.failed, isAborted: false });
  } catch {
    run.context.log.write('error', 'An attempt ended by a fault could not be recorded; its lease will run out.', { error: String(error) });
  }
}

async function end(run: Run, event: GuardEvent): Promise<Guard> {
  return (await applyGuardEvent(run.context, { guardKey: run.state.bound.conversation.guardKey }, event)).guard;
}
