// A request ready to be sent, and its id.
import type { RequestBody } from '../core/codec.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { Budget } from '../core/size/budget.ts';
import type { ContextSize } from '../core/size/size.ts';
import type { Context } from './context.ts';
import type { Output } from './encode.ts';
import type { Intake } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { encodePreparedId, NOTHING_TRIED, type PreparedRecord, type Tried } from './prepared-id.ts';
import type { RequestState } from './request.ts';

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
  /**
   * Why nothing of the request is kept: the name of the state the server holds or of the compaction the provider runs ('previous_response_id',
   * 'compact_20260112', …), 'no_messages', or 'store_unavailable'.
   */
  readonly leftAlone?: string;
}

export interface PreparedRequest {
  readonly prepared: Prepared;
  readonly state: RequestState;
  /** What the id holds. */
  readonly record: PreparedRecord;
}

export function preparedOf(input: {
  record: PreparedRecord;
  intake: Intake;
  output: Output;
  context: ContextSize;
  budget: Budget;
  outcome?: CompactionOutcome;
  leftAlone?: string;
}): Prepared {
  const { record, intake, output, context, budget, outcome, leftAlone } = input;
  let id: string | undefined;
  let body: Record<string, unknown> | undefined;
  const prepared: Prepared = {
    // Whoever sends by one call needs none.
    get id() {
      id ??= encodePreparedId(record);
      return id;
    },
    get body() {
      body ??= output.body() as Record<string, unknown>;
      return body;
    },
    text: output.text,
    context,
    budget,
    ...(outcome === undefined ? {} : { outcome }),
    ...(leftAlone === undefined ? {} : { leftAlone }),
  };
  if (output.text === intake.body.text) MEMBERS.set(prepared, intake.body.members);
  return prepared;
}

const MEMBERS = new WeakMap<Prepared, RequestBody['members']>();

/** Places of the text's members besides the messages, where it goes out as it came: whoever looks for one need not cut it again. */
export function membersOf(prepared: Prepared): RequestBody['members'] | undefined {
  return MEMBERS.get(prepared);
}

interface RecordInput {
  readonly state: RequestState;
  readonly tried?: Tried;
  readonly isUnbound: boolean;
  readonly stamp?: string;
}

export function recordOf(context: Context, memory: SessionMemory, input: RecordInput): PreparedRecord {
  const { state, tried = NOTHING_TRIED, isUnbound, stamp } = input;
  const { intake, bound, view, shape, rendered, budget } = state;
  const watermark = view ? intake.chain.lastIndexOf(view.watermark.chain) : -1;
  const grown = rendered.messages.reduce((sum, message) => sum + ((message.position ?? -1) > watermark ? message.tokens : 0), 0);
  return {
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
    softTokens: budget.soft,
    ...tried,
    nonce: context.newId().slice(0, 12),
    isUnbound,
    stamp: bound?.relation === 'tip' ? stamp : undefined,
  };
}
