// What the guard would say to the next automatic attempt, in words a person can act on. Asking never writes.
import { UllageError } from '../core/errors.ts';
import { evaluate } from '../core/guard/evaluate.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { Context } from './context.ts';
import { askOf, floorReason, tokenGoal } from './goals.ts';
import { emptyLastBody, takeIn } from './intake.ts';
import { budgetFor, measureRequest } from './measure.ts';
import type { SessionMemory } from './memory.ts';
import type { RequestState } from './request.ts';
import { bareBody, boundOf, contextFor, currentConversation, type StoredConversation, storedShape } from './stored.ts';

export interface GuardStatus {
  /** clear: nothing is held against automatic work. pending: a verdict is awaited. striking: counted, not yet resting. resting: it rests. compacting: an attempt runs. unreadable: the record cannot be read. */
  readonly state: 'clear' | 'pending' | 'striking' | 'resting' | 'compacting' | 'unreadable';
  readonly decision: 'allow' | 'probe' | 'blocked' | 'deferred';
  readonly reason?: OutcomeReason;
  readonly retryAtMs?: number;
  readonly retryTokens?: number;
  readonly health: 'ok' | 'unreadable';
  /** Automatic compactions in a row that a provider proved ineffective. */
  readonly strikes: number;
  /** The newest fault that a person should see, if any. */
  readonly lastFault?: string;
}

/** Evaluates an automatic token ask of max(newest known size, mark) for the last model and policy. */
export async function guardStatus(context: Context, memory: SessionMemory): Promise<GuardStatus> {
  const { lastFault } = context.health;
  try {
    const stored = await currentConversation(context, memory);
    return { ...(await statusOf(contextFor(context, stored.conversation.api), stored)), lastFault };
  } catch (error) {
    if (UllageError.is(error) && error.code === 'session_not_found')
      return { state: 'clear', decision: 'allow', health: 'ok', strikes: 0, lastFault };
    if (!UllageError.is(error) || !error.code.startsWith('store_')) throw error;
    return { state: 'unreadable', decision: 'deferred', reason: 'store_unavailable', health: 'unreadable', strikes: 0, lastFault };
  }
}

async function statusOf(context: Context, stored: StoredConversation): Promise<GuardStatus> {
  const { guard } = stored.located;
  const state = await smallState(context, stored);
  const { strikes } = guard;
  const floor = floorReason(state);
  const resting = guard.tokens.rest !== undefined ? 'resting' : strikes > 0 ? 'striking' : 'clear';
  const name = guard.lease ? 'compacting' : guard.pending ? 'pending' : resting;
  if (floor) return { state: name, decision: 'blocked', reason: floor, health: 'ok', strikes };
  const goal = tokenGoal(context, state, 'token_threshold');
  const size = Math.max(goal.mark, state.measure.context.tokens);
  const decision = evaluate(guard, askOf(context, state, { ...goal, size }), context.clock.now(), context.guardOptions);
  if (decision.decision === 'not_due') return { state: name, decision: 'allow', health: 'ok', strikes };
  if ('paths' in decision) return { state: name, decision: decision.decision, health: 'ok', strikes };
  return { state: name, health: 'ok', strikes, ...decision };
}

const FIRST_ENTRIES = 8;

/** Sizes and budget without reading the whole transcript: the newest anchor, and the first ask. */
async function smallState(context: Context, { conversation, located }: StoredConversation): Promise<RequestState> {
  const { tenant } = context;
  const tip = conversation.tip?.chain;
  const first =
    tip === undefined
      ? []
      : await context.store.readEntries({ tenant, sessionId: conversation.sessionId, tip, from: 0, to: FIRST_ENTRIES - 1 });
  const raws = first.flatMap((entry) => (entry.raw === undefined ? [] : [entry.raw]));
  const intake = takeIn(context, bareBody(context.codec, raws), emptyLastBody());
  const shape = storedShape(conversation, intake);
  const newest = located.anchors.find((anchor) => anchor.model === shape.model);
  const rendered = {
    messages: [],
    tokens: Math.max(0, (newest?.estimateTokens ?? 0) - shape.preamble.tokens),
    changed: 0,
    omitted: [],
    stamp: '',
  };
  const measure = measureRequest(context, { shape, heads: [], chain: [], rendered, viewId: newest?.viewId ?? '', watermark: -1, located });
  const firstAskTokens = intake.heads.find((head) => head.isGenuineUser)?.tokens ?? 0;
  const budget = budgetFor(context, { shape, measure, located, firstAskTokens });
  const bound = boundOf({ conversation, located });
  return { intake, shape, bound, rendered, measure, budget };
}
