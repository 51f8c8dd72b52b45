// Tokens of a text, a message and a preamble, estimated in one linear pass. Integers; never negative; more text never counts less.
import type { MediaPart, Message, Part } from '../transcript/entry.ts';
import { textSteps } from './text-steps.ts';

/**
 * Estimated tokens of a text in the o200k vocabulary, which others follow within some ten percent. Linear on any text, lone surrogates and a
 * megabyte of one letter included. Calibration (calibration.ts) corrects it for a provider.
 */
export function estimateTokens(text: string): number {
  const { codes, costs, pairs, next } = textSteps();
  let state = 0;
  let letter = 0;
  let milliTokens = 0;
  for (let index = 0; index < text.length; index++) {
    const code = codes[text.charCodeAt(index)]!;
    const step = (state << 6) | (code & 63);
    const following = code >> 6;
    milliTokens += costs[step]! + pairs[(letter << 5) | following]!;
    state = next[step]!;
    letter = following;
  }
  return Math.ceil(milliTokens / 1000);
}

/** Role, separators and the wrapping of one message, tokens: what providers add around the content. */
export const MESSAGE_OVERHEAD_TOKENS = 4;
/** Wrapping of a tool call and of a tool result: id, type and field names, tokens. */
const CALL_OVERHEAD_TOKENS = 10;
const RESULT_OVERHEAD_TOKENS = 8;
/** Wrapping of any further part, tokens. */
const PART_OVERHEAD_TOKENS = 1;
/** Characters per token of reasoning that is sent encrypted: base64 of text with about four characters a token. */
const ENCRYPTED_CHARS_PER_TOKEN = 5.3;
/** Characters per token of anything else that is carried whole, mostly JSON. */
const OPAQUE_CHARS_PER_TOKEN = 4;
/** Side of an image patch that counts as one token, pixels, and the most one image costs, tokens. */
const IMAGE_PATCH_PX = 28;
const IMAGE_MOST_TOKENS = 1_568;
/** An image whose size nobody knows, tokens. */
const IMAGE_UNKNOWN_TOKENS = 1_600;
/** Bytes of a document (PDF and the like) per token, and the least one costs, tokens. */
const FILE_BYTES_PER_TOKEN = 32;
const FILE_LEAST_TOKENS = 258;
/** Bytes of sound per token: about 32 tokens a second at 16 kB/s. */
const AUDIO_BYTES_PER_TOKEN = 500;

function mediaTokens({ mediaKind, sizeBytes, widthPx, heightPx }: MediaPart): number {
  if (mediaKind === 'file') return Math.max(FILE_LEAST_TOKENS, Math.ceil(sizeBytes / FILE_BYTES_PER_TOKEN));
  if (mediaKind === 'audio') return Math.ceil(sizeBytes / AUDIO_BYTES_PER_TOKEN);
  if (widthPx === undefined || heightPx === undefined) return IMAGE_UNKNOWN_TOKENS;
  return Math.min(IMAGE_MOST_TOKENS, Math.ceil(widthPx / IMAGE_PATCH_PX) * Math.ceil(heightPx / IMAGE_PATCH_PX));
}

function partTokens(part: Part): number {
  switch (part.kind) {
    case 'text':
      return PART_OVERHEAD_TOKENS + estimateTokens(part.text);
    case 'thinking':
      // The opaque form holds the same reasoning once more: it is charged once.
      return PART_OVERHEAD_TOKENS + Math.max(estimateTokens(part.text), Math.ceil(part.opaqueChars / ENCRYPTED_CHARS_PER_TOKEN));
    case 'call':
      return CALL_OVERHEAD_TOKENS + estimateTokens(part.name) + estimateTokens(part.argumentsText);
    case 'result':
      return RESULT_OVERHEAD_TOKENS + estimateTokens(part.text) + part.media.reduce((sum, media) => sum + mediaTokens(media), 0);
    case 'media':
      return PART_OVERHEAD_TOKENS + mediaTokens(part);
    case 'opaque':
      return PART_OVERHEAD_TOKENS + Math.ceil(part.sizeChars / OPAQUE_CHARS_PER_TOKEN);
  }
}

/** Estimated tokens of a message as it is sent: its parts, their wrapping, media at their own price and never by their base64. */
export function estimateMessage(message: Message): number {
  return message.parts.reduce((sum, part) => sum + partTokens(part), MESSAGE_OVERHEAD_TOKENS);
}

/** Tokens of one named piece of a preamble. */
export interface PieceTokens {
  readonly name: string;
  readonly tokens: number;
}

/** Estimated tokens of the preamble (system texts and tool schemas): the sum, and each piece in order for the floor's account. */
export function estimatePreamble(pieces: readonly { readonly name: string; readonly text: string }[]): {
  readonly tokens: number;
  readonly pieces: readonly PieceTokens[];
} {
  const counted = pieces.map(({ name, text }) => ({ name, tokens: estimateTokens(text) }));
  return { tokens: counted.reduce((sum, piece) => sum + piece.tokens, 0), pieces: counted };
}
