// The line a message begins on, for error messages.
import { lineAndColumn } from '../../../wire/json/damage.ts';
import { scanElements, scanMembers } from '../../../wire/json/members.ts';
import { skipSpace } from '../../../wire/json/scan.ts';
import type { Document } from './document.ts';

/** Line (from 1) of the element `index` of the document's array, or of the array under `key`. */
export function messageLine(document: Document, key: string | undefined, index: number): number {
  const { text, value } = document;
  if (value === undefined) return document.lines[index]?.number ?? 1;
  const start = skipSpace(text, 0);
  const array = key === undefined ? start : scanMembers(text, start).get(key)?.start;
  const element = array === undefined || text[array] !== '[' ? undefined : scanElements(text, array).elements[index];
  return lineAndColumn(text, element?.start ?? start).line;
}
