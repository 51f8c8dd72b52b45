// Where a transcript asked its provider: once before each run of assistant messages.

import { estimateMessage, estimatePreamble } from '../../../core/size/estimator.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';
import { entryTexts } from '../shared/request-size.ts';

/** One request of a transcript. */
export interface HistoryRequest {
  /** Messages it held, the preamble's included. */
  readonly messages: number;
  /** Its size when nothing is ever compacted, an estimate in tokens. */
  readonly tokens: number;
  /** Tokens of the answer it got. */
  readonly answerTokens: number;
}

export interface History {
  readonly requests: readonly HistoryRequest[];
  readonly preambleTokens: number;
  /** Of the largest request. */
  readonly peakTokens: number;
}

export function readHistory({ body, codec }: LoadedRequest): History {
  const preambleTokens = estimatePreamble(codec.preamble(body)).tokens;
  const requests: HistoryRequest[] = [];
  let tokens = preambleTokens;
  let answerTokens = 0;
  let isAnswer = false;
  const close = () => {
    const last = requests.at(-1);
    if (last !== undefined) requests[requests.length - 1] = { ...last, answerTokens };
    answerTokens = 0;
  };
  entryTexts(body).forEach((raw, index) => {
    const message = codec.decodeMessage(raw);
    const own = estimateMessage(message);
    const isAssistant = message.role === 'assistant';
    if (isAssistant && !isAnswer && index > 0) {
      close();
      requests.push({ messages: body.preambleCount + index, tokens, answerTokens: 0 });
    }
    if (isAssistant) answerTokens += own;
    isAnswer = isAssistant;
    tokens += own;
  });
  close();
  if (!isAnswer) requests.push({ messages: body.messages.length, tokens, answerTokens: 0 });
  return { requests, preambleTokens, peakTokens: requests.at(-1)?.tokens ?? preambleTokens };
}

/** The text of the body with its first `messages` messages alone. */
export function requestText({ body }: LoadedRequest, messages: number): string {
  const last = body.messages.at(-1);
  const kept = body.messages[messages - 1];
  if (last === undefined || kept === undefined || last === kept) return body.text;
  return body.text.slice(0, kept.end) + body.text.slice(last.end);
}
