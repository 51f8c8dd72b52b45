// Applies part edits to the raw text of one message: all bytes outside the edited places survive.
import type { PartEdit } from '../core/plan/edit.ts';
import type { EditRules, Wishes } from './edit-wishes.ts';
import { addMember, place, readWishes } from './edit-wishes.ts';
import { quote } from './json/quote.ts';
import { asArray } from './json/read.ts';
import type { Change } from './json/splice.ts';
import { listChanges, spliceText } from './json/splice.ts';
import type { ArrayNode } from './json/tree.ts';
import type { LocatedMessage } from './located.ts';

/** The message with its edits applied; '' when no text, call, result or media is left to send. */
export function editLocated(message: LocatedMessage, edits: readonly PartEdit[], rules: EditRules): string {
  const wishes = readWishes(message, edits, rules);
  if (!isSendable(message, wishes)) return '';
  const content = contentChange(message, wishes);
  return spliceText(message.raw, [...wishes.changes, ...content, ...listWishes(message, wishes, rules)]);
}

/** Reasoning alone is no message, nor is white space. */
function isSendable(message: LocatedMessage, wishes: Wishes): boolean {
  if (wishes.dropped.size === 0 || wishes.front.length > 0 || wishes.back.length > 0) return true;
  return message.parts.some(({ part }, index) => {
    if (wishes.dropped.has(index) || part.kind === 'thinking') return false;
    return part.kind !== 'text' || part.text.trim() !== '';
  });
}

/** A content that is a string stays one: new text is joined to it by a blank line. Without content, it becomes that text. */
function contentChange(message: LocatedMessage, wishes: Wishes): readonly Change[] {
  const { content, raw } = message;
  if (asArray(content)) return [];
  const isDropped = message.parts.some((at, index) => at.slot.kind === 'content' && wishes.dropped.has(index));
  const { front, back, contentText } = wishes;
  if (!isDropped && contentText === undefined && front.length + back.length === 0) return [];
  const kept = content?.kind === 'string' && !isDropped ? raw.slice(content.start + 1, content.end - 1) : '';
  const own = contentText === undefined ? kept : quotedInner(contentText);
  const pieces = [...front.map(quotedInner), own, ...back.map(quotedInner)].filter((piece) => piece !== '');
  const text = pieces.length === 0 ? 'null' : `"${pieces.join('\\n\\n')}"`;
  if (content) return [place(content, text)];
  addMember(wishes, message.root, `"content":${text}`);
  return [];
}

function quotedInner(text: string): string {
  return quote(text).slice(1, -1);
}

/** Dropped elements and members, and inserted blocks. */
function listWishes(message: LocatedMessage, wishes: Wishes, rules: EditRules): readonly Change[] {
  const { raw, root } = message;
  const lists = new Map<ArrayNode, Set<number>>();
  const keys = new Set<string>();
  const changes: Change[] = [];
  for (const index of wishes.dropped) {
    const { slot, node } = message.parts[index]!;
    if (slot.kind === 'element') lists.set(slot.list, (lists.get(slot.list) ?? new Set()).add(slot.index));
    else if (slot.kind === 'member') keys.add(slot.key);
    else if (slot.kind === 'blank') changes.push(place(node, '""'));
  }
  const content = asArray(message.content);
  const inserted = content ? insertedBlocks(message, wishes, { content, rules }) : new Map<number, readonly string[]>();
  if (content && inserted.size > 0 && !lists.has(content)) lists.set(content, new Set());
  for (const [list, removed] of lists) {
    const isContent = list === content;
    if (removed.size < list.items.length || (isContent && inserted.size > 0)) {
      changes.push(...listChanges(raw, { list, elements: list.items, removed, ...(isContent ? { inserted } : {}) }));
    } else if (isContent) changes.push(place(list, 'null'));
    else for (const member of root.members) if (member.value === list) keys.add(member.key);
  }
  return [...changes, ...memberChanges(message, wishes, keys)];
}

function insertedBlocks(
  message: LocatedMessage,
  wishes: Wishes,
  target: { content: ArrayNode; rules: EditRules },
): Map<number, readonly string[]> {
  const { content, rules } = target;
  const block = (text: string): string => rules.textBlock(message, text, []);
  const inserted = new Map<number, readonly string[]>();
  if (wishes.front.length > 0) inserted.set(rules.frontIndex(content, message.raw), wishes.front.map(block));
  const end = content.items.length;
  if (wishes.back.length > 0) inserted.set(end, [...(inserted.get(end) ?? []), ...wishes.back.map(block)]);
  return inserted;
}

function memberChanges(message: LocatedMessage, wishes: Wishes, keys: ReadonlySet<string>): readonly Change[] {
  const objects = new Set([...wishes.newMembers.keys(), ...(keys.size > 0 ? [message.root] : [])]);
  return [...objects].flatMap((object) => {
    const isRemoved = (key: string): boolean => object === message.root && keys.has(key);
    const removed = new Set(object.members.flatMap((member, index) => (isRemoved(member.key) ? [index] : [])));
    const inserted = new Map([[object.members.length, wishes.newMembers.get(object) ?? []]]);
    return listChanges(message.raw, { list: object, elements: object.members, removed, inserted });
  });
}
