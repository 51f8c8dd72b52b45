// The end of prepare: what was decided is noted, encoded and given an id.
import type { Context } from './context.ts';
import { encodeOutput } from './encode.ts';
import type { Headroom } from './headroom.ts';
import type { SessionMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { noteRequest } from './note-request.ts';
import { modelFacts } from './options.ts';
import { type PreparedRequest, preparedOf, recordOf } from './prepared.ts';
import type { Tried } from './prepared-id.ts';
import type { RequestState } from './request.ts';
import { isCompaction } from './run.ts';

interface Finish {
  readonly state: RequestState;
  readonly headroom?: Headroom;
  readonly startedAtMs: number;
  readonly tried?: Tried;
}

export async function finish(context: Context, memory: SessionMemory, input: Finish): Promise<PreparedRequest> {
  const { state, headroom, startedAtMs } = input;
  const candidate = headroom?.result.candidate;
  const outcome =
    headroom && isCompaction(headroom.goal) ? await noteOutcome(context, memory, { state, ...headroom, startedAtMs }) : undefined;
  const sent: RequestState = candidate
    ? { ...state, rendered: candidate.rendered, view: headroom?.isTransient ? state.view : candidate.view }
    : state;
  const output = encodeOutput(context, sent);
  const isUnbound = !state.bound || state.bound.relation === 'branch' || headroom?.isTransient === true || !output.isRendered;
  const stamp = output.isRendered ? sent.rendered.stamp : '';
  if (state.bound) await noteRequest(context, { state: sent, stamp });
  const after = candidate ? { kind: 'estimated' as const, tokens: candidate.newTokens } : state.measure.context;
  warnOnGuess(context, state.shape.model, memory);
  const record = recordOf(context, memory, { state: sent, tried: input.tried, isUnbound, stamp });
  const leftAlone = state.bound === undefined || state.bound.fault ? 'store_unavailable' : undefined;
  const budget = { ...state.budget, free: state.budget.usable - after.tokens };
  return {
    prepared: preparedOf({ record, intake: state.intake, output, context: after, budget, outcome, leftAlone }),
    state: sent,
    record,
  };
}

function warnOnGuess(context: Context, model: string, memory: SessionMemory): void {
  if (memory.warnedModel === model || !modelFacts(context.options, model).isGuess) return;
  memory.warnedModel = model;
  context.log.write('warn', `The window of model ${model} is not known; 128,000 tokens are assumed. Tell it with the option models.`, {
    model,
  });
}
