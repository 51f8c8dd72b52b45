// The line around a fact, and whether two such lines say the same.

/** Longer lines are data: so many characters on each side of the fact stand for the line. */
const SIDE_CHARS = 120;
const WORD =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}_]){2,}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Share of the original line's words that another line must hold. */
const SHARED = 0.5;

/** Words of a text, lower case. A letter of a script without spaces is a word. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase()));
}

/** Also as it is written inside a text of JSON. */
const LINE_BREAK = /\n|\\n/;

/** The line that holds [at, at + length), cut to a window around it. */
export function lineAround(text: string, at: number, length: number): string {
  const end = at + length;
  // Only the window is searched: a megabyte without a line break is read once for each of its facts otherwise.
  const before = text.slice(Math.max(0, at - SIDE_CHARS), at);
  const behind = text.slice(end, end + SIDE_CHARS);
  const line = before.split(LINE_BREAK).at(-1)! + text.slice(at, end) + behind.split(LINE_BREAK, 1)[0]!;
  return line.trim();
}

/** True when `line` holds at least half of the words of `original`. */
export function isSameLine(original: ReadonlySet<string>, line: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of original) if (line.has(word)) shared += 1;
  return shared >= SHARED * original.size;
}
