// Work per entry: its texts cut into lines. It depends on the entry alone, so a caller may keep it between plans.
import type { CallPart, Entry, Part } from '../transcript/entry.ts';
import type { LineTable } from './line-table.ts';
import { cutLines } from './lines.ts';

/** Where a text came from. Weights of terms depend on it most of all. */
export const SOURCE = { call: 0, said: 1, thought: 2, user: 3, result: 4 } as const;

/** One text of an entry. */
export interface Source {
  readonly kind: number;
  readonly part: number;
  readonly table: LineTable;
}

/** The texts of an entry by part; undefined for parts without text. */
export interface EntryWork {
  readonly sources: readonly (Source | undefined)[];
}

/** Kept between plans by a caller that plans often; changes no result. */
export type EntryWorkCache = WeakMap<Entry, EntryWork>;

/** Looks work up, or does it. */
export class Workbench {
  private readonly cache: EntryWorkCache;

  constructor(cache: EntryWorkCache = new WeakMap()) {
    this.cache = cache;
  }

  of(entry: Entry): EntryWork {
    const known = this.cache.get(entry);
    if (known !== undefined) return known;
    const work = { sources: entry.message.parts.map((part, index) => sourceOf(entry, part, index)) };
    this.cache.set(entry, work);
    return work;
  }
}

function sourceOf(entry: Entry, part: Part, index: number): Source | undefined {
  const { role } = entry.message;
  const source = (kind: number, text: string): Source | undefined =>
    text.length === 0 ? undefined : { kind, part: index, table: cutLines(text) };
  if (part.kind === 'text') return source(role === 'assistant' ? SOURCE.said : role === 'user' ? SOURCE.user : SOURCE.result, part.text);
  if (part.kind === 'thinking') return source(SOURCE.thought, part.text);
  if (part.kind === 'call') return source(SOURCE.call, argumentLines(part));
  return part.kind === 'result' ? source(SOURCE.result, part.text) : undefined;
}

/** The arguments as readable lines, `key: value` behind the first; text that is not JSON stays as it is. */
export function argumentLines(part: CallPart): string {
  let value: unknown;
  try {
    value = JSON.parse(part.argumentsText);
  } catch {
    return part.argumentsText;
  }
  return leafLines(value).join('\n');
}

interface Leaf {
  readonly value: unknown;
  readonly key: string;
}

function leafLines(value: unknown): readonly string[] {
  const lines: string[] = [];
  const stack: Leaf[] = [{ value, key: '' }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const leaf = next.value;
    if (typeof leaf === 'object' && leaf !== null) pushChildren(stack, leaf, next.key);
    else if (leaf !== null && leaf !== '')
      lines.push(next.key === '' || (lines.length === 0 && typeof leaf === 'string') ? String(leaf) : `${next.key}: ${String(leaf)}`);
  }
  return lines;
}

function pushChildren(stack: Leaf[], parent: object, key: string): void {
  const isList = Array.isArray(parent);
  for (const [name, value] of Object.entries(parent).reverse()) stack.push({ value, key: isList ? key : name });
}
