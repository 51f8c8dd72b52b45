// How large a request body is, by the same estimate as the engine's.
import type { RequestBody, WireCodec } from '../../../core/codec.ts';
import { estimateMessage, estimatePreamble } from '../../../core/size/estimator.ts';
import { messageTexts } from '../../../wire/index.ts';

/** Tokens are estimates. */
export interface RequestSize {
  readonly tokens: number;
  /** Of them, what no compaction touches: system text and tools. */
  readonly preambleTokens: number;
  readonly messages: number;
  readonly bytes: number;
}

/** Throws transcript_invalid for a body that is not of the codec's API. */
export function measureRequest(codec: WireCodec, text: string): RequestSize {
  const body = codec.decodeBody(text);
  const preambleTokens = estimatePreamble(codec.preamble(body)).tokens;
  const tokens = entryTexts(body).reduce((sum, raw) => sum + estimateMessage(codec.decodeMessage(raw)), preambleTokens);
  return { tokens, preambleTokens, messages: body.messages.length, bytes: Buffer.byteLength(text) };
}

/** JSON texts of the messages behind the preamble's. */
export function entryTexts(body: RequestBody): readonly string[] {
  return messageTexts(body).slice(body.preambleCount);
}
