// What is kept of a request that goes out: with its conversation, for the next one and for calls without one.
import { UllageError } from '../core/errors.ts';
import type { Context } from './context.ts';
import { notePlaces } from './pins.ts';
import type { RequestState } from './request.ts';
import { notesOf } from './request-notes.ts';

/** Notes the newest request with its conversation; the store writes only what changed. A fault here is shown, and changes no decision. */
export async function noteRequest(context: Context, sent: { readonly state: RequestState; readonly stamp: string }): Promise<void> {
  const { state, stamp } = sent;
  const { conversation, relation, isExtension, isNoted } = state.bound!;
  if (relation === 'branch') return;
  const { conversationId } = conversation;
  const notes = { tipViewId: stamp, ...notesOf(state.shape) };
  const isSame =
    conversation.tipViewId === stamp && conversation.lastModel === notes.lastModel && conversation.lastBudget === notes.lastBudget;
  const isCurrent = isExtension && !isNoted;
  try {
    await notePlaces(context, { bound: state.bound!, intake: state.intake, view: state.view });
    if (!isSame || isCurrent)
      await context.store.touchConversation({ tenant: context.tenant, conversationId, atMs: context.clock.now(), isCurrent, ...notes });
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    context.log.write('error', `The request could not be noted: ${error.message}`, { code: error.code });
  }
}
