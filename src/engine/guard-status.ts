// What the guard would say to the next automatic attempt, in words a person can act on. Asking never writes.
import { UllageError } from '../core/errors.ts';
import { isTripped } from '../core/guard/derive.ts';
import { evaluate } from '../core/guard/evaluate.ts';
import type { Decision, Guard } from '../core/guard/guard.ts';
import { type Moment, settleLease } from '../core/guard/paths.ts';
import type { OutcomeReason } from '../core/plan/outcome.ts';
import type { ConversationRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import { askOf, floorReason, tokenGoal } from './goals.ts';
import { emptyLastBody, type Intake, takeIn } from './intake.ts';
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
  // The order of `keepHeadroom`: arithmetic first, and what would not fit is never held back but by a floor that cannot fit.
  const floor = floorReason(state);
  const isFitting = size <= state.budget.window;
  if (floor && (isFitting || floor === 'floor_exceeds_window')) return { ...known, decision: 'blocked', reason: floor };
  const isRefused = decision.decision === 'blocked' || (decision.decision === 'deferred' && decision.reason === 'verdict_pending');
  if (!isFitting && (floor || isRefused)) return { ...known, decision: 'allow' };
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

/**
 * Sizes and budget without reading the whole transcript: the newest reading of what is sent now, and the first ask. The budget is that of a
 * request at the mark, where less is known to be sent: what is worth an attempt depends on the size.
 */
async function smallState(context: Context, { conversation, located }: StoredConversation): Promise<RequestState> {
  const intake = await untilFirstAsk(context, conversation);
  const shape = storedShape(conversation, intake);
  // What was measured before the newest compaction is no size of what is sent now.
  const viewId = located.guard.view ?? '';
  const { route } = context;
  const newest = located.anchors.find(
    (anchor) =>
      anchor.model === shape.model && anchor.route === route && anchor.preambleDigest === shape.preamble.digest && anchor.viewId === viewId,
  );
  const messageTokens = Math.max(0, (newest?.estimateTokens ?? 0) - shape.preamble.tokens);
  const rendered = { messages: [], tokens: messageTokens, changed: 0, omitted: [], stamp: '' };
  const chain = newest ? [newest.tip] : [];
  const measure = measureRequest(context, { shape, heads: [], chain, rendered, viewId, watermark: -1, located });
  const firstAskTokens = intake.heads.find((head) => head.isGenuineUser)?.tokens ?? 0;
  const { threshold } = budgetFor(context, { shape, measure, located, firstAskTokens });
  const tokens = Math.max(measure.context.tokens, threshold);
  const budget = budgetFor(context, { shape, measure: { ...measure, context: { ...measure.context, tokens } }, located, firstAskTokens });
  const bound = boundOf({ conversation, located });
  return { intake, shape, bound, rendered, measure, budget };
}

/** The beginning of the conversation up to the first thing a person said. */
async function untilFirstAsk(context: Context, conversation: ConversationRow): Promise<Intake> {
  const { tenant } = context;
  const { sessionId, tip } = conversation;
  for (let count = FIRST_ENTRIES; ; count *= 4) {
    const read = { tenant, sessionId, tip: tip?.chain ?? '', from: 0, to: count - 1 };
    const first = tip === undefined ? [] : await context.store.readEntries(read);
    const raws = first.flatMap((entry) => (entry.raw === undefined ? [] : [entry.raw]));
    const intake = takeIn(context, bareBody(context.codec, raws), emptyLastBody());
    if (first.length < count || raws.length < count || intake.heads.some((head) => head.isGenuineUser)) return intake;
  }
}
