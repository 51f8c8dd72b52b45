// The parsed value at a place of a body. Only for small members: messages are never parsed this way.
import type { Span } from './codec.ts';

/** The value, or undefined when there is none or it is not valid JSON. */
export function memberValue(text: string, span: Span | undefined): unknown {
  if (span === undefined) return undefined;
  try {
    return JSON.parse(text.slice(span.start, span.end));
  } catch {
    return undefined;
  }
}
