// Text of a transcript on a terminal: nothing in it may steer the terminal.

/** The text without control characters, but with its lines and tabs. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}
