// A request as it would be sent, for whoever only wants to look at it: read through the committed view, stored nowhere, never compacted.
import { UllageError } from '../core/errors.ts';
import type { ContextSize } from '../core/size/size.ts';
import type { Located } from '../ports/store.ts';
import type { Context } from './context.ts';
import { encodeOutput } from './encode.ts';
import { type BodyInput, type Head, type Intake, takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { besideKey, shapeOf, stateOf } from './open-request.ts';
import { isPassedThrough, passedThroughFor, passThrough } from './pass-through.ts';
import { type RequestShape, type RequestState, readStamps } from './request.ts';
import { type Bound, isForeign } from './sync.ts';

/** What `Session.render` gives. */
export interface RenderedRequest {
  /** JSON text. Byte-identical outside what the committed view changes. */
  readonly text: string;
  readonly context: ContextSize;
  /** See `Prepared.leftAlone`. */
  readonly leftAlone?: string;
}

/** Throws transcript_invalid; a store that is down gives the body as it is. */
export async function renderOnly(context: Context, memory: SessionMemory, body: BodyInput): Promise<RenderedRequest> {
  // A copy: the next request of the conversation still finds what the last one left.
  const intake = takeIn(context, body, { ...memory.last });
  const shape = shapeOf(context, intake, undefined);
  if (isPassedThrough(intake)) {
    const { prepared } = passThrough(context, memory, { intake, shape });
    return { text: prepared.text, context: prepared.context, leftAlone: passedThroughFor(intake) };
  }
  const { state, leftAlone } = await readState(context, memory, { intake, shape });
  return { text: encodeOutput(context, state).text, context: state.measure.context, ...(leftAlone && { leftAlone }) };
}

interface Request {
  readonly intake: Intake;
  readonly shape: RequestShape;
}

async function readState(
  context: Context,
  memory: SessionMemory,
  request: Request,
): Promise<{ readonly state: RequestState; readonly leftAlone?: string }> {
  try {
    return { state: await boundState(context, memory, request) };
  } catch (error) {
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    return { state: await stateOf(context, request), leftAlone: 'store_unavailable' };
  }
}

async function boundState(context: Context, memory: SessionMemory, { intake, shape }: Request): Promise<RequestState> {
  const { sessionId, located } = await standing(context, memory, intake);
  const { conversation, deepest } = located ?? {};
  if (!located || !conversation || deepest === undefined) return stateOf(context, { intake, shape });
  const heads = await stampedHeads(context, { intake, sessionId, deepest, located });
  const { guard, views } = located;
  const bound: Bound = { sessionId, conversation, relation: 'branch', isExtension: false, guard, views, located };
  return stateOf(context, { intake: { ...intake, heads }, shape, bound });
}

interface Standing {
  readonly sessionId: string;
  readonly located?: Located;
}

/** Where the request would stand: in its session, or in the one beside it when that holds the conversation for another API. */
async function standing(context: Context, { sessionId, key }: SessionMemory, intake: Intake): Promise<Standing> {
  const located = await locate(context, sessionId, intake);
  if (!located || !isForeign(context, located)) return { sessionId, located };
  const row = await context.store.findSession({ tenant: context.tenant, key: besideKey(context, key) });
  const beside = row && (await locate(context, row.sessionId, intake));
  if (!row || !beside || isForeign(context, beside)) return { sessionId };
  return { sessionId: row.sessionId, located: beside };
}

/** undefined for a session that was deleted. */
async function locate(context: Context, sessionId: string, { chain }: Intake): Promise<Located | undefined> {
  try {
    return await context.store.locate({ tenant: context.tenant, sessionId, chain });
  } catch (error) {
    if (UllageError.is(error) && error.code === 'session_not_found') return undefined;
    throw error;
  }
}

interface Stamping {
  readonly intake: Intake;
  readonly sessionId: string;
  /** Last position that is stored. */
  readonly deepest: number;
  readonly located: Located;
}

/** Answers with the stamps they have, or would be stored with: what is not stored yet answers the request at the tip. */
async function stampedHeads(context: Context, { intake, sessionId, deepest, located }: Stamping): Promise<readonly Head[]> {
  const { heads, chain } = intake;
  const stored = { ...intake, heads: heads.slice(0, deepest + 1).map((head) => ({ ...head })), chain: chain.slice(0, deepest + 1) };
  await readStamps(context, stored, sessionId);
  const isAtTip = !located.isBranch && located.conversation?.tip?.chain === chain[deepest];
  const stamp = isAtTip ? (located.conversation?.tipViewId ?? '') : '';
  return [...stored.heads, ...heads.slice(deepest + 1).map((head) => ({ ...head, viewId: head.viewId ?? stamp }))];
}
