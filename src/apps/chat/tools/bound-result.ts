// A tool result is cut to what a model can read at all, its beginning and its end kept.

/** More is no use in any window, and would be stored for ever. */
export const LONGEST_RESULT_CHARS = 200_000;

/** The same text, or its two ends with a note of what is missing. */
export function boundResult(text: string, limit = LONGEST_RESULT_CHARS): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const missing = text.length - 2 * half;
  const note = `[… ${missing} of ${text.length} characters left out: the result is larger than ${limit} characters …]`;
  return `${text.slice(0, half)}\n${note}\n${text.slice(-half)}`.toWellFormed();
}
