// Requests that are none of ours: they go out as they came.
import type { Context } from './context.ts';
import { encodeOutput } from './encode.ts';
import type { Intake } from './intake.ts';
import { budgetFor, measureRequest } from './measure.ts';
import type { SessionMemory } from './memory.ts';
import { type PreparedRequest, preparedOf, recordOf } from './prepared.ts';
import type { Tried } from './prepared-id.ts';
import { type RequestShape, type RequestState, renderFor } from './request.ts';

/** Nothing to keep, state that the server holds, or a provider that compacts by itself. */
export function isPassedThrough({ heads, facts }: Intake): boolean {
  return heads.length === 0 || facts.serverState !== undefined || facts.providerCompaction !== undefined;
}

/** The rule by which it is. */
export function passedThroughFor({ facts }: Intake): string {
  return facts.serverState ?? facts.providerCompaction ?? 'no_messages';
}

/** State the server holds, or a provider that compacts by itself: nothing is stored and nothing is touched. */
export function passThrough(
  context: Context,
  memory: SessionMemory,
  input: { intake: Intake; shape: RequestShape; tried?: Tried },
): PreparedRequest {
  const { intake, shape } = input;
  const rendered = renderFor(context, { intake: { ...intake, heads: [], raws: [] }, pins: [] });
  const raw = {
    ...rendered,
    messages: intake.raws.map((text, position) => ({ raw: text, tokens: intake.heads[position]!.tokens, position })),
  };
  const tokens = intake.heads.reduce((sum, head) => sum + head.tokens, 0);
  const { heads, chain } = intake;
  const measure = measureRequest(context, { shape, heads, chain, rendered: { ...raw, tokens }, viewId: '', watermark: -1 });
  const budget = budgetFor(context, { shape, measure, firstAskTokens: 0 });
  const state: RequestState = { intake, shape, rendered: { ...raw, tokens }, measure, budget };
  const output = encodeOutput(context, state);
  const record = recordOf(context, memory, { state, tried: input.tried, isUnbound: true });
  const prepared = preparedOf({ record, intake, output, context: measure.context, budget, leftAlone: passedThroughFor(intake) });
  return { prepared, state, record };
}
