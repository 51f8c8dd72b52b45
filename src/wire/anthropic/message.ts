// Anthropic messages → parts with places. Unknown blocks become opaque parts; only a message that is no object is an error.
import type { MediaPart, Role } from '../../core/transcript/entry.ts';
import { asArray, memberOf, rawOf, stringChars, stringMember, stringOf } from '../json/read.ts';
import type { ArrayNode, JsonNode, ObjectNode } from '../json/tree.ts';
import type { LocatedMessage, LocatedPart, Slot } from '../located.ts';
import { mediaPart, messageObject, opaquePart, textOrJson } from '../located.ts';

/** Reads one message with the places of its parts. */
export function locateAnthropic(raw: string): LocatedMessage {
  const root = messageObject(raw);
  const content = memberOf(root, 'content');
  const parts = contentParts(raw, content);
  return { raw, root, parts, role: roleOf(raw, root, parts), content };
}

function contentParts(raw: string, content: JsonNode | undefined): readonly LocatedPart[] {
  const blocks = asArray(content);
  if (blocks) return blocks.items.map((block, index) => blockPart(raw, block, { kind: 'element', list: blocks, index }));
  const text = stringOf(raw, content);
  if (content === undefined || !text) return [];
  return [{ part: { kind: 'text', text }, node: content, slot: { kind: 'content' }, value: content }];
}

function roleOf(raw: string, root: ObjectNode, parts: readonly LocatedPart[]): Role {
  const role = stringMember(raw, root, 'role');
  if (role === 'assistant' || role === 'system') return role;
  return parts.length > 0 && parts.every((at) => at.part.kind === 'result') ? 'tool' : 'user';
}

function blockPart(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  switch (stringMember(raw, node, 'type')) {
    case 'text': {
      const value = memberOf(node, 'text');
      const text = stringOf(raw, value);
      return text === undefined ? opaque(raw, node, slot) : { part: { kind: 'text', text }, node, slot, value };
    }
    case 'thinking': {
      const opaqueChars = stringChars(memberOf(node, 'signature'));
      return { part: { kind: 'thinking', text: stringMember(raw, node, 'thinking'), isBound: true, opaqueChars }, node, slot };
    }
    case 'redacted_thinking':
      return { part: { kind: 'thinking', text: '', isBound: true, opaqueChars: stringChars(memberOf(node, 'data')) }, node, slot };
    case 'tool_use': {
      const value = memberOf(node, 'input');
      const name = stringMember(raw, node, 'name');
      return {
        part: { kind: 'call', id: stringMember(raw, node, 'id').trim(), name, argumentsText: textOrJson(raw, value) },
        node,
        slot,
        value,
      };
    }
    case 'tool_result':
      return resultPart(raw, node, slot);
    case 'image':
    case 'document':
      return { part: blockMedia(raw, node), node, slot };
    default:
      return opaque(raw, node, slot);
  }
}

function opaque(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  return { part: opaquePart(raw, node), node, slot };
}

function blockMedia(raw: string, node: JsonNode): MediaPart {
  const source = memberOf(node, 'source');
  const data = memberOf(source, 'data') ?? memberOf(source, 'url');
  return mediaPart(raw, stringMember(raw, node, 'type') === 'image' ? 'image' : 'file', { node, data });
}

function resultPart(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  const value = memberOf(node, 'content');
  const callId = stringMember(raw, node, 'tool_use_id').trim();
  const { text, media } = resultContent(raw, value);
  const isError = memberOf(node, 'is_error')?.kind;
  const flag = isError === 'true' || isError === 'false' ? { isError: isError === 'true' } : {};
  return { part: { kind: 'result', callId, text, ...flag, media }, node, slot, value };
}

function resultContent(raw: string, content: JsonNode | undefined): { text: string; media: readonly MediaPart[] } {
  const blocks: ArrayNode | undefined = asArray(content);
  if (!blocks) return { text: textOrJson(raw, content), media: [] };
  const texts: string[] = [];
  const media: MediaPart[] = [];
  for (const block of blocks.items) {
    const type = stringMember(raw, block, 'type');
    if (type === 'image' || type === 'document') media.push(blockMedia(raw, block));
    else texts.push(type === 'text' ? stringMember(raw, block, 'text') : rawOf(raw, block));
  }
  return { text: texts.join('\n'), media };
}
