// A facts plan for one request, nothing stored: when the request would not fit and no attempt may run or be recorded.
import { EMPTY_GUARD } from '../core/guard/guard.ts';
import { findCandidate } from './candidate.ts';
import type { Context } from './context.ts';
import { standingEntries } from './refused.ts';
import type { RequestState } from './request.ts';
import type { AttemptGoal, AttemptResult, BoundState, Run } from './run.ts';

/** The result has status 'compacted' and a candidate when one helps. */
export async function planForThisRequest(context: Context, state: RequestState, goal: AttemptGoal): Promise<AttemptResult> {
  const attemptId = context.newId();
  const ask = {
    kind: 'overflow',
    unit: goal.unit,
    size: goal.size,
    mark: goal.mark,
    model: state.shape.model,
    gain: 0,
    minGain: 1,
    paths: [],
  } as const;
  const run: Run = {
    context,
    state: withBound(state),
    goal,
    ...standingEntries(context.codec, state),
    ask,
    attemptId,
    fence: 0,
    startedAtMs: context.clock.now(),
    decision: { decision: 'allow', paths: [] },
    failed: [],
  };
  const { candidate, reason, passes } = await findCandidate(run);
  if (!candidate) return { attemptId, status: 'no_op', reason, passes, summary: 'none' };
  return { attemptId, status: 'compacted', passes, candidate, summary: candidate.plan.fold ? 'facts' : 'none' };
}

/** Without a store there is no conversation, and no pins but those of nobody. */
function withBound(state: RequestState): BoundState {
  if (state.bound) return { ...state, bound: state.bound };
  const located = { isBranch: true, guard: EMPTY_GUARD, views: [], anchors: [], pins: [], calibrations: [] };
  const conversation = {
    conversationId: '',
    sessionId: '',
    api: state.intake.body.api,
    guardKey: '',
    origin: 'first' as const,
    tipViewId: '',
    createdAtMs: 0,
  };
  return {
    ...state,
    bound: { sessionId: '', conversation, relation: 'branch', isExtension: false, guard: EMPTY_GUARD, views: [], located },
  };
}
