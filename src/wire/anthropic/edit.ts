// How edits are written into Anthropic messages. Results stay first in their message, cache markers stay on what replaces their block.
import type { EditRules } from '../edit-wishes.ts';
import { markersOf } from '../edit-wishes.ts';
import { quote } from '../json/quote.ts';
import { asArray, stringMember } from '../json/read.ts';
import type { ArrayNode, JsonNode } from '../json/tree.ts';

/** Edits of Messages. */
export const ANTHROPIC_EDITS: EditRules = {
  resultKey: 'content',
  takesText: () => true,
  textBlock: (_message, text, markers) => textBlock(text, markers),
  resultContent: (message, at, text) => resultContent(message.raw, { value: at.value, block: at.node }, text),
  frontIndex: (content, raw) => behindResults(content, raw),
};

function textBlock(text: string, markers: readonly string[]): string {
  return `{${['"type":"text"', `"text":${quote(text)}`, ...markers].join(',')}}`;
}

/** A marker on a block inside the old content moves to the new text, unless the result has one of its own. */
function resultContent(raw: string, old: { value: JsonNode | undefined; block: JsonNode }, text: string): string {
  const inside = (asArray(old.value)?.items ?? []).flatMap((item) => markersOf(raw, item));
  const marker = inside.at(-1);
  if (marker === undefined || text.trim() === '' || markersOf(raw, old.block).length > 0) return quote(text);
  return `[${textBlock(text, [marker])}]`;
}

function behindResults(content: ArrayNode, raw: string): number {
  return content.items.findLastIndex((item) => stringMember(raw, item, 'type') === 'tool_result') + 1;
}
