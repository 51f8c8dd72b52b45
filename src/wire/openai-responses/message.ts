// Responses input items → parts with places. One item is one message; a plain string stands for one user message.
import type { MediaPart, Part, Role } from '../../core/transcript/entry.ts';
import { messageText } from '../body.ts';
import { asArray, memberOf, rawOf, stringChars, stringMember, stringOf } from '../json/read.ts';
import type { JsonNode, ObjectNode } from '../json/tree.ts';
import type { LocatedMessage, LocatedPart, Slot } from '../located.ts';
import { mediaPart, messageObject, opaquePart, textOrJson } from '../located.ts';
import { CALL_FIELDS, isAnswerType, isMessageType, OUTPUT_TYPES } from './item-types.ts';

/** Reads one item with the places of its parts. */
export function locateItem(text: string): LocatedMessage {
  const raw = messageText(text);
  const root = messageObject(raw);
  const type = stringMember(raw, root, 'type');
  if (isMessageType(type, stringMember(raw, root, 'role'))) return messageItem(raw, root);
  const at = (role: Role, part: Part, value?: JsonNode): LocatedMessage => ({
    raw,
    root,
    role,
    parts: [{ part, node: root, slot: { kind: 'message' }, value }],
  });
  if (type === 'reasoning') return at('assistant', reasoningPart(raw, root));
  if (OUTPUT_TYPES.has(type)) return at('tool', resultPart(raw, root), memberOf(root, 'output'));
  const field = CALL_FIELDS.get(type);
  const id = stringMember(raw, root, 'call_id').trim();
  if (field === undefined || (id === '' && type !== 'function_call'))
    return at(isAnswerType(type) ? 'tool' : 'assistant', carriedWhole(raw, root));
  const value = memberOf(root, field);
  const name = stringMember(raw, root, 'name') || type.replace(/_call$/, '');
  const wireType = type === 'function_call' ? {} : { wireType: type };
  return at('assistant', { kind: 'call', id, name, argumentsText: textOrJson(raw, value), ...wireType }, value);
}

/** An item with an id and no type is a reference to a stored one. */
function carriedWhole(raw: string, root: ObjectNode): Part {
  return opaquePart(raw, root, memberOf(root, 'id') ? 'item_reference' : 'unknown');
}

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
]);

function messageItem(raw: string, root: ObjectNode): LocatedMessage {
  const role = ROLES.get(stringMember(raw, root, 'role')) ?? 'user';
  const content = memberOf(root, 'content');
  const list = asArray(content);
  const text = stringOf(raw, content);
  const single: LocatedPart[] =
    content && text ? [{ part: { kind: 'text', text }, node: content, slot: { kind: 'content' }, value: content }] : [];
  const parts = list ? list.items.map((node, index) => contentPart(raw, node, { kind: 'element', list, index })) : single;
  return { raw, root, role, content, parts };
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text']);

function contentPart(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  const type = stringMember(raw, node, 'type');
  const value = memberOf(node, type === 'refusal' ? 'refusal' : 'text');
  const text = stringOf(raw, value);
  if (TEXT_TYPES.has(type) && text !== undefined) return { part: { kind: 'text', text }, node, slot, value };
  return { part: contentMedia(raw, node, type) ?? opaquePart(raw, node), node, slot };
}

function contentMedia(raw: string, node: JsonNode, type: string): MediaPart | undefined {
  if (type === 'input_image' || type === 'computer_screenshot') {
    const image = memberOf(node, 'image_url');
    return mediaPart(raw, 'image', { node, data: memberOf(image, 'url') ?? image });
  }
  if (type === 'input_audio') return mediaPart(raw, 'audio', { node, data: undefined });
  return type === 'input_file' ? mediaPart(raw, 'file', { node, data: undefined }) : undefined;
}

function reasoningPart(raw: string, root: ObjectNode): Part {
  const blocks = [...(asArray(memberOf(root, 'summary'))?.items ?? []), ...(asArray(memberOf(root, 'content'))?.items ?? [])];
  const text = blocks.map((block) => stringMember(raw, block, 'text')).join('\n');
  return { kind: 'thinking', text, isBound: false, opaqueChars: stringChars(memberOf(root, 'encrypted_content')) };
}

function resultPart(raw: string, root: ObjectNode): Part {
  const callId = (stringMember(raw, root, 'call_id') || stringMember(raw, root, 'id')).trim();
  const output = memberOf(root, 'output');
  const blocks = output?.kind === 'object' ? [output] : asArray(output)?.items;
  if (!blocks) return { kind: 'result', callId, text: textOrJson(raw, output), media: [] };
  const texts: string[] = [];
  const media: MediaPart[] = [];
  for (const block of blocks) {
    const { part } = contentPart(raw, block, { kind: 'message' });
    if (part.kind === 'media') media.push(part);
    else texts.push(part.kind === 'text' ? part.text : rawOf(raw, block));
  }
  return { kind: 'result', callId, text: texts.join('\n'), media };
}
