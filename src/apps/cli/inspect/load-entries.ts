// A transcript's body as what the pure rooms work on: preamble pieces and entries.
import { createHash } from 'node:crypto';
import type { Violation } from '../../../core/codec.ts';
import { estimateMessage, estimateTokens } from '../../../core/size/estimator.ts';
import { chainHash, fingerprint } from '../../../core/transcript/chain.ts';
import type { Entry } from '../../../core/transcript/entry.ts';
import { codecFor } from '../../../wire/index.ts';
import type { Transcript } from '../formats/index.ts';

export interface LoadedTranscript {
  readonly preamble: readonly { readonly name: string; readonly tokens: number }[];
  /** The messages behind the preamble's. */
  readonly entries: readonly Entry[];
  /** Messages of the request that belong to the preamble: the first entry is message number `preambleCount`. */
  readonly preambleCount: number;
  /** Names of the declared tools. */
  readonly toolNames: readonly string[];
  /** Rules of the API that the body breaks, as the provider would say it. */
  readonly violations: readonly Violation[];
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** Decodes every message. Throws transcript_invalid for a message the API does not know. */
export function loadEntries(transcript: Transcript): LoadedTranscript {
  const codec = codecFor(transcript.api);
  const body = codec.decodeBody(transcript.bodyText);
  let previous = '';
  const entries = body.messages.slice(body.preambleCount).map((span, position): Entry => {
    const raw = transcript.bodyText.slice(span.start, span.end);
    const message = codec.decodeMessage(raw);
    const own = fingerprint(codec.canonicalMessage(raw), digest);
    previous = chainHash(previous, own, digest);
    return { position, fingerprint: own, chain: previous, message, tokens: estimateMessage(message) };
  });
  return {
    preamble: codec.preamble(body).map((piece) => ({ name: piece.name, tokens: estimateTokens(piece.text) })),
    entries,
    preambleCount: body.preambleCount,
    toolNames: codec.requestFacts(body).toolNames,
    violations: codec.validate(transcript.bodyText),
  };
}
