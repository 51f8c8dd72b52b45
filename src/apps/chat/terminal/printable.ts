// Words of a model on a terminal: nothing in them may steer it.

/** The text without control characters, but with its lines and tabs. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
}
