// Reasoning that Chat Completions servers return and want back: `reasoning_content` (DeepSeek, Moonshot), `reasoning` (vLLM),
// `reasoning_details` (OpenRouter, whole and in order), `thinking_blocks` (signed blocks behind a translating proxy).
import { asArray, memberOf, stringChars, stringMember, stringOf } from '../json/read.ts';
import type { ArrayNode, JsonNode, ObjectNode } from '../json/tree.ts';
import type { LocatedPart } from '../located.ts';

/** Strings whose field a server may demand: dropping the reasoning empties them. */
const PLAIN_FIELDS = ['reasoning_content', 'reasoning'] as const;
const LIST_FIELDS = ['reasoning_details', 'thinking_blocks'] as const;

/** Thinking parts of an assistant message. Text that two fields repeat is counted once. */
export function reasoningParts(raw: string, root: ObjectNode): readonly LocatedPart[] {
  const parts: LocatedPart[] = [];
  const seen = new Set<string>();
  const once = (text: string): string => {
    if (seen.has(text)) return '';
    seen.add(text);
    return text;
  };
  for (const key of PLAIN_FIELDS) {
    const node = memberOf(root, key);
    const text = stringOf(raw, node);
    if (node && text)
      parts.push({ part: { kind: 'thinking', text: once(text), isBound: false, opaqueChars: 0 }, node, slot: { kind: 'blank' } });
  }
  for (const key of LIST_FIELDS) {
    const list = asArray(memberOf(root, key));
    if (!list || list.items.length === 0) continue;
    const isBound = key === 'thinking_blocks';
    const part = { kind: 'thinking', text: once(detailsText(raw, list)), isBound, opaqueChars: opaqueChars(list) } as const;
    parts.push({ part, node: list, slot: { kind: 'member', key } });
  }
  return parts;
}

function detailsText(raw: string, list: ArrayNode): string {
  const texts = list.items.map(
    (item) => stringMember(raw, item, 'text') || stringMember(raw, item, 'summary') || stringMember(raw, item, 'thinking'),
  );
  return texts.filter((text) => text !== '').join('');
}

function opaqueChars(list: ArrayNode): number {
  return list.items.reduce((sum, item) => sum + stringChars(memberOf(item, 'data')) + stringChars(memberOf(item, 'signature')), 0);
}

/** The text of a `thinking` content part: a string, or an array of text parts. */
export function thinkingText(raw: string, node: JsonNode): string {
  const value = memberOf(node, 'thinking');
  const items = asArray(value)?.items ?? [];
  return stringOf(raw, value) ?? items.map((item) => stringMember(raw, item, 'text')).join('\n');
}
