// Character classes for cutting a text into terms. One table look-up per character.

/** Letters, digits, underscore and everything beyond ASCII that is not white space or punctuation. */
export const WORD = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** Joins two word characters into one name: `src/a.ts`, `pre-commit`, `a.b`. */
export const JOIN = 8;
/** Joins only inside an address. */
export const URL_JOIN = 16;
/** May stand in front of a name: `--flag`, `/usr`, `~/x`, `.env`, `@scope`, `$HOME`. */
export const LEAD = 32;
export const UNDERSCORE = 64;

const TABLE = new Uint8Array(128);
for (let code = 97; code <= 122; code += 1) TABLE[code] = WORD;
for (let code = 65; code <= 90; code += 1) TABLE[code] = WORD | UPPER;
for (let code = 48; code <= 57; code += 1) TABLE[code] = WORD | DIGIT;
TABLE[95] = WORD | UNDERSCORE;
const mark = (characters: string, flags: number): void => {
  for (const character of characters) TABLE[character.charCodeAt(0)]! |= flags;
};
mark('-./:@#+~', JOIN);
mark('=&?%', URL_JOIN);
mark('-./~@$#', LEAD);

/** The flags of a UTF-16 code unit. Half of a surrogate pair counts as a word character. */
export function charClass(code: number): number {
  if (code < 128) return TABLE[code]!;
  if (code < 0xc0) return 0;
  return (code >= 0x2000 && code <= 0x206f) || (code >= 0x2190 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) ? 0 : WORD;
}

/** True for scripts written without spaces, where each pair of characters is a term of its own. */
export function isWide(code: number): boolean {
  return code >= 0x3040 && ((code <= 0x9fff && code >= 0x3040) || (code >= 0xac00 && code <= 0xd7af));
}

/** True for the second half of a surrogate pair: a text is never cut in front of one. */
export function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
