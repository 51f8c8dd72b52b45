// Asks for fewer output tokens by changing one number in the body's bytes.
import type { WireCodec } from '../core/codec.ts';
import type { ErrorClass } from '../core/provider-error.ts';
import type { InFlight } from './recover.ts';

const OUTPUT_MEMBERS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

/** Tokens left free below what the provider says is available. */
const OUTPUT_MARGIN = 1_000;

/** The body with a smaller output number; undefined when it names none, or the number cannot be lowered. */
export function lowerOutput(codec: WireCodec, inFlight: InFlight, cap: Extract<ErrorClass, { kind: 'output-cap' }>): string | undefined {
  const text = inFlight.state.intake.body.text;
  const { members } = codec.decodeBody(text);
  const span = OUTPUT_MEMBERS.map((name) => members.get(name)).find((found) => found !== undefined);
  if (!span) return undefined;
  const asked = Number(text.slice(span.start, span.end));
  const limit =
    cap.limit ?? (cap.available === undefined ? undefined : Math.max(1, cap.available - Math.min(OUTPUT_MARGIN, cap.available / 10)));
  const lowered = Math.floor(limit ?? asked / 2);
  if (!(lowered >= 1 && lowered < asked)) return undefined;
  return text.slice(0, span.start) + lowered + text.slice(span.end);
}
