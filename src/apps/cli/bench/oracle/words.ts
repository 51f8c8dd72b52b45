// Plain words (o3): the prose around the names. Scripts without lower case have none.

const LEAST_LETTERS = 6;
const SEPARATOR = /\s+/;
const WORD = /(?<![\p{L}\p{N}_])\p{Ll}{6,}(?![\p{L}\p{N}_])/gu;

/** Lower-case words of at least six letters that stand outside paths, each once. */
export function extractWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const piece of text.split(SEPARATOR)) {
    if (piece.length < LEAST_LETTERS || piece.includes('/') || piece.includes('\\')) continue;
    for (const [word] of piece.matchAll(WORD)) words.add(word);
  }
  return words;
}

/** All lower-case words of a text, wherever they stand: what a reader of it finds. */
export function findWords(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(WORD), ([word]) => word));
}
