// The OpenAI Responses codec.
import { cutBody, messageText } from '../body.ts';
import type { CanonicalRules } from '../canonical.ts';
import { canonicalForm } from '../canonical.ts';
import type { WireCodec } from '../codec.ts';
import { editLocated } from '../edit.ts';
import { readFacts } from '../facts.ts';
import { quote } from '../json/quote.ts';
import { stringMember } from '../json/read.ts';
import type { ObjectNode } from '../json/tree.ts';
import { messageObject, toMessage } from '../located.ts';
import { lowerOutput } from '../lower-output.ts';
import { withMarkersOf, withoutMarkers } from '../markers.ts';
import { leadingPieces, memberPiece, schemaPiece, toolPieces } from '../preamble.ts';
import { spliceMessages } from '../splice-messages.ts';
import { readUsage } from '../usage.ts';
import { RESPONSES_EDITS } from './edit.ts';
import { locateItem } from './message.ts';
import { encodeOutput } from './outputs.ts';
import { validateOpenaiResponses } from './validate.ts';

const NO_KEYS: ReadonlySet<string> = new Set();
/** The server's own names of an output item; a client may send them back or not. */
const ITEM: CanonicalRules = { messageKeys: new Set(['id', 'status']), blockKeys: NO_KEYS };
/** A message item may leave its type out. */
const MESSAGE: CanonicalRules = { messageKeys: new Set(['id', 'status', 'type']), blockKeys: NO_KEYS };
/** A reference is nothing but its id. */
const REFERENCE: CanonicalRules = { messageKeys: NO_KEYS, blockKeys: NO_KEYS };

/** Responses: `input` items, `instructions` and `tools` beside them. */
export const openaiResponsesCodec: WireCodec = {
  api: 'openai-responses',
  decodeBody: (text, previous) => cutBody({ api: 'openai-responses', key: 'input' }, text, previous),
  requestFacts: readFacts,
  preamble: (body) => [...toolPieces(body), ...schemaPiece(body, 'text'), ...memberPiece(body, 'instructions'), ...leadingPieces(body)],
  decodeMessage: (raw) => toMessage(locateItem(raw)),
  canonicalMessage: (raw) => canonicalItem(messageText(raw)),
  editMessage: (raw, edits) => (edits.length === 0 ? raw : editLocated(locateItem(raw), edits, RESPONSES_EDITS)),
  withoutMarkers,
  withMarkersOf,
  encodeUserMessage: (...texts) =>
    `{"type":"message","role":"user","content":[${texts.map((text) => `{"type":"input_text","text":${quote(text)}}`).join(',')}]}`,
  encodeResults: (results) => results.map(encodeOutput),
  spliceMessages,
  lowerOutput,
  validate: (bodyText) => validateOpenaiResponses(bodyText),
  usage: (usage) => readUsage('openai-responses', usage),
};

function canonicalItem(raw: string): string {
  const root = messageObject(raw);
  return canonicalForm(raw, root, canonicalRules(raw, root));
}

function canonicalRules(raw: string, root: ObjectNode): CanonicalRules {
  const type = stringMember(raw, root, 'type');
  if (type === 'message') return MESSAGE;
  return type === 'item_reference' || (type === '' && stringMember(raw, root, 'role') === '') ? REFERENCE : ITEM;
}
