// What goes out: the rendered messages spliced into the caller's bytes, checked against the API's rules, or the caller's own body.
import type { Context } from './context.ts';
import type { RequestState } from './request.ts';
import { addedViolation } from './validity.ts';

export interface Output {
  readonly text: string;
  /** Built when asked for. */
  readonly body: () => unknown;
  /** False when the rendered request would have broken a rule and the caller's own bytes go out. */
  readonly isRendered: boolean;
}

export function encodeOutput(context: Context, state: RequestState): Output {
  const { intake, rendered } = state;
  const original = intake.body.text;
  const raws = rendered.messages.map((message) => message.raw);
  const isSame = rendered.changed === 0 && raws.length === intake.raws.length;
  if (isSame) return { text: original, body: () => intake.object ?? JSON.parse(original), isRendered: true };
  const text = context.codec.spliceMessages(intake.body, raws);
  if (!addedViolation(context, { original, rendered: text })) return { text, body: () => bodyOf(state, text), isRendered: true };
  return { text: original, body: () => intake.object ?? JSON.parse(original), isRendered: false };
}

/** For a caller's object: its own message objects where nothing changed, so values that JSON cannot tell apart survive. */
function bodyOf(state: RequestState, text: string): unknown {
  const { intake, rendered } = state;
  const { object } = intake;
  const parsed = JSON.parse(text) as Record<string, unknown>;
  if (!object) return parsed;
  const key = ['messages', 'input'].find((name) => Array.isArray(object[name]));
  if (key === undefined) return parsed;
  const given = object[key] as readonly unknown[];
  const built = parsed[key] as readonly unknown[];
  const offset = intake.body.preambleCount;
  const messages = built.map((message, index) => {
    if (index < offset) return given[index];
    const { position, raw } = rendered.messages[index - offset]!;
    return position !== undefined && raw === intake.raws[position] ? given[position + offset] : message;
  });
  return { ...object, [key]: messages };
}
