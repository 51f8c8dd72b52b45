// Rotation, continuation and deletion. Each is one atomic command of the store; a conversation is never reset to empty.
import { UllageError } from '../core/errors.ts';
import type { ConversationRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import { continuationMessage } from './continuation.ts';
import { emptyLastBody, takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import { openStored } from './open-stored.ts';
import { bareBody, currentConversation, currentSessionId } from './stored.ts';
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
export async function continueSession(given: Context, memory: SessionMemory): Promise<Continuation> {
  const { context, state } = await openStored(given, memory);
  const { conversation: parent } = state.bound;
  const conversation = childOf(context, parent, 'continuation');
  const intake = takeIn(context, bareBody(context.codec, [continuationMessage(context, state)]), emptyLastBody());
  const entries = intake.heads.map((head, position) => newEntry(head, { position, raw: intake.raws[position]! }));
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

/** Removes everything of the session: rows, full-text rows and free pages. */
export async function deleteSession(context: Context, memory: SessionMemory): Promise<{ readonly entries: number }> {
  context.views.clear();
  Object.assign(memory.last, emptyLastBody(), { preamble: undefined });
  return context.store.deleteSession({ tenant: context.tenant, sessionId: await currentSessionId(context, memory) });
}
