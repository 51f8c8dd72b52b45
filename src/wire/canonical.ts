// The canonical form of a message for its fingerprint: sorted keys, no cache markers, no empty fields, a lone text block as a
// string. Arguments of calls are data: their keys are sorted and nothing is taken out. One pass, no recursion.
import { canonicalNumber, canonicalString } from './json/canonical-scalar.ts';
import { memberOf, stringMember, stringOf } from './json/read.ts';
import type { ArrayNode, JsonMember, JsonNode, ObjectNode } from './json/tree.ts';
import { parseTree } from './json/tree.ts';

/** What one format leaves out. */
export interface CanonicalRules {
  /** Members of the message itself that the transport adds. */
  readonly messageKeys: ReadonlySet<string>;
  /** Members of any block that the transport adds. */
  readonly blockKeys: ReadonlySet<string>;
}

/** Markers that clients move from turn to turn. */
const MARKER_KEYS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint']);
/** Members that hold what a model wrote into a call. */
const DATA_KEYS: ReadonlySet<string> = new Set(['input', 'arguments', 'action', 'operation']);
/** Members whose array may be a lone text block. */
const CONTENT_KEYS: ReadonlySet<string> = new Set(['content', 'output']);
const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text']);

interface Frame {
  readonly node: ObjectNode | ArrayNode;
  readonly members: readonly JsonMember[];
  readonly text: string;
  /** Inside the arguments of a call. */
  readonly isData: boolean;
  readonly depth: number;
  /** Length of the output before this value. */
  readonly mark: number;
  next: number;
  emitted: number;
}

/** Writes the canonical form of a parsed message. */
export function canonicalForm(text: string, root: ObjectNode, rules: CanonicalRules): string {
  const out: string[] = [];
  const open: Frame[] = [beginFrame({ text, node: root, isData: false }, 0, out)];
  while (open.length > 0) {
    const top = open[open.length - 1]!;
    const child = top.node.kind === 'array' ? writeItems(top, top.node.items, out) : writeMembers(top, out, rules);
    if (child) open.push(child);
    else endFrame(open, out);
  }
  return out.join('');
}

/** What is written: a node, the text it stands in, and whether it is part of a call's arguments. */
interface Written {
  readonly text: string;
  readonly node: JsonNode;
  readonly isData: boolean;
}

function beginFrame(written: Written & { readonly node: ObjectNode | ArrayNode }, depth: number, out: string[]): Frame {
  const { text, node, isData } = written;
  const mark = out.length;
  out.push(node.kind === 'object' ? '{' : '[');
  return { text, node, isData, depth, mark, members: node.kind === 'object' ? sortedMembers(node) : [], next: 0, emitted: 0 };
}

function endFrame(open: Frame[], out: string[]): void {
  const done = open.pop()!;
  const parent = open[open.length - 1];
  if (done.emitted === 0 && !done.isData && done.node.kind === 'object' && parent?.node.kind === 'object') {
    // An object left empty goes with its name, which stands just before it.
    out.length = done.mark - 1;
    return;
  }
  out.push(done.node.kind === 'object' ? '}' : ']');
  if (parent) parent.emitted += 1;
}

/** By code unit; of a repeated name only the last. */
function sortedMembers(node: ObjectNode): readonly JsonMember[] {
  if (node.members.length < 2) return node.members;
  const sorted = [...node.members].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.filter((member, index) => sorted[index + 1]?.key !== member.key);
}

/** Writes elements up to the next container, which is returned to be walked. */
function writeItems(top: Frame, items: readonly JsonNode[], out: string[]): Frame | undefined {
  const { text, isData } = top;
  while (top.next < items.length) {
    const node = items[top.next]!;
    top.next += 1;
    if (top.emitted > 0) out.push(',');
    if (node.kind === 'object' || node.kind === 'array') return beginFrame({ text, node, isData }, top.depth + 1, out);
    out.push(scalar(text, node));
    top.emitted += 1;
  }
  return undefined;
}

/** Writes members up to the next container, which is returned to be walked. */
function writeMembers(top: Frame, out: string[], rules: CanonicalRules): Frame | undefined {
  while (top.next < top.members.length) {
    const member = top.members[top.next]!;
    top.next += 1;
    if (!top.isData && isExtra(member.key, top.depth, rules)) continue;
    const { text, node, isData } = writtenValue(top, member);
    if (!top.isData && isEmpty(node)) continue;
    out.push(`${top.emitted > 0 ? ',' : ''}${JSON.stringify(member.key)}:`);
    if (node.kind === 'object' || node.kind === 'array') return beginFrame({ text, node, isData }, top.depth + 1, out);
    out.push(scalar(text, node));
    top.emitted += 1;
  }
  return undefined;
}

function isExtra(key: string, depth: number, rules: CanonicalRules): boolean {
  return MARKER_KEYS.has(key) || (depth === 0 ? rules.messageKeys : rules.blockKeys).has(key);
}

function isEmpty(node: JsonNode): boolean {
  if (node.kind === 'string') return node.end - node.start === 2;
  if (node.kind === 'object') return node.members.length === 0;
  return node.kind === 'array' ? node.items.length === 0 : node.kind === 'null';
}

/** What is written for a member: the value, the text of a lone text block, or the object inside an arguments string. */
function writtenValue(top: Frame, member: JsonMember): Written {
  const { text } = top;
  const { key, value } = member;
  if (top.isData) return { text, node: value, isData: true };
  if (CONTENT_KEYS.has(key)) return { text, node: loneText(text, value) ?? value, isData: false };
  if (!DATA_KEYS.has(key)) return { text, node: value, isData: false };
  if (key !== 'arguments' || value.kind !== 'string') return { text, node: value, isData: true };
  return parsedArguments(text, value) ?? { text, node: value, isData: false };
}

/** Clients write the same arguments with other white space after a restart: the object inside counts, not its layout. */
function parsedArguments(text: string, value: JsonNode): Written | undefined {
  const inside = stringOf(text, value) ?? '';
  if (!inside.trimStart().startsWith('{')) return undefined;
  try {
    return { text: inside, node: parseTree(inside), isData: true };
  } catch {
    return undefined;
  }
}

/** The text string of an array that holds one plain text block and nothing that counts beside it. */
function loneText(text: string, value: JsonNode): JsonNode | undefined {
  const block = value.kind === 'array' && value.items.length === 1 ? value.items[0] : undefined;
  if (block?.kind !== 'object') return undefined;
  const words = memberOf(block, 'text');
  const hasMore = block.members.some(({ key, value: more }) => key !== 'text' && key !== 'type' && !MARKER_KEYS.has(key) && !isEmpty(more));
  if (words?.kind !== 'string' || hasMore) return undefined;
  return TEXT_TYPES.has(stringMember(text, block, 'type')) ? words : undefined;
}

function scalar(text: string, node: JsonNode): string {
  if (node.kind === 'string') return canonicalString(text, node);
  return node.kind === 'number' ? canonicalNumber(text.slice(node.start, node.end)) : text.slice(node.start, node.end);
}
