// "The input fits, the output you ask for does not": the same request with a smaller number in its bytes.
import type { WireCodec } from '../core/codec.ts';
import type { OutputCapError } from '../core/provider-error.ts';
import type { InFlight } from './in-flight.ts';
import type { BodyInput } from './intake.ts';

/** Tokens left free below what the provider says is available: it and we count a little differently. */
const OUTPUT_MARGIN = 1_000;
/** The same as a share, for small rooms. */
const OUTPUT_MARGIN_SHARE = 0.1;

/** Output below this says nothing useful: the input should shrink instead, tokens. */
export const LEAST_OUTPUT_TOKENS = 256;

/** Output tokens to ask for; undefined when neither the request nor the provider names a number. */
export function outputAfter(cap: Pick<OutputCapError, 'available' | 'limit'>, askedTokens: number | undefined): number | undefined {
  if (cap.limit !== undefined) return cap.limit;
  if (cap.available !== undefined) return Math.floor(cap.available - Math.min(OUTPUT_MARGIN, cap.available * OUTPUT_MARGIN_SHARE));
  return askedTokens === undefined ? undefined : Math.floor(askedTokens / 2);
}

/** The caller's body with fewer output tokens, in the form it came; undefined when it names no larger number. */
export function withOutput(codec: WireCodec, held: Pick<InFlight, 'state'>, tokens: number): BodyInput | undefined {
  const { body, object } = held.state.intake;
  const text = codec.lowerOutput(body, tokens);
  if (text === undefined) return undefined;
  return object ? withChangedMembers(codec, object, { before: body.text, after: text }) : text;
}

/** A caller's object keeps its own values, which JSON may not be able to tell apart, but for the members that changed. */
function withChangedMembers(
  codec: WireCodec,
  object: Record<string, unknown>,
  texts: { readonly before: string; readonly after: string },
): object {
  const before = codec.decodeBody(texts.before).members;
  const after = codec.decodeBody(texts.after).members;
  const changed = [...after].flatMap(([key, span]) => {
    const was = before.get(key);
    const now = texts.after.slice(span.start, span.end);
    return was && texts.before.slice(was.start, was.end) === now ? [] : [[key, JSON.parse(now) as unknown] as const];
  });
  return { ...object, ...Object.fromEntries(changed) };
}
