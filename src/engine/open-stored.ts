// The session's current conversation as it stands in the store, opened like a request. Nothing is written.
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { stateOf } from './open-request.ts';
import type { BoundState } from './run.ts';
import { boundOf, contextFor, currentConversation, storedIntake, storedShape } from './stored.ts';

export interface Opened {
  /** Speaks the conversation's own format. */
  readonly context: Context;
  readonly state: BoundState;
}

/** Throws session_not_found, not_stored, or what the store throws. */
export async function openStored(given: Context, memory: SessionMemory): Promise<Opened> {
  const stored = await currentConversation(given, memory);
  const context = contextFor(given, stored.conversation.api);
  const intake = await storedIntake(context, stored);
  const bound = boundOf(stored);
  const state = await stateOf(context, { intake, shape: storedShape(stored.conversation, intake), bound });
  return { context, state: { ...state, bound } };
}
