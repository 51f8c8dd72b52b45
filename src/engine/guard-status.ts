// What the guard would say to the next automatic attempt, in words a person can act on. Asking never writes.
import { UllageError } from '../core/errors.ts';
import { isTripped } from '../core/guard/derive.ts';
import { evaluate } from '../core/guard/evaluate.ts';
import type { Decision, Guard } from '../core/guard/guard.ts';
import { type Moment, settleLease } from '../core/guard/paths.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { Context } from './context.ts';
import { askOf, floorReason, tokenGoal } from './goals.ts';
import { emptyLastBody, takeIn } from './intake.ts';
import { budgetFor, measureRequest } from './measure.ts';
import type { SessionMemory } from './memory.ts';
import type { RequestState } from './request.ts';
import { bareBody, boundOf, contextFor, currentConversation, type StoredConversation, storedShape } from './stored.ts';

/** What stands between this conversation and its next automatic compaction. */
export interface GuardStatus {
  /**
   * clear: nothing is held against automatic work. pending: a verdict is awaited. striking: something is counted, but it does not rest (yet, or any
   * more: then the next attempt is a probe). resting: it rests. compacting: an attempt runs. unreadable: the record cannot be read.
   */
  readonly state: 'clear' | 'pending' | 'striking' | 'resting' | 'compacting' | 'unreadable';
  /** What the next automatic attempt would be told. */
  readonly decision: 'allow' | 'probe' | 'blocked' | 'deferred';
  /** Why not, for blocked and deferred; or the floor that leaves nothing to gain. */
  readonly reason?: OutcomeReason;
  /** From then on it may run, milliseconds since the epoch. */
  readonly retryAtMs?: number;
  /** At this context size it may run earlier. */
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
  const now = context.clock.now();
  const state = await smallState(context, stored);
  const goal = tokenGoal(context, state, 'token_threshold');
  const size = Math.max(goal.mark, state.measure.context.tokens);
  const decision = evaluate(guard, askOf(context, state, { ...goal, size }), now, context.guardOptions);
  const known = { state: nameOf(guard, decision, { now, options: context.guardOptions }), health: 'ok' as const, strikes: guard.strikes };
  const floor = floorReason(state);
  if (floor) return { ...known, decision: 'blocked', reason: floor };
  if (decision.decision === 'not_due') return { ...known, decision: 'allow' };
  if ('paths' in decision) return { ...known, decision: decision.decision };
  return { ...known, ...decision };
}

function nameOf(guard: Guard, { decision }: Decision, at: Moment): GuardStatus['state'] {
  if (settleLease(guard, at).lease) return 'compacting';
  if (guard.pending) return 'pending';
  if (decision === 'blocked') return 'resting';
  return guard.strikes > 0 || isTripped(guard) ? 'striking' : 'clear';
}

const FIRST_ENTRIES = 8;

/** Sizes and budget without reading the whole transcript: the newest reading of what is sent now, and the first ask. */
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
  // What was measured before the newest compaction is no size of what is sent now.
  const viewId = located.guard.view ?? '';
  const newest = located.anchors.find((anchor) => anchor.model === shape.model && anchor.viewId === viewId);
  const messageTokens = Math.max(0, (newest?.estimateTokens ?? 0) - shape.preamble.tokens);
  const rendered = { messages: [], tokens: messageTokens, changed: 0, omitted: [], stamp: '' };
  const chain = newest ? [newest.tip] : [];
  const measure = measureRequest(context, { shape, heads: [], chain, rendered, viewId, watermark: -1, located });
  const firstAskTokens = intake.heads.find((head) => head.isGenuineUser)?.tokens ?? 0;
  const budget = budgetFor(context, { shape, measure, located, firstAskTokens });
  const bound = boundOf({ conversation, located });
  return { intake, shape, bound, rendered, measure, budget };
}
