// Reads values out of a tree of places. A missing or wrongly typed value is undefined, never an error.
import { jsonDamage } from './damage.ts';
import type { ArrayNode, JsonNode } from './tree.ts';

/** The value of a member; of a repeated name the last. undefined for anything that is not an object. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  for (let index = node.members.length - 1; index >= 0; index -= 1) {
    const member = node.members[index]!;
    if (member.key === key) return member.value;
  }
  return undefined;
}

/** The text of a string node. Throws transcript_invalid when its escapes are malformed. */
export function stringOf(text: string, node: JsonNode | undefined): string | undefined {
  if (node?.kind !== 'string') return undefined;
  const inner = text.slice(node.start + 1, node.end - 1);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(text.slice(node.start, node.end)) as string;
  } catch {
    throw jsonDamage(text, node.start, 'a string with valid escapes');
  }
}

/** The text of a string member, '' when there is none. */
export function stringMember(text: string, node: JsonNode | undefined, key: string): string {
  return stringOf(text, memberOf(node, key)) ?? '';
}

/** The JSON text of a node. */
export function rawOf(text: string, node: JsonNode): string {
  return text.slice(node.start, node.end);
}

/** Characters inside the quotes of a string node, escapes counted as written; 0 for anything else. */
export function stringChars(node: JsonNode | undefined): number {
  return node?.kind === 'string' ? node.end - node.start - 2 : 0;
}

/** The node when it is an array. */
export function asArray(node: JsonNode | undefined): ArrayNode | undefined {
  return node?.kind === 'array' ? node : undefined;
}
