// Lines that define something, as source code of most languages does: what they name is used again more often than what is only mentioned.

const LONGEST_KEYWORD_CHARS = 9;
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'func def class type interface function const let var export struct enum fn pub public private protected static abstract async trait impl ' +
    'module package namespace final'
  ).split(' '),
);

/** True when text[start, end) begins with the keyword of a definition. */
export function defines(text: string, start: number, end: number): boolean {
  const most = Math.min(end, start + LONGEST_KEYWORD_CHARS + 1);
  let at = start;
  while (at < most && text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122) at += 1;
  return at < end && text.charCodeAt(at) === 32 && KEYWORDS.has(text.slice(start, at));
}
