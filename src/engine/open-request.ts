// A request as everything that is decided of it sees it: where it stands, what is sent in its place, how large that is.
import { UllageError } from '../core/errors.ts';
import type { Context } from './context.ts';
import type { Intake } from './intake.ts';
import { budgetFor, measureRequest } from './measure.ts';
import type { SessionMemory } from './memory.ts';
import { type RequestShape, type RequestState, readStamps, renderFor, surroundingsOf, viewFor } from './request.ts';
import { type Asked, type Bound, syncRequest } from './sync.ts';

/** Clients put the name of the tool's server before it: `mcp__ullage__ullage_read`, `ullage_ullage_read`. */
function canOpenHandles(toolNames: readonly string[], tool = 'ullage_read'): boolean {
  return toolNames.some((name) => name === tool || name.endsWith(`_${tool}`) || name.endsWith(`.${tool}`));
}

export function shapeOf(context: Context, intake: Intake, model: string | undefined): RequestShape {
  return {
    model: model ?? intake.facts.model ?? 'unknown',
    requestedOutputTokens: intake.facts.maxOutputTokens,
    preamble: intake.preamble,
    canOpenHandles: canOpenHandles(intake.facts.toolNames, context.options.retrievalTool),
    around: surroundingsOf(intake.body),
  };
}

/** Everything a decision needs. Without a store: sizes are estimated, nothing is compacted but what would not fit. */
export async function openRequest(context: Context, memory: SessionMemory, input: Asked): Promise<RequestState> {
  try {
    const bound = await bindRequest(context, memory, input);
    if (bound.fault) noteFault(context, bound.fault, 'Nothing of the request is stored');
    return await stateOf(context, { ...input, bound });
  } catch (error) {
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    noteFault(context, error, 'The request goes out uncompacted');
    return stateOf(context, input);
  }
}

function noteFault(context: Context, { message, code }: UllageError, effect: string): void {
  context.log.write('error', `${effect}: ${message}`, { code });
}

/** A session that was deleted, here or elsewhere, begins anew under its key; one of another API stands beside it. */
async function bindRequest(context: Context, memory: SessionMemory, asked: Asked): Promise<Bound> {
  const bound = await syncKnown(context, memory, asked);
  if (bound) return bound;
  await openNamed(context, memory, besideKey(context, memory.key));
  const beside = await syncRequest(context, memory.sessionId, asked);
  if (!beside) throw new UllageError('internal', `Session ${memory.key} holds conversations of another API.`);
  return beside;
}

/** Of the session that takes the conversations of this API when the one of `key` holds them for another. */
export function besideKey({ codec }: Context, key: string): string {
  return `${key}@${codec.api}`;
}

async function syncKnown(context: Context, memory: SessionMemory, asked: Asked): Promise<Bound | undefined> {
  if (memory.isNew) await openNamed(context, memory, memory.key);
  try {
    return await syncRequest(context, memory.sessionId, asked);
  } catch (error) {
    if (!UllageError.is(error) || error.code !== 'session_not_found') throw error;
    await openNamed(context, memory, memory.key);
    return syncRequest(context, memory.sessionId, asked);
  }
}

async function openNamed(context: Context, memory: SessionMemory, key: string): Promise<void> {
  const { tenant } = context;
  const sessionId = memory.isNew ? memory.sessionId : context.newId();
  const row = await context.store.ensureSession({ tenant, key, sessionId, atMs: context.clock.now() });
  Object.assign(memory, { key, sessionId: row.sessionId, isNew: false });
}

export async function stateOf(context: Context, input: { intake: Intake; shape: RequestShape; bound?: Bound }): Promise<RequestState> {
  const { intake, shape, bound } = input;
  if (bound) await readStamps(context, intake, bound.sessionId);
  const view = bound && (await viewFor(context, bound, intake.chain));
  const rendered = renderFor(context, { intake, view, pins: bound?.located.pins ?? [] });
  const watermark = view ? intake.chain.lastIndexOf(view.watermark.chain) : -1;
  const located = bound?.located;
  const { heads, chain } = intake;
  const measure = measureRequest(context, { shape, heads, chain, rendered, viewId: view?.viewId ?? '', watermark, located });
  const firstAsk = heads.find((head) => head.isGenuineUser);
  const budget = budgetFor(context, { shape, measure, located, firstAskTokens: firstAsk?.tokens ?? 0 });
  return { intake, shape, bound, view, rendered, measure, budget };
}
