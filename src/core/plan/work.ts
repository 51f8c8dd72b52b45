// Work per entry: its texts without secrets, cut into lines. It depends on the entry alone, so a caller may keep it between plans.
import { redactSecrets } from '../summary/redact.ts';
import type { Entry, Part } from '../transcript/entry.ts';
import type { LineTable } from './line-table.ts';
import { cutLines, cutSentences } from './lines.ts';
import { printArguments, printRecords, type Records } from './records.ts';

/** Where a text came from. Weights of terms depend on it most of all. */
export const SOURCE = { call: 0, said: 1, thought: 2, user: 3, result: 4, record: 5 } as const;

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

/** The lines of a text without its secrets: taken out of the whole, because a line or a name alone no longer tells that it is one. */
export const readLines = (text: string): LineTable => cutLines(redactSecrets(text));

function sourceOf(entry: Entry, part: Part, index: number): Source | undefined {
  const { role } = entry.message;
  const source = (kind: number, text: string): Source | undefined =>
    text.length === 0
      ? undefined
      : { kind, part: index, table: kind === SOURCE.user ? cutSentences(redactSecrets(text)) : readLines(text) };
  if (part.kind === 'text') return source(role === 'assistant' ? SOURCE.said : role === 'user' ? SOURCE.user : SOURCE.result, part.text);
  if (part.kind === 'thinking') return source(SOURCE.thought, part.text);
  if (part.kind === 'call') return recordSource(SOURCE.call, printArguments(redactSecrets(part.argumentsText)), index);
  return part.kind === 'result' ? resultSource(redactSecrets(part.text), index) : undefined;
}

function resultSource(text: string, part: number): Source | undefined {
  const records = text === '' ? undefined : printRecords(text);
  if (records !== undefined) return recordSource(SOURCE.record, records, part);
  return text === '' ? undefined : { kind: SOURCE.result, part, table: cutLines(text) };
}

function recordSource(kind: number, { text, keys, tables }: Records, part: number): Source | undefined {
  return text === '' ? undefined : { kind, part, table: cutLines(text, keys, tables) };
}
