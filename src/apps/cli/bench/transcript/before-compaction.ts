// The part of a transcript file before the first compaction that its own agent made: what comes later was written from a summary.

const ANSWER = /"role"\s*:\s*"assistant"/;
const MAY_BE_COMPACTION = /"isCompactSummary"|"compact_boundary"|"compaction"|"compacted"/;

/** The lines before the first real compaction; the whole text when there is none, or when no answer stands before it. */
export function beforeOwnCompaction(text: string): string {
  let hasAnswer = false;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (hasAnswer && MAY_BE_COMPACTION.test(line) && isCompaction(line)) return text.slice(0, start);
    hasAnswer ||= ANSWER.test(line);
    start = end + 1;
  }
  return text;
}

function isCompaction(line: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  const { type, subtype, isCompactSummary } = value as Record<string, unknown>;
  return isCompactSummary === true || subtype === 'compact_boundary' || type === 'compaction' || type === 'compacted';
}
