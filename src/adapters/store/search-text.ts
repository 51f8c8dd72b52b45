// Searching stored texts: what matches, in which order, and the excerpt. Linear in the text, safe on any query.

/** Characters of an excerpt, of which so many stand before the match. */
const EXCERPT_CHARS = 200;
const EXCERPT_LEAD_CHARS = 60;
/** More terms than a person types; the rest of a pasted page would only make a query slow. */
const MAX_TERMS = 32;
const MAX_TERM_CHARS = 256;

/** The terms of a query, folded, without repetition. Empty for an empty query. */
export function searchTerms(query: string): string[] {
  const terms = foldText(query)
    .split(/[\s\0]+/u)
    .filter((term) => term !== '')
    .map((term) => term.slice(0, MAX_TERM_CHARS));
  return [...new Set(terms)].slice(0, MAX_TERMS);
}

/** The words of a term, as a word index cuts it: letters, digits and marks; all else separates. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
}

const foldedChars = new Map<string, string>();

/** Lower case without accents, as long as the text: an index into one is an index into the other. */
export function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII.
  if (/^[\x00-\x7f]*$/u.test(text)) return text.toLowerCase();
  let folded = '';
  for (const char of text) folded += char < '\x80' ? char.toLowerCase() : foldChar(char);
  return folded;
}

function foldChar(char: string): string {
  const known = foldedChars.get(char);
  if (known !== undefined) return known;
  const bare = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const folded = bare.length === char.length ? bare : char;
  foldedChars.set(char, folded);
  return folded;
}

/** Whether the text holds every term somewhere. `folded` is the folded text. */
export function hasEveryTerm(folded: string, terms: readonly string[]): boolean {
  return terms.every((term) => folded.includes(term));
}

/** A short piece of the text around the first match of any term, on one line. */
export function excerptOf(text: string, terms: readonly string[]): string {
  const folded = foldText(text);
  const found = terms.flatMap((term) => [term, ...wordsOf(term)]).map((term) => folded.indexOf(term));
  const at = found.find((index) => index >= 0) ?? 0;
  const from = wholeChar(text, Math.max(0, at - EXCERPT_LEAD_CHARS));
  const to = wholeChar(text, Math.min(text.length, from + EXCERPT_CHARS));
  const piece = text.slice(from, to).replace(/\s+/gu, ' ').trim();
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}

/** An index that does not cut a surrogate pair. */
function wholeChar(text: string, index: number): number {
  return index > 0 && index < text.length && text.codePointAt(index - 1)! > 0xffff ? index - 1 : index;
}
