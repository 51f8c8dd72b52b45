// The hash of a stretch of a text: terms are compared by it, never as strings.

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** A stretch of a text: [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Hash of a stretch of a text; `isFolded` makes ASCII capitals small. */
export function hashOf(text: string, span: Span, isFolded: boolean): number {
  let hash = FNV_OFFSET;
  for (let at = span.start; at < span.end; at += 1) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ (isFolded && code >= 65 && code <= 90 ? code + 32 : code), FNV_PRIME);
  }
  return (hash ^ (hash >>> 15)) | 0;
}
