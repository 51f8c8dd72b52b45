// The preamble of a request as named texts: what no compaction can shrink. Cache markers are not part of any text.
import type { PreamblePiece, RequestBody } from './codec.ts';
import { asArray, memberOf, rawOf, stringOf } from './json/read.ts';
import { listChanges, spliceText } from './json/splice.ts';
import type { JsonNode, ObjectNode } from './json/tree.ts';
import { parseTree } from './json/tree.ts';
import { memberValue } from './member-value.ts';
import { isObject } from './rules.ts';
import { declaredTools } from './tools.ts';

/** One piece per declared tool, in order. */
export function toolPieces(body: RequestBody): readonly PreamblePiece[] {
  return declaredTools(body).map(({ name, span }) => ({
    name: `tool ${name}`,
    text: withoutMarker(body.text.slice(span.start, span.end)),
  }));
}

/** A top-level member with text: a string, or an array of text blocks. Nothing when it is absent or null. */
export function memberPiece(body: RequestBody, key: string): readonly PreamblePiece[] {
  const span = body.members.get(key);
  if (span === undefined) return [];
  const raw = body.text.slice(span.start, span.end);
  const text = contentText(raw, parseTree(raw));
  return text === '' ? [] : [{ name: key, text }];
}

/** The schema an answer must follow, which the provider writes into the prompt. Other members of `key` change no prompt and are no part of it. */
export function schemaPiece(body: RequestBody, key: string): readonly PreamblePiece[] {
  const value = memberValue(body.text, body.members.get(key));
  const format = isObject(value) && isObject(value.format) ? value.format : value;
  return isObject(format) && format.type === 'json_schema' ? [{ name: 'answer schema', text: JSON.stringify(format) }] : [];
}

/** The leading system and developer messages, numbered from the second of a role on. */
export function leadingPieces(body: RequestBody): readonly PreamblePiece[] {
  const counts = new Map<string, number>();
  return body.messages.slice(0, body.preambleCount).map(({ start, end }) => {
    const raw = body.text.slice(start, end);
    const root = parseTree(raw);
    const role = stringOf(raw, memberOf(root, 'role')) ?? 'system';
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return { name: count === 1 ? role : `${role} ${count}`, text: contentText(raw, memberOf(root, 'content')) };
  });
}

function contentText(raw: string, content: JsonNode | undefined): string {
  if (content === undefined || content.kind === 'null') return '';
  const blocks = asArray(content)?.items;
  if (blocks) return blocks.map((block) => stringOf(raw, memberOf(block, 'text')) ?? rawOf(raw, block)).join('\n\n');
  return stringOf(raw, content) ?? rawOf(raw, content);
}

function withoutMarker(raw: string): string {
  if (!raw.includes('"cache_control"')) return raw;
  const root = parseTree(raw) as ObjectNode;
  const removed = new Set(root.members.flatMap((member, index) => (member.key === 'cache_control' ? [index] : [])));
  return spliceText(raw, listChanges(raw, { list: root, elements: root.members, removed }));
}
