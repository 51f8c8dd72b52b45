// A JSON text as a tree of places: structure only, strings and numbers stay in the text until someone asks. No recursion.
import type { Span } from '../codec.ts';
import { jsonDamage } from './damage.ts';
import { readName } from './members.ts';
import { skipName, skipScalar, skipSpace } from './scan.ts';

/** A member of an object: its place runs from the quote of the name to the end of the value. */
export interface JsonMember extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

/** Members in the order they are written, repeated names too. */
export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}

/** Elements in order. */
export interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

/** A value without parts. */
export interface ScalarNode extends Span {
  readonly kind: 'string' | 'number' | 'true' | 'false' | 'null';
}

/** Any JSON value. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

type Growing<T> = { -readonly [K in keyof T]: T[K] };
type OpenMember = { key: string; value: JsonNode; start: number; end: number };
type OpenObject = Growing<Omit<ObjectNode, 'members'>> & { members: OpenMember[] };
type OpenArray = Growing<Omit<ArrayNode, 'items'>> & { items: JsonNode[] };
type OpenNode = OpenObject | OpenArray;

const NOTHING: ScalarNode = { kind: 'null', start: 0, end: 0 };

/** Reads one JSON value that fills the whole text. Throws transcript_invalid with the place of the damage. */
export function parseTree(text: string): JsonNode {
  const open: OpenNode[] = [];
  let position = skipSpace(text, 0);
  let root: JsonNode | undefined;
  for (;;) {
    const node = beginNode(text, position);
    root ??= node as JsonNode;
    attach(open[open.length - 1], node as JsonNode);
    if (node.kind === 'object' || node.kind === 'array') {
      position = skipSpace(text, node.start + 1);
      if (text[position] !== (node.kind === 'object' ? '}' : ']')) {
        open.push(node);
        position = beginElement(text, position, node);
        continue;
      }
      node.end = position + 1;
    }
    position = closeNodes(text, node.end, open);
    if (open.length === 0) break;
  }
  const end = skipSpace(text, position);
  if (end < text.length) throw jsonDamage(text, end, 'the end of the text');
  return root;
}

function beginNode(text: string, start: number): OpenNode | ScalarNode {
  const mark = text[start];
  if (mark === '{') return { kind: 'object', start, end: start, members: [] };
  if (mark === '[') return { kind: 'array', start, end: start, items: [] };
  return { kind: scalarKind(mark), start, end: skipScalar(text, start) };
}

function scalarKind(mark: string | undefined): ScalarNode['kind'] {
  if (mark === '"') return 'string';
  if (mark === 't') return 'true';
  if (mark === 'f') return 'false';
  return mark === 'n' ? 'null' : 'number';
}

/** Opens a member when the container is an object. Returns the offset of the value. */
function beginElement(text: string, start: number, container: OpenNode): number {
  if (container.kind === 'array') return start;
  const value = skipName(text, start);
  container.members.push({ key: readName(text, start), value: NOTHING, start, end: start });
  return value;
}

function attach(container: OpenNode | undefined, node: JsonNode): void {
  if (container === undefined) return;
  if (container.kind === 'array') container.items.push(node);
  else container.members[container.members.length - 1]!.value = node;
}

/** From behind a value: ends every container that closes here, then steps to the next value. */
function closeNodes(text: string, start: number, open: OpenNode[]): number {
  let position = start;
  while (open.length > 0) {
    const container = open[open.length - 1]!;
    if (container.kind === 'object') container.members[container.members.length - 1]!.end = position;
    position = skipSpace(text, position);
    const mark = text[position];
    if (mark === ',') return beginElement(text, skipSpace(text, position + 1), container);
    if (mark !== (container.kind === 'object' ? '}' : ']')) {
      throw jsonDamage(text, position, container.kind === 'object' ? "',' or '}'" : "',' or ']'");
    }
    position += 1;
    container.end = position;
    open.pop();
  }
  return position;
}
