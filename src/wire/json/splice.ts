// Replaces places of a text. Everything outside the places keeps its bytes.
import type { Span } from '../codec.ts';

/** One place and what stands there afterwards. An empty place is an insertion. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** By place; at one place insertions first, then the longest change. */
function byPlace(a: Change, b: Change): number {
  if (a.start !== b.start) return a.start - b.start;
  if (a.end === a.start || b.end === b.start) return a.end - b.end;
  return b.end - a.end;
}

/** Applies changes in any order. A change that lies inside another one is void: the outer one decides. */
export function spliceText(text: string, changes: readonly Change[]): string {
  if (changes.length === 0) return text;
  const ordered = [...changes].sort(byPlace);
  let out = '';
  let done = 0;
  for (const change of ordered) {
    if (change.start < done) continue;
    out += text.slice(done, change.start) + change.text;
    done = change.end;
  }
  return out + text.slice(done);
}

/** What happens to the elements of one array, or the members of one object. */
export interface ListChange {
  /** The list's place, brackets or braces included. */
  readonly list: Span;
  readonly elements: readonly Span[];
  /** Elements that go away. */
  readonly removed?: ReadonlySet<number>;
  /** New elements by the index they stand in front of; the number of elements = at the end. */
  readonly inserted?: ReadonlyMap<number, readonly string[]>;
}

/** Changes that remove and insert list elements. They touch only the gaps: kept elements may be changed at the same time. */
export function listChanges(text: string, change: ListChange): readonly Change[] {
  const { list, elements } = change;
  const separator = elements.length > 1 ? text.slice(elements[0]!.end, elements[1]!.start) : ',';
  const changes: Change[] = [];
  let pending: string[] = [];
  let isGapTouched = false;
  let last: Span | undefined;
  const closeGap = (next: Span | undefined): void => {
    const isNeeded = isGapTouched || pending.length > 0;
    if (isNeeded) changes.push(gap({ text, list, elements, separator }, { last, next, pending }));
    pending = [];
    isGapTouched = false;
  };
  elements.forEach((element, index) => {
    pending.push(...(change.inserted?.get(index) ?? []));
    if (change.removed?.has(index)) {
      isGapTouched = true;
      return;
    }
    closeGap(element);
    last = element;
  });
  pending.push(...(change.inserted?.get(elements.length) ?? []));
  closeGap(undefined);
  return changes;
}

interface ListText {
  readonly text: string;
  readonly list: Span;
  readonly elements: readonly Span[];
  readonly separator: string;
}

/** The text between two kept neighbours (or a bracket and a neighbour): white space at the brackets stays. */
function gap(source: ListText, between: { last: Span | undefined; next: Span | undefined; pending: readonly string[] }): Change {
  const { text, list, elements, separator } = source;
  const { last, next, pending } = between;
  const middle = pending.join(separator);
  if (last && next) {
    return { start: last.end, end: next.start, text: middle === '' ? separator : `${separator}${middle}${separator}` };
  }
  const lead = elements[0] ? text.slice(list.start + 1, elements[0].start) : '';
  const trail = elements.length > 0 ? text.slice(elements[elements.length - 1]!.end, list.end - 1) : '';
  if (next) return { start: list.start + 1, end: next.start, text: middle === '' ? lead : `${lead}${middle}${separator}` };
  if (last) return { start: last.end, end: list.end - 1, text: middle === '' ? trail : `${separator}${middle}${trail}` };
  return { start: list.start + 1, end: list.end - 1, text: middle === '' ? '' : `${lead}${middle}${trail}` };
}
