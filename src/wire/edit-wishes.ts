// What a list of part edits asks of one message: value changes at their places, and what goes away or comes in.
import { UllageError } from '../core/errors.ts';
import type { PartEdit } from '../core/plan/edit.ts';
import { quote } from './json/quote.ts';
import { memberOf, rawOf } from './json/read.ts';
import type { Change } from './json/splice.ts';
import type { ArrayNode, JsonNode, ObjectNode } from './json/tree.ts';
import type { LocatedMessage, LocatedPart } from './located.ts';

/** How one format writes what edits put in. */
export interface EditRules {
  /** JSON of a text block in this message's content array. `markers`: members kept from the block it replaces, as JSON text. */
  textBlock(message: LocatedMessage, text: string, markers: readonly string[]): string;
  /** JSON of the whole new content of a result. */
  resultContent(message: LocatedMessage, at: LocatedPart, text: string): string;
  /** The member of a result that holds its content. */
  readonly resultKey: 'content' | 'output';
  /** Index in the content array that prepended text goes in front of. */
  frontIndex(content: ArrayNode, raw: string): number;
  /** Whether text can be put in front of or behind this message's content. */
  takesText(message: LocatedMessage): boolean;
}

/** Everything the edits ask of one message, before it is turned into changes. */
export interface Wishes {
  readonly dropped: Set<number>;
  readonly changes: Change[];
  readonly front: string[];
  readonly back: string[];
  /** New members at the end of an object. */
  readonly newMembers: Map<ObjectNode, string[]>;
  /** New text of a content that is a plain string. */
  contentText?: string;
}

/** Reads the edits in order. Throws `internal` for an edit that does not fit its part. */
export function readWishes(message: LocatedMessage, edits: readonly PartEdit[], rules: EditRules): Wishes {
  const wishes: Wishes = { dropped: new Set(), changes: [], front: [], back: [], newMembers: new Map() };
  for (const edit of edits) addWish({ message, wishes, rules }, edit);
  return wishes;
}

interface Editing {
  readonly message: LocatedMessage;
  readonly wishes: Wishes;
  readonly rules: EditRules;
}

function addWish(editing: Editing, edit: PartEdit): void {
  const { message, wishes, rules } = editing;
  if (edit.kind === 'prepend-text' || edit.kind === 'append-text') {
    if (!rules.takesText(message)) throw wrongEdit(edit, 'this message takes no text');
    if (edit.kind === 'prepend-text') wishes.front.unshift(edit.text);
    else wishes.back.push(edit.text);
    return;
  }
  const at = message.parts[edit.part];
  if (at === undefined) throw wrongEdit(edit, `the message has ${message.parts.length} parts`);
  if (edit.kind === 'drop') wishes.dropped.add(edit.part);
  else if (edit.kind === 'replace-text') replaceText(editing, edit, at);
  else if (edit.kind === 'replace-arguments') wishes.changes.push(argumentsChange(at, edit));
  else if (at.part.kind !== 'media') throw wrongEdit(edit, `the part is ${at.part.kind}`);
  else wishes.changes.push(place(at.node, rules.textBlock(message, edit.text, markersOf(message.raw, at.node))));
}

type EditOf<K extends PartEdit['kind']> = Extract<PartEdit, { kind: K }>;

function replaceText({ message, wishes, rules }: Editing, edit: EditOf<'replace-text'>, at: LocatedPart): void {
  if (at.part.kind === 'text') {
    if (edit.text.trim() === '') wishes.dropped.add(edit.part);
    else if (at.slot.kind === 'content') wishes.contentText = edit.text;
    else wishes.changes.push(place(at.value ?? at.node, quote(edit.text)));
    return;
  }
  if (at.part.kind !== 'result') throw wrongEdit(edit, `the part is ${at.part.kind}`);
  const content = rules.resultContent(message, at, edit.text);
  if (at.value) wishes.changes.push(place(at.value, content));
  else if (at.node.kind === 'object') addMember(wishes, at.node, `"${rules.resultKey}":${content}`);
}

function argumentsChange(at: LocatedPart, edit: EditOf<'replace-arguments'>): Change {
  if (at.part.kind !== 'call' || at.value === undefined) throw wrongEdit(edit, 'the part has no arguments');
  if (at.value.kind === 'string') return place(at.value, quote(edit.argumentsText));
  if (!isJsonObject(edit.argumentsText)) throw wrongEdit(edit, 'the new arguments are not a JSON object');
  return place(at.value, edit.argumentsText.trim());
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A change of a whole node. */
export function place(node: JsonNode, text: string): Change {
  return { start: node.start, end: node.end, text };
}

/** A new member at the end of an object. */
export function addMember(wishes: Wishes, object: ObjectNode, text: string): void {
  wishes.newMembers.set(object, [...(wishes.newMembers.get(object) ?? []), text]);
}

/** Cache markers of a block, as JSON members: they stay when the block is replaced. */
export function markersOf(raw: string, node: JsonNode): readonly string[] {
  return ['cache_control', 'prompt_cache_breakpoint'].flatMap((key) => {
    const value = memberOf(node, key);
    return value === undefined || value.kind === 'null' ? [] : [`"${key}":${rawOf(raw, value)}`];
  });
}

function wrongEdit(edit: PartEdit, why: string): UllageError {
  const where = 'part' in edit ? ` of part ${edit.part}` : '';
  return new UllageError('internal', `The edit ${edit.kind}${where} does not fit: ${why}.`);
}
