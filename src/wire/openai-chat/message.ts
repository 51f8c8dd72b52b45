// Chat Completions messages → parts with places. Order: reasoning, content, calls, as they are written on the wire by most servers.
import type { MediaPart, Role } from '../../core/transcript/entry.ts';
import { asArray, memberOf, rawOf, stringMember, stringOf } from '../json/read.ts';
import type { JsonNode, ObjectNode } from '../json/tree.ts';
import type { LocatedMessage, LocatedPart, Slot } from '../located.ts';
import { mediaPart, messageObject, opaquePart, textOrJson } from '../located.ts';
import { callParts } from './calls.ts';
import { reasoningParts, thinkingText } from './reasoning.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Reads one message with the places of its parts. */
export function locateChat(raw: string): LocatedMessage {
  const root = messageObject(raw);
  const role = ROLES.get(stringMember(raw, root, 'role')) ?? 'user';
  const content = memberOf(root, 'content');
  if (role === 'tool') return { raw, root, role, content, parts: [resultPart(raw, root, content)] };
  const parts = [
    ...reasoningParts(raw, root),
    ...contentParts(raw, content),
    ...refusalPart(raw, root),
    ...callParts(raw, root),
    ...audioPart(raw, root),
  ];
  return { raw, root, role, content, parts };
}

function resultPart(raw: string, root: ObjectNode, content: JsonNode | undefined): LocatedPart {
  const callId = (stringMember(raw, root, 'tool_call_id') || stringMember(raw, root, 'name')).trim();
  const texts: string[] = [];
  const media: MediaPart[] = [];
  for (const item of asArray(content)?.items ?? []) {
    const { part } = contentPart(raw, item, { kind: 'message' });
    if (part.kind === 'media') media.push(part);
    else texts.push(part.kind === 'text' ? part.text : rawOf(raw, item));
  }
  const text = asArray(content) ? texts.join('\n') : textOrJson(raw, content);
  return { part: { kind: 'result', callId, text, media }, node: root, slot: { kind: 'message' }, value: content };
}

function contentParts(raw: string, content: JsonNode | undefined): readonly LocatedPart[] {
  const list = asArray(content);
  if (list) return list.items.map((node, index) => contentPart(raw, node, { kind: 'element', list, index }));
  const text = stringOf(raw, content);
  if (content === undefined || !text) return [];
  return [{ part: { kind: 'text', text }, node: content, slot: { kind: 'content' }, value: content }];
}

function contentPart(raw: string, node: JsonNode, slot: Slot): LocatedPart {
  const type = stringMember(raw, node, 'type');
  const value = memberOf(node, type === 'refusal' ? 'refusal' : 'text');
  const text = stringOf(raw, value);
  if ((type === 'text' || type === 'refusal') && text !== undefined) return { part: { kind: 'text', text }, node, slot, value };
  if (type === 'thinking') return { part: { kind: 'thinking', text: thinkingText(raw, node), isBound: false, opaqueChars: 0 }, node, slot };
  return { part: contentMedia(raw, node, type) ?? opaquePart(raw, node), node, slot };
}

function contentMedia(raw: string, node: JsonNode, type: string): MediaPart | undefined {
  const body = memberOf(node, type);
  if (type === 'image_url') return mediaPart(raw, 'image', { node, data: memberOf(body, 'url') ?? body });
  if (type === 'input_audio') return mediaPart(raw, 'audio', { node, data: undefined });
  return type === 'file' || type === 'video_url' ? mediaPart(raw, 'file', { node, data: undefined }) : undefined;
}

/** A refusal beside the content, as the API returns it. */
function refusalPart(raw: string, root: ObjectNode): readonly LocatedPart[] {
  const value = memberOf(root, 'refusal');
  const text = stringOf(raw, value);
  if (value === undefined || !text) return [];
  return [{ part: { kind: 'text', text }, node: value, slot: { kind: 'member', key: 'refusal' }, value }];
}

/** The reference to a spoken answer. */
function audioPart(raw: string, root: ObjectNode): readonly LocatedPart[] {
  const node = memberOf(root, 'audio');
  return node?.kind === 'object' ? [{ part: opaquePart(raw, node, 'audio'), node, slot: { kind: 'member', key: 'audio' } }] : [];
}
