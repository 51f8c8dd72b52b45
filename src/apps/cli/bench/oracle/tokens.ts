// The second, independent extractor (o2): anything between separators that is not a plain word.

const LEAST_CHARS = 6;
const MOST_CHARS = 120;
const SEPARATOR = /[\s"'`,;(){}[\]<>|]+/;
const EDGE_START = /^[.:!?*=\\]+/;
const EDGE_END = /[.:!?*=\\]+$/;
const PLAIN_WORD = /^\p{Ll}+$/u;
/** A rule under a heading is no token. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Tokens of 6 to 120 characters that are not plain lower-case words, each once. */
export function extractTokens(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const piece of text.split(SEPARATOR)) {
    if (piece.length < LEAST_CHARS || piece.length > 2 * MOST_CHARS) continue;
    const token = piece.replace(EDGE_START, '').replace(EDGE_END, '');
    if (token.length >= LEAST_CHARS && token.length <= MOST_CHARS && !PLAIN_WORD.test(token) && LETTER_OR_DIGIT.test(token))
      tokens.add(token);
  }
  return tokens;
}
