// A scripted provider: it measures with the estimator, caches the longest common prefix of two requests, and refuses what is over its window.
import type { WireCodec } from '../../../core/codec.ts';
import { estimateMessage, estimateTokens } from '../../../core/size/estimator.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { messageTexts } from '../../../wire/index.ts';

/** What a request was, in tokens. */
export interface Metered {
  readonly tokens: number;
  /** Of them, the same as at the start of the request before. */
  readonly cachedTokens: number;
}

export interface ScriptedProvider {
  /** Answers a request. Throws an error like the API's own when it is over the window. */
  answer(text: string, outputTokens: number): Metered & { readonly usage: unknown };
}

interface Piece {
  readonly text: string;
  readonly tokens: number;
}

export function scriptedProvider(codec: WireCodec, windowTokens: number): ScriptedProvider {
  const known = new Map<string, number>();
  let before: readonly Piece[] = [];

  function piecesOf(text: string): Piece[] {
    const body = codec.decodeBody(text);
    const preamble = codec.preamble(body).map((piece) => ({ text: piece.text, tokens: tokensOnce(piece.text, estimateTokens) }));
    const messages = messageTexts(body).slice(body.preambleCount);
    return [
      ...preamble,
      ...messages.map((raw) => ({ text: raw, tokens: tokensOnce(raw, (own) => estimateMessage(codec.decodeMessage(own))) })),
    ];
  }
  function tokensOnce(text: string, count: (text: string) => number): number {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  }
  return {
    answer(text, outputTokens) {
      const pieces = piecesOf(text);
      const tokens = sum(pieces);
      if (tokens > windowTokens) throw overflowError(codec.api, tokens, windowTokens);
      const cachedTokens = sum(pieces.slice(0, commonPieces(before, pieces)));
      before = pieces;
      return { tokens, cachedTokens, usage: usageOf(codec.api, { tokens, cachedTokens, outputTokens }) };
    },
  };
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, piece) => total + piece.tokens, 0);
}

function commonPieces(before: readonly Piece[], now: readonly Piece[]): number {
  const end = now.findIndex((piece, index) => piece.text !== before[index]?.text);
  return end < 0 ? now.length : end;
}

/** The usage object of each API: OpenAI counts cached tokens inside the input, Anthropic outside. */
function usageOf(api: Api, counts: Metered & { readonly outputTokens: number }): unknown {
  const { tokens, cachedTokens, outputTokens } = counts;
  switch (api) {
    case 'anthropic': {
      const written = tokens - cachedTokens;
      return { input_tokens: 0, cache_read_input_tokens: cachedTokens, cache_creation_input_tokens: written, output_tokens: outputTokens };
    }
    case 'openai-chat':
      return { prompt_tokens: tokens, prompt_tokens_details: { cached_tokens: cachedTokens }, completion_tokens: outputTokens };
    case 'openai-responses':
      return { input_tokens: tokens, input_tokens_details: { cached_tokens: cachedTokens }, output_tokens: outputTokens };
  }
}

/** An error as the SDKs throw it. */
function overflowError(api: Api, tokens: number, windowTokens: number): Error {
  const isAnthropic = api === 'anthropic';
  const message = isAnthropic
    ? `prompt is too long: ${tokens} tokens > ${windowTokens} maximum`
    : `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens.`;
  const body = isAnthropic ? { type: 'invalid_request_error', message } : { code: 'context_length_exceeded', message };
  return Object.assign(new Error(message), { status: 400, error: body });
}
