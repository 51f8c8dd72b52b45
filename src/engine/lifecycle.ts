// Rotation, continuation and deletion. Each is one atomic command of the store; a conversation is never reset to empty.
import { UllageError } from '../core/errors.ts';
import { planCompaction } from '../core/plan/planner.ts';
import { frameSummary } from '../core/summary/frame.ts';
import { redactSecrets } from '../core/summary/redact.ts';
import type { Message } from '../core/transcript/entry.ts';
import type { ConversationRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import { tokenGoal } from './goals.ts';
import { emptyLastBody, entriesOf, takeIn } from './intake.ts';
import { openStored } from './manual.ts';
import type { SessionMemory } from './memory.ts';
import { planInput } from './plan-input.ts';
import { messageText } from './recall.ts';
import type { BoundState } from './run.ts';
import { bareBody, currentConversation } from './stored.ts';
import { newEntry } from './sync.ts';

type Child = Omit<ConversationRow, 'tip' | 'tipViewId' | 'createdAtMs'>;

function childOf(context: Context, parent: ConversationRow, origin: 'rotation' | 'continuation'): Child {
  const { sessionId, api, guardKey, lastModel, lastBudget } = parent;
  return { conversationId: context.newId(), sessionId, api, guardKey, parentId: parent.conversationId, origin, lastModel, lastBudget };
}

/** Closes the conversation and opens a child at the same place; the caller goes on with the same full history. */
export async function rotateSession(context: Context, memory: SessionMemory): Promise<{ readonly conversationId: string }> {
  const { conversation: parent } = await currentConversation(context, memory);
  const conversation = childOf(context, parent, 'rotation');
  const target = { kind: 'create', conversation, from: parent.tip?.chain, closes: parent.conversationId } as const;
  const { tenant } = context;
  const atMs = context.clock.now();
  const operationId = `rotate:${conversation.conversationId}`;
  const { status } = await context.store.appendEntries({ operationId, atMs, tenant, sessionId: parent.sessionId, target, entries: [] });
  if (status === 'tip-moved') throw new UllageError('store_unavailable', 'The conversation moved on while it was rotated; try again.');
  await context.store.touchConversation({
    tenant,
    conversationId: conversation.conversationId,
    atMs,
    isCurrent: true,
    tipViewId: parent.tipViewId,
  });
  return { conversationId: conversation.conversationId };
}

export interface Continuation {
  readonly conversationId: string;
  /** Messages to go on with, in the session's format. */
  readonly messages: readonly unknown[];
}

/** A new conversation that carries pins, facts and the last ask of one that cannot go on; the parent stays, intact and linked. */
export async function continueSession(context: Context, memory: SessionMemory): Promise<Continuation> {
  const state = await openStored(context, memory);
  const { conversation: parent } = state.bound;
  const conversation = childOf(context, parent, 'continuation');
  const raw = context.codec.encodeUserMessage(continuationText(context, state));
  const intake = takeIn(context, bareBody(parent.api, [raw]), emptyLastBody());
  const entries = intake.heads.map((head, position) => newEntry(head, position, intake.raws[position]!));
  const { tenant } = context;
  const atMs = context.clock.now();
  const target = { kind: 'create', conversation, closes: parent.conversationId } as const;
  const operationId = `continue:${conversation.conversationId}`;
  const { status } = await context.store.appendEntries({ operationId, atMs, tenant, sessionId: parent.sessionId, target, entries });
  if (status === 'tip-moved')
    throw new UllageError('store_unavailable', 'The conversation was closed by another process meanwhile; open the session again.');
  await context.store.touchConversation({ tenant, conversationId: conversation.conversationId, atMs, isCurrent: true });
  return { conversationId: conversation.conversationId, messages: intake.raws.map((text) => JSON.parse(text) as unknown) };
}

/** Share of the target that a continuation begins with. */
const CONTINUATION_SHARE = 0.5;

function continuationText(context: Context, state: BoundState): string {
  const entries = entriesOf(context.codec, state.intake.heads, state.intake.raws);
  const targetTokens = Math.floor(state.budget.target * CONTINUATION_SHARE);
  const goal = { ...tokenGoal(context, state, 'manual'), kind: 'manual' as const, targetTokens };
  const planned = planCompaction({ ...planInput(state, { goal, entries, pass: 2 }), pruneShare: 1 });
  const pins = state.bound.located.pins.map((pin) => pin.text).join('\n');
  const asks = entries.filter((_, position) => state.intake.heads[position]!.isGenuineUser).map((entry) => entry.message);
  const facts =
    planned.plan?.fold?.text ?? frameSummary({ body: redactSecrets([pins, ...asks.slice(0, -1).map(messageText)].join('\n\n')) });
  return [facts, lastAsk(asks)].filter((text) => text !== '').join('\n\n');
}

function lastAsk(asks: readonly Message[]): string {
  const last = asks.at(-1);
  return last ? messageText(last) : '';
}

/** Removes everything of the session: rows, full-text rows and free pages. */
export async function deleteSession(context: Context, memory: SessionMemory): Promise<{ readonly entries: number }> {
  context.views.clear();
  Object.assign(memory.last, emptyLastBody(), { preamble: undefined });
  return context.store.deleteSession({ tenant: context.tenant, sessionId: memory.sessionId });
}
