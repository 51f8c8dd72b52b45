// The OpenAI Chat Completions codec.
import { cutBody } from '../body.ts';
import { canonicalForm } from '../canonical.ts';
import type { ResultText, WireCodec } from '../codec.ts';
import { editLocated } from '../edit.ts';
import { readFacts } from '../facts.ts';
import { quote } from '../json/quote.ts';
import { messageObject, toMessage } from '../located.ts';
import { lowerOutput } from '../lower-output.ts';
import { withMarkersOf, withoutMarkers } from '../markers.ts';
import { leadingPieces, schemaPiece, toolPieces } from '../preamble.ts';
import { spliceMessages } from '../splice-messages.ts';
import { readUsage } from '../usage.ts';
import { CHAT_EDITS } from './edit.ts';
import { locateChat } from './message.ts';
import { validateOpenaiChat } from './validate.ts';

/** `index` numbers the pieces of a stream; clients that collect them send it back. */
const CANONICAL = { messageKeys: new Set(['index']), blockKeys: new Set(['index']) };

/** Chat Completions: `messages` with roles, instructions as the first of them. */
export const openaiChatCodec: WireCodec = {
  api: 'openai-chat',
  decodeBody: (text, previous) => cutBody({ api: 'openai-chat', key: 'messages' }, text, previous),
  requestFacts: readFacts,
  preamble: (body) => [...toolPieces(body), ...schemaPiece(body, 'response_format'), ...leadingPieces(body)],
  decodeMessage: (raw) => toMessage(locateChat(raw)),
  canonicalMessage: (raw) => canonicalForm(raw, messageObject(raw), CANONICAL),
  editMessage: (raw, edits) => editLocated(locateChat(raw), edits, CHAT_EDITS),
  withoutMarkers,
  withMarkersOf,
  encodeUserMessage: (text, ...more) => `{"role":"user","content":${more.length === 0 ? quote(text) : textBlocks([text, ...more])}}`,
  encodeResults: (results) => results.map(resultMessage),
  spliceMessages,
  lowerOutput,
  validate: (bodyText) => validateOpenaiChat(bodyText),
  usage: (usage) => readUsage('openai-chat', usage),
};

/** The format has no mark for an error. A legacy call is answered by the name of its function. */
function resultMessage({ callId, text, wireType }: ResultText): string {
  if (wireType === 'function_call') return `{"role":"function","name":${quote(callId)},"content":${quote(text)}}`;
  return `{"role":"tool","tool_call_id":${quote(callId)},"content":${quote(text)}}`;
}

function textBlocks(texts: readonly string[]): string {
  return `[${texts.map((text) => `{"type":"text","text":${quote(text)}}`).join(',')}]`;
}
