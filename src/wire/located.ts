// A decoded message whose parts remember where they stand in its JSON text. Decoding and editing both start here, so indexes agree.
import { UllageError } from '../core/errors.ts';
import type { MediaPart, Message, OpaquePart, Part, Role } from '../core/transcript/entry.ts';
import { imagePixelSize } from './image-size.ts';
import { rawOf, stringMember, stringOf } from './json/read.ts';
import type { ArrayNode, JsonNode, ObjectNode } from './json/tree.ts';
import { parseTree } from './json/tree.ts';

/** What goes away when a part is dropped. */
export type Slot =
  /** An element of an array in the message. */
  | { readonly kind: 'element'; readonly list: ArrayNode; readonly index: number }
  /** The message's content, a plain string. */
  | { readonly kind: 'content' }
  /** A member of the message. */
  | { readonly kind: 'member'; readonly key: string }
  /** Nothing: the field has to stay, its string is emptied. */
  | { readonly kind: 'blank' }
  /** The whole message. */
  | { readonly kind: 'message' };

/** One part and its place. */
export interface LocatedPart {
  readonly part: Part;
  /** The block, item or value the part was read from. */
  readonly node: JsonNode;
  readonly slot: Slot;
  /** What an edit replaces: the text, the arguments, the content of a result. */
  readonly value?: JsonNode;
}

/** A message with the places of its parts. */
export interface LocatedMessage {
  readonly raw: string;
  readonly root: ObjectNode;
  readonly role: Role;
  readonly parts: readonly LocatedPart[];
  /** The message's content, where its format has one. */
  readonly content?: JsonNode;
}

/** The JSON object of a message. Throws transcript_invalid for anything else. */
export function messageObject(raw: string): ObjectNode {
  const root = parseTree(raw);
  if (root.kind === 'object') return root;
  throw new UllageError(
    'transcript_invalid',
    `A message must be a JSON object, not ${root.kind === 'array' ? 'an array' : `a ${root.kind}`}. Send an object.`,
  );
}

/** The message without places. */
export function toMessage(located: LocatedMessage): Message {
  return { role: located.role, parts: located.parts.map((at) => at.part), raw: located.raw };
}

/** A part that is carried whole. */
export function opaquePart(raw: string, node: JsonNode, fallbackType = 'unknown'): OpaquePart {
  return { kind: 'opaque', type: stringMember(raw, node, 'type') || fallbackType, sizeChars: node.end - node.start };
}

/** An image, file or sound; `data` is the string that holds its base64 or address. */
export function mediaPart(raw: string, mediaKind: MediaPart['mediaKind'], at: { node: JsonNode; data: JsonNode | undefined }): MediaPart {
  const { node, data } = at;
  const sizeBytes = node.end - node.start;
  if (mediaKind !== 'image' || data?.kind !== 'string') return { kind: 'media', mediaKind, sizeBytes };
  return { kind: 'media', mediaKind, sizeBytes, ...imagePixelSize(raw.slice(data.start + 1, data.end - 1)) };
}

/** A string as it is, any other value as its JSON text; '' for nothing. */
export function textOrJson(raw: string, node: JsonNode | undefined): string {
  if (node === undefined || node.kind === 'null') return '';
  return stringOf(raw, node) ?? rawOf(raw, node);
}
