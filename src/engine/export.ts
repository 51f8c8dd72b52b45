// Leaving is possible: the transcript, or the view that is sent now, as a request body of any of the three formats.
import { UllageError } from '../core/errors.ts';
import { APIS, type Api } from '../core/transcript/entry.ts';
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { openStored } from './open-stored.ts';
import { bareBody } from './stored.ts';

/** What `session.export` writes. */
export interface ExportOptions {
  /** Default: the session's own format, byte for byte. */
  readonly format?: Api;
  /** What is sent now, without cache markers, instead of everything that was said. Default false. */
  readonly compacted?: boolean;
}

/** JSON text of a body with all messages. Throws session_not_found, not_stored, option_invalid. */
export async function exportSession(context: Context, memory: SessionMemory, options: ExportOptions): Promise<string> {
  const { format = context.codec.api, compacted = false } = options;
  if (!APIS.includes(format))
    throw new UllageError('option_invalid', `Option format is ${String(format)}; it must be one of ${APIS.join(', ')}.`);
  const { state, context: own } = await openStored(context, memory);
  // A marker that was moved on stays in the stored bytes; what is sent has only the newest.
  const raws = compacted ? state.rendered.messages.map((message) => own.codec.withoutMarkers(message.raw)) : state.intake.raws;
  const api = state.bound.conversation.api;
  return bareBody(context.wire.codecFor(format), format === api ? raws : context.wire.convertMessages(api, format, raws));
}
