// The Anthropic Messages codec.
import { cutBody } from '../body.ts';
import { canonicalForm } from '../canonical.ts';
import type { ResultText, WireCodec } from '../codec.ts';
import { editLocated } from '../edit.ts';
import { readFacts } from '../facts.ts';
import { quote } from '../json/quote.ts';
import { messageObject, toMessage } from '../located.ts';
import { lowerOutput } from '../lower-output.ts';
import { withMarkersOf, withoutMarkers } from '../markers.ts';
import { memberPiece, schemaPiece, toolPieces } from '../preamble.ts';
import { spliceMessages } from '../splice-messages.ts';
import { readUsage } from '../usage.ts';
import { ANTHROPIC_EDITS } from './edit.ts';
import { locateAnthropic } from './message.ts';
import { validateAnthropic } from './validate.ts';

/** Members of a whole response message that a client may send back. */
const CANONICAL = { messageKeys: new Set(['id', 'type', 'model', 'stop_reason', 'stop_sequence', 'usage']), blockKeys: new Set<string>() };

/** Anthropic Messages: `messages` with blocks, `system` and `tools` beside them. */
export const anthropicCodec: WireCodec = {
  api: 'anthropic',
  decodeBody: (text, previous) => cutBody({ api: 'anthropic', key: 'messages' }, text, previous),
  requestFacts: readFacts,
  // The order in which the provider caches them.
  preamble: (body) => [
    ...toolPieces(body),
    ...memberPiece(body, 'system'),
    ...schemaPiece(body, 'output_config'),
    ...schemaPiece(body, 'output_format'),
  ],
  decodeMessage: (raw) => toMessage(locateAnthropic(raw)),
  canonicalMessage: (raw) => canonicalForm(raw, messageObject(raw), CANONICAL),
  editMessage: (raw, edits) => editLocated(locateAnthropic(raw), edits, ANTHROPIC_EDITS),
  withoutMarkers,
  withMarkersOf,
  encodeUserMessage: (text, ...more) => `{"role":"user","content":${more.length === 0 ? quote(text) : textBlocks([text, ...more])}}`,
  encodeResults: (results) => (results.length === 0 ? [] : [`{"role":"user","content":[${results.map(resultBlock).join(',')}]}`]),
  spliceMessages,
  lowerOutput,
  validate: (bodyText) => validateAnthropic(bodyText),
  usage: (usage) => readUsage('anthropic', usage),
};

function resultBlock({ callId, text, isError }: ResultText): string {
  return `{"type":"tool_result","tool_use_id":${quote(callId)},"content":${quote(text)}${isError ? ',"is_error":true' : ''}}`;
}

function textBlocks(texts: readonly string[]): string {
  return `[${texts.map((text) => `{"type":"text","text":${quote(text)}}`).join(',')}]`;
}
