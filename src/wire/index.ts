// The three codecs by name.
import type { Api } from '../core/transcript/entry.ts';
import { anthropicCodec } from './anthropic/codec.ts';
import type { WireCodec } from './codec.ts';
import { openaiChatCodec } from './openai-chat/codec.ts';
import { openaiResponsesCodec } from './openai-responses/codec.ts';

export { messageTexts } from './body.ts';
export { detectApi } from './detect.ts';
export { anthropicCodec, openaiChatCodec, openaiResponsesCodec };

const CODECS: Readonly<Record<Api, WireCodec>> = {
  anthropic: anthropicCodec,
  'openai-chat': openaiChatCodec,
  'openai-responses': openaiResponsesCodec,
};

/** The codec of an API. */
export function codecFor(api: Api): WireCodec {
  return CODECS[api];
}
