// Cuts JSON text that is known to be valid into the raw texts of its members and elements, and puts such texts together: what is passed
// on keeps its bytes, so that a 20-digit number in a tool's arguments is the same number afterwards.
import { scanElements, scanMembers } from '../../../wire/json/members.ts';
import { skipSpace } from '../../../wire/json/scan.ts';

/** Raw text of each member of an object, by its key; the last one of a repeated key, like JSON.parse. Empty for anything else. */
export function rawMembers(text: string | undefined): ReadonlyMap<string, string> {
  const start = skipSpace(text ?? '', 0);
  if (text?.[start] !== '{') return new Map();
  return new Map([...scanMembers(text, start)].map(([key, span]) => [key, text.slice(span.start, span.end)]));
}

/** Raw text of each element of an array. Empty for anything else. */
export function rawElements(text: string | undefined): readonly string[] {
  const start = skipSpace(text ?? '', 0);
  if (text?.[start] !== '[') return [];
  return scanElements(text, start).elements.map((span) => text.slice(span.start, span.end));
}

/** An object from raw member texts, in this order; members that are undefined are left out. */
export function rawObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(members).flatMap(([key, raw]) => (raw === undefined ? [] : [`${JSON.stringify(key)}:${raw}`]));
  return `{${parts.join(',')}}`;
}

/** An array from raw element texts. */
export function rawArray(elements: readonly string[]): string {
  return `[${elements.join(',')}]`;
}
