// Finds the places of the members of one object or the elements of one array; their values are only skipped.
import type { Span } from '../codec.ts';
import { jsonDamage } from './damage.ts';
import { skipName, skipSpace, skipString, skipValue } from './scan.ts';

/** Called for each member; returns the offset behind its value, or undefined to end the walk. */
export type MemberVisit = (key: string, valueStart: number) => number | undefined;

/** The member name whose opening quote stands at `start`. */
export function readName(text: string, start: number): string {
  const end = skipString(text, start);
  const inner = text.slice(start + 1, end - 1);
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    throw jsonDamage(text, start, 'a member name with valid escapes');
  }
}

/** Walks the members of the object at `start` in order, repeated names too. Returns the offset behind it, or where the walk was ended. */
export function visitMembers(text: string, start: number, visit: MemberVisit): number {
  if (text[start] !== '{') throw jsonDamage(text, start, 'an object');
  let position = skipSpace(text, start + 1);
  if (text[position] === '}') return position + 1;
  for (;;) {
    const valueStart = skipName(text, position);
    const valueEnd = visit(readName(text, position), valueStart);
    if (valueEnd === undefined) return valueStart;
    position = skipSpace(text, valueEnd);
    const mark = text[position];
    if (mark === '}') return position + 1;
    if (mark !== ',') throw jsonDamage(text, position, "',' or '}'");
    position = skipSpace(text, position + 1);
  }
}

/** The values of an object's members by name; of a repeated name the last, as JSON.parse has it. */
export function scanMembers(text: string, start: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  visitMembers(text, start, (key, valueStart) => {
    const end = skipValue(text, valueStart);
    members.set(key, { start: valueStart, end });
    return end;
  });
  return members;
}

/**
 * The elements of the array at `start`, and the offset behind it. `known` are the first elements, at least one, when their places are known
 * already: the text up to the last one is not looked at.
 */
export function scanElements(
  text: string,
  start: number,
  known: readonly Span[] = [],
): { readonly elements: readonly Span[]; readonly end: number } {
  if (text[start] !== '[') throw jsonDamage(text, start, 'an array');
  const elements = known.slice();
  let position = skipSpace(text, start + 1);
  if (text[position] === ']') return { elements, end: position + 1 };
  let end = known.at(-1)?.end;
  for (;;) {
    if (end === undefined) {
      end = skipValue(text, position);
      elements.push({ start: position, end });
    }
    position = skipSpace(text, end);
    end = undefined;
    const mark = text[position];
    if (mark === ']') return { elements, end: position + 1 };
    if (mark !== ',') throw jsonDamage(text, position, "',' or ']'");
    position = skipSpace(text, position + 1);
  }
}
