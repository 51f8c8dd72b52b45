// prepare: sync → view → size → decide → (attempt) → encode. Named steps; each fault of the store lets the request go out as it came.
import { UllageError } from '../core/errors.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { Budget } from '../core/size/budget.ts';
import type { ContextSize } from '../core/size/size.ts';
import type { Context } from './context.ts';
import { encodeOutput, type Output } from './encode.ts';
import { type Headroom, keepHeadroom } from './headroom.ts';
import { type BodyInput, type Intake, takeIn } from './intake.ts';
import { budgetFor, measureRequest } from './measure.ts';
import type { SessionMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { modelFacts } from './options.ts';
import type { OutcomeInput } from './outcome.ts';
import { notePlaces } from './pins.ts';
import { encodePreparedId, NOTHING_TRIED, type Tried } from './prepared-id.ts';
import { type RequestShape, type RequestState, readStamps, renderFor, surroundingsOf, viewFor } from './request.ts';
import { isCompaction } from './run.ts';
import { type Bound, syncRequest } from './sync.ts';

/** Of one request. */
export interface PrepareOptions {
  /** Ends the caller's wait, not an attempt under way. */
  readonly signal?: AbortSignal;
  /** Overrides the model named in the body. */
  readonly model?: string;
}

/** A request ready to be sent. */
export interface Prepared<B = Record<string, unknown>> {
  /** Give it to `observe` or `recover`; any process can. */
  readonly id: string;
  /** The body to send: an object. Value-identical outside what changed; the caller's own object when nothing changed. */
  readonly body: B;
  /** The same as JSON text. Byte-identical outside what changed. */
  readonly text: string;
  readonly context: ContextSize;
  readonly budget: Budget;
  /** What happened, when something was due. */
  readonly outcome?: CompactionOutcome;
}

export interface PrepareInput {
  readonly body: BodyInput;
  readonly options: PrepareOptions;
  /** What recovery already spent on this request. */
  readonly tried?: Tried;
}

export interface PreparedRequest {
  readonly prepared: Prepared;
  readonly state: RequestState;
}

const ADOPT_TRIES = 2;

/** Throws UllageError transcript_invalid for a body that is not this API's; nothing for a size or a store that is down. */
export async function prepareRequest(context: Context, memory: SessionMemory, input: PrepareInput): Promise<PreparedRequest> {
  const startedAtMs = context.clock.now();
  const intake = takeIn(context, input.body, memory.last);
  const shape = shapeOf(context, intake, input.options.model);
  if (isPassedThrough(intake)) return passThrough(context, memory, { intake, shape, tried: input.tried });
  for (let adopted = 0; ; adopted++) {
    const state = await openRequest(context, memory, { intake, shape });
    const onLate = (late: Headroom) => void noteLate(context, memory, { state, ...late, startedAtMs });
    const headroom = await keepHeadroom(context, state, { signal: input.options.signal, onLate });
    if (headroom?.result.isSuperseded && adopted < ADOPT_TRIES) {
      if (headroom.result.passes > 0) await noteOutcome(context, memory, { state, ...headroom, startedAtMs });
      continue;
    }
    return finish(context, memory, { state, headroom, startedAtMs, tried: input.tried });
  }
}

/** What an attempt came to after its caller had gone on: nobody waits for it, but it is told. */
async function noteLate(context: Context, memory: SessionMemory, late: OutcomeInput): Promise<void> {
  try {
    await noteOutcome(context, memory, late);
  } catch (error) {
    context.log.write('error', 'The outcome of a compaction could not be told.', { error: String(error) });
  }
}

/** Nothing to keep, state that the server holds, or a provider that compacts by itself. */
export function isPassedThrough({ heads, facts }: Intake): boolean {
  return heads.length === 0 || facts.serverState !== undefined || facts.providerCompaction !== undefined;
}

export function shapeOf(context: Context, intake: Intake, model: string | undefined): RequestShape {
  const retrievalTool = context.options.retrievalTool ?? 'ullage_read';
  return {
    model: model ?? intake.facts.model ?? 'unknown',
    requestedOutputTokens: intake.facts.maxOutputTokens,
    preamble: intake.preamble,
    canOpenHandles: intake.facts.toolNames.includes(retrievalTool),
    around: surroundingsOf(intake.body),
  };
}

/** Everything a decision needs. Without a store: sizes are estimated, nothing is compacted but what would not fit. */
export async function openRequest(
  context: Context,
  memory: SessionMemory,
  input: { intake: Intake; shape: RequestShape },
): Promise<RequestState> {
  try {
    const bound = await bindRequest(context, memory, input.intake);
    if (bound.fault) noteFault(context, bound.fault, 'Nothing of the request is stored');
    else context.health.store = 'ok';
    return await stateOf(context, { ...input, bound });
  } catch (error) {
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    noteFault(context, error, 'The request goes out uncompacted');
    return stateOf(context, input);
  }
}

function noteFault(context: Context, { message, code }: UllageError, effect: string): void {
  context.health.store = 'unavailable';
  context.log.write('error', `${effect}: ${message}`, { code });
}

/** A session that was deleted, here or elsewhere, begins anew under its key. */
async function bindRequest(context: Context, memory: SessionMemory, intake: Intake): Promise<Bound> {
  try {
    return await syncRequest(context, memory.sessionId, intake);
  } catch (error) {
    if (!UllageError.is(error) || error.code !== 'session_not_found') throw error;
    const { tenant } = context;
    const atMs = context.clock.now();
    const row = await context.store.ensureSession({ tenant, key: memory.key, sessionId: context.newId(), atMs });
    memory.sessionId = row.sessionId;
    return syncRequest(context, row.sessionId, intake);
  }
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
  if (state.bound) await touch(context, memory, { state: sent, stamp });
  const after = candidate ? { kind: 'estimated' as const, tokens: candidate.newTokens } : state.measure.context;
  warnOnGuess(context, state.shape.model, memory);
  const id = idOf(context, memory, { state: sent, tried: input.tried, isUnbound, stamp });
  const budget = { ...state.budget, free: state.budget.usable - after.tokens };
  return { prepared: preparedOf({ id, output, context: after, budget, outcome }), state: sent };
}

function preparedOf(input: { id: string; output: Output; context: ContextSize; budget: Budget; outcome?: CompactionOutcome }): Prepared {
  const { id, output, context, budget, outcome } = input;
  let body: Record<string, unknown> | undefined;
  return {
    id,
    get body() {
      body ??= output.body() as Record<string, unknown>;
      return body;
    },
    text: output.text,
    context,
    budget,
    ...(outcome === undefined ? {} : { outcome }),
  };
}

interface IdInput {
  readonly state: RequestState;
  readonly tried?: Tried;
  readonly isUnbound: boolean;
  readonly stamp?: string;
}

function idOf(context: Context, memory: SessionMemory, { state, tried = NOTHING_TRIED, isUnbound, stamp }: IdInput): string {
  const { intake, bound, view, shape, rendered, budget } = state;
  const watermark = view ? intake.chain.lastIndexOf(view.watermark.chain) : -1;
  const grown = rendered.messages.reduce((sum, message) => sum + ((message.position ?? -1) > watermark ? message.tokens : 0), 0);
  return encodePreparedId({
    tenant: context.tenant,
    sessionId: memory.sessionId,
    conversationId: bound?.conversation.conversationId ?? '',
    guardKey: bound?.conversation.guardKey ?? '',
    tip: intake.chain.at(-1),
    tipPosition: intake.chain.length - 1,
    viewId: view?.viewId ?? '',
    preambleDigest: shape.preamble.digest,
    model: shape.model,
    route: context.route,
    estimateTokens: shape.preamble.tokens + rendered.tokens,
    grownTokens: grown,
    windowTokens: budget.window,
    ...tried,
    nonce: context.newId().slice(0, 12),
    isUnbound,
    stamp: bound?.relation === 'tip' ? stamp : undefined,
  });
}

/** Notes the newest request with its conversation; the store writes only what changed. A fault here is shown, and changes no decision. */
async function touch(
  context: Context,
  memory: SessionMemory,
  sent: { readonly state: RequestState; readonly stamp: string },
): Promise<void> {
  const { state, stamp } = sent;
  const { conversation, relation, isExtension } = state.bound!;
  if (relation === 'branch') return;
  const { conversationId } = conversation;
  const notes = { tipViewId: stamp, lastModel: state.shape.model, lastBudget: JSON.stringify(state.shape) };
  const isSame =
    conversation.tipViewId === stamp && conversation.lastModel === notes.lastModel && conversation.lastBudget === notes.lastBudget;
  const isCurrent = isExtension && memory.conversationId !== conversationId;
  try {
    await notePlaces(context, { bound: state.bound!, intake: state.intake, view: state.view });
    if (isSame && !isCurrent) return;
    await context.store.touchConversation({ tenant: context.tenant, conversationId, atMs: context.clock.now(), isCurrent, ...notes });
    if (isCurrent) memory.conversationId = conversationId;
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    context.health.store = 'unavailable';
    context.log.write('error', `The request could not be noted: ${error.message}`, { code: error.code });
  }
}

function warnOnGuess(context: Context, model: string, memory: SessionMemory): void {
  if (memory.warnedModel === model || !modelFacts(context.options, model).isGuess) return;
  memory.warnedModel = model;
  context.log.write('warn', `The window of model ${model} is not known; 128,000 tokens are assumed. Tell it with the option models.`, {
    model,
  });
}

/** State the server holds, or a provider that compacts by itself: nothing is stored and nothing is touched. */
function passThrough(
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
  const id = idOf(context, memory, { state, tried: input.tried, isUnbound: true });
  return { prepared: preparedOf({ id, output, context: measure.context, budget }), state };
}
