// Results that a newer one makes worthless: the same text again, or a newer read of the same thing.
import type { CallPart, Entry, ResultPart } from '../transcript/entry.ts';
import { type Pairing, placeKey } from './pairing.ts';

/** Shorter results cost less than a stub. */
const SHORTEST_REPEAT_CHARS = 120;
const READ_NAME = /(?:^|_)(?:read|view|cat|open|fetch|get|show)/i;
const TARGET_KEYS = ['file_path', 'path', 'filename', 'file', 'notebook_path', 'uri', 'url'];
const RANGE_KEYS = ['offset', 'limit', 'start', 'end', 'start_line', 'end_line', 'view_range', 'lines', 'range', 'pages'];

/** Why a result is worth nothing any more. */
export type Repeat = 'identical' | 'superseded';

const isReadName = (name: string): boolean => READ_NAME.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));

/** What a read looked at, and whether it looked at all of it; undefined when the call is no read. */
export function readTarget(call: CallPart): { readonly target: string; readonly isWhole: boolean } | undefined {
  if (!isReadName(call.name)) return undefined;
  const args = parsedObject(call.argumentsText);
  const key = TARGET_KEYS.find((name) => typeof args?.[name] === 'string');
  if (args === undefined || key === undefined) return undefined;
  return {
    target: `${call.name}\n${String(args[key])}`,
    isWhole: RANGE_KEYS.every((name) => args[name] === undefined || args[name] === null),
  };
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Repeated results by the {@link placeKey} of the older one. Newest kept; failures never replace or are replaced as reads. */
export function findRepeats(entries: readonly Entry[], pairing: Pairing): ReadonlyMap<number, Repeat> {
  const repeats = new Map<number, Repeat>();
  const texts = new Set<string>();
  const wholeReads = new Set<string>();
  const partReads = new Set<string>();
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const { parts } = entries[index]!.message;
    for (let part = parts.length - 1; part >= 0; part -= 1) {
      const result = parts[part]!;
      if (result.kind !== 'result' || result.text.length < SHORTEST_REPEAT_CHARS) continue;
      const key = placeKey(index, part);
      if (texts.has(result.text) && result.media.length === 0) repeats.set(key, 'identical');
      else if (isSuperseded(result, pairing.callOf.get(key)?.call, { wholeReads, partReads })) repeats.set(key, 'superseded');
      texts.add(result.text);
    }
  }
  return repeats;
}

interface Reads {
  readonly wholeReads: Set<string>;
  readonly partReads: Set<string>;
}

function isSuperseded(result: ResultPart, call: CallPart | undefined, reads: Reads): boolean {
  const read = call === undefined || result.isError === true ? undefined : readTarget(call);
  if (read === undefined || call === undefined) return false;
  const exact = `${call.name}\n${call.argumentsText}`;
  const isOld = reads.wholeReads.has(read.target) || reads.partReads.has(exact);
  reads.partReads.add(exact);
  if (read.isWhole) reads.wholeReads.add(read.target);
  return isOld;
}
