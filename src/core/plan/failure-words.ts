// Which words tell that something failed. In source code `error` is a type and `failed` a variable: weak words need a sign beside them.
import { hashOf, type Span } from './term-hash.ts';

const hashesOf = (words: string): ReadonlySet<number> =>
  new Set(words.split(' ').map((word) => hashOf(word, { start: 0, end: word.length }, true)));

const STRONG = hashesOf('failed failure failures fatal panic traceback denied refused aborted crashed');
const WEAK = hashesOf('error errors exception fail fails undefined conflict timeout warning');
const COLON = 58;
const UPPER_FIRST = 65;
const UPPER_LAST = 90;

const isUpper = (code: number): boolean => code >= UPPER_FIRST && code <= UPPER_LAST;

/** How surely a word tells of a failure. */
export const FAILURE = { none: 0, mentioned: 1, told: 2 } as const;

/** A plain word: told by a strong one, or by a weak one in capitals or in front of a colon; else weak ones only mention it. */
export function failureOfWord(text: string, word: Span, foldedHash: number): number {
  if (STRONG.has(foldedHash)) return FAILURE.told;
  if (!WEAK.has(foldedHash)) return FAILURE.none;
  return text.charCodeAt(word.end) === COLON || isUpper(text.charCodeAt(word.start + 1)) ? FAILURE.told : FAILURE.mentioned;
}

/** The name of an error: told in front of its message, `TypeError: …`. */
export function failureOfName(text: string, word: Span): number {
  const isError = text.startsWith('Error', word.end - 'Error'.length) || text.startsWith('Exception', word.end - 'Exception'.length);
  if (!isError) return FAILURE.none;
  return text.charCodeAt(word.end) === COLON ? FAILURE.told : FAILURE.mentioned;
}
