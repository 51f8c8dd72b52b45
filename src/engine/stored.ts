// A conversation as it stands in the store, opened like a request: for calls that come without one (compact, undo, guard, export).
import type { WireCodec } from '../core/codec.ts';
import { UllageError } from '../core/errors.ts';
import type { Api } from '../core/transcript/entry.ts';
import type { ConversationRow, Located } from '../ports/store.ts';
import type { Context } from './context.ts';
import { emptyLastBody, type Intake, takeIn } from './intake.ts';
import type { SessionMemory } from './memory.ts';
import type { RequestShape } from './request.ts';
import type { Bound } from './sync.ts';

export interface StoredConversation {
  readonly conversation: ConversationRow;
  readonly located: Located;
}

/** The store's name for the session: another process may have stored it meanwhile, or deleted it and begun it anew. */
export async function currentSessionId({ store, tenant }: Context, memory: SessionMemory): Promise<string> {
  const row = await store.findSession({ tenant, key: memory.key });
  if (row) Object.assign(memory, { sessionId: row.sessionId, isNew: false });
  return memory.sessionId;
}

/** The conversation the session goes on with. Throws session_not_found when it has none yet. */
export async function currentConversation(context: Context, memory: SessionMemory): Promise<StoredConversation> {
  const { tenant } = context;
  const session = await context.store.findSession({ tenant, key: memory.key });
  const conversationId = session?.currentConversationId;
  if (conversationId === undefined) {
    throw new UllageError(
      'session_not_found',
      `Session ${JSON.stringify(memory.key)} holds no conversation yet; send or prepare a request first.`,
    );
  }
  const located = await context.store.loadConversation({ tenant, conversationId });
  if (!located.conversation)
    throw new UllageError('session_not_found', `The conversation of session ${JSON.stringify(memory.key)} is gone.`);
  return { conversation: located.conversation, located };
}

/** It and all that a decision about it needs. */
export function boundOf({ conversation, located }: StoredConversation): Bound {
  const { sessionId } = conversation;
  return { sessionId, conversation, relation: 'tip', isExtension: false, guard: located.guard, views: located.views, located };
}

/** A store may hold conversations of another format than this process speaks. */
export function contextFor(context: Context, api: Api): Context {
  return api === context.codec.api ? context : { ...context, codec: context.wire.codecFor(api) };
}

/** A request body that holds these messages and nothing else. */
export function bareBody(codec: WireCodec, raws: readonly string[]): string {
  const empty = codec.decodeBody(codec.api === 'openai-responses' ? '{"input":[]}' : '{"messages":[]}');
  return codec.spliceMessages(empty, raws);
}

/** Throws not_stored when the store keeps no texts. */
export async function storedIntake(context: Context, { conversation }: StoredConversation): Promise<Intake> {
  if (context.store.storage === 'none') {
    throw new UllageError('not_stored', 'This store keeps no message texts (storage: none); pass the request to prepare instead.');
  }
  const tip = conversation.tip?.chain;
  const { sessionId } = conversation;
  const entries = tip === undefined ? [] : await context.store.readEntries({ tenant: context.tenant, sessionId, tip });
  const raws = entries.map((entry) => entry.raw ?? '');
  const intake = takeIn(context, bareBody(context.codec, raws), emptyLastBody());
  for (const [index, entry] of entries.entries()) {
    const head = intake.heads[index];
    if (head) head.viewId = entry.viewId ?? '';
  }
  return intake;
}

/** What its newest request was: model, preamble, requested output. */
export function storedShape(conversation: ConversationRow, intake?: Intake): RequestShape {
  const empty = {
    model: conversation.lastModel ?? 'unknown',
    preamble: intake?.preamble ?? { digest: '', tokens: 0, pieces: [] },
    canOpenHandles: false,
  };
  return conversation.lastBudget === undefined ? empty : { ...empty, ...(JSON.parse(conversation.lastBudget) as RequestShape) };
}
