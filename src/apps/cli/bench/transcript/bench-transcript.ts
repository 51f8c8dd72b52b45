// A transcript as the measures need it: the request it makes, its messages, and its flat events.
import type { RequestBody, WireCodec } from '../../../../core/codec.ts';
import { estimateTokens } from '../../../../core/size/estimator.ts';
import type { Entry } from '../../../../core/transcript/entry.ts';
import { codecFor, messageTexts } from '../../../../wire/index.ts';
import type { Transcript } from '../../formats/index.ts';
import type { FlatEvent } from '../oracle/event.ts';
import { flatten } from '../oracle/flatten.ts';
import { entriesOf } from './entries.ts';

export interface BenchTranscript {
  /** As it is shown: a file name. */
  readonly name: string;
  readonly codec: WireCodec;
  readonly body: RequestBody;
  /** Messages behind the preamble's. */
  readonly entries: readonly Entry[];
  /** System prompt and tools. */
  readonly preambleTexts: readonly string[];
  /** Estimated tokens of them. */
  readonly preambleTokens: number;
  readonly events: readonly FlatEvent[];
}

export interface TranscriptText {
  readonly name: string;
  readonly text: string;
}

/** Prepares a transcript. Throws transcript_invalid for a message its API does not know. */
export function benchTranscriptOf(name: string, { api, bodyText, format }: Transcript): BenchTranscript {
  const codec = codecFor(api);
  const body = codec.decodeBody(bodyText);
  const entries = entriesOf(codec, messageTexts(body).slice(body.preambleCount));
  const messages = entries.map((entry) => entry.message);
  const isTextProtocol = format === 'swe-agent' && !messages.some(({ parts }) => parts.some((part) => part.kind === 'result'));
  const preambleTexts = codec.preamble(body).map((piece) => piece.text);
  return {
    name,
    codec,
    body,
    entries,
    preambleTexts,
    preambleTokens: preambleTexts.reduce((sum, text) => sum + estimateTokens(text), 0),
    events: flatten(messages, { preamble: preambleTexts, isTextProtocol }),
  };
}

/** Index of the first message in which a person said something; undefined when nobody did. */
export function firstAskOf({ events }: BenchTranscript): number | undefined {
  return events.find(({ kind, genuine }) => kind === 'user' && genuine !== '')?.message;
}
