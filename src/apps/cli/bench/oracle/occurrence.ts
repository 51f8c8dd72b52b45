// Where a text stands in another as a word of its own, not inside a longer one.

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** Start of the next occurrence at or behind `from` whose neighbours are no letters or digits; -1 when there is none. */
export function nextOccurrence(text: string, part: string, from = 0): number {
  const isOpen = isWordCode(part.charCodeAt(0));
  const isClosed = isWordCode(part.charCodeAt(part.length - 1));
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isOpen && at > 0 && isWordCode(text.charCodeAt(at - 1))) continue;
    const end = at + part.length;
    if (!isClosed || end >= text.length || !isWordCode(text.charCodeAt(end))) return at;
  }
  return -1;
}

/** True when `part` stands in `text` as a word of its own. */
export function occursIn(text: string, part: string): boolean {
  return nextOccurrence(text, part) >= 0;
}
