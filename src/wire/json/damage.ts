// The one way a JSON fault is reported: what was expected, and the offset, line and column where it was not found.
import { UllageError } from '../../core/errors.ts';

/** Line and column (both from 1) of an offset in a text. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** The error for JSON text that breaks off or is malformed at `offset`. */
export function jsonDamage(text: string, offset: number, expected: string): UllageError {
  const at = Math.min(Math.max(offset, 0), text.length);
  const { line, column } = lineAndColumn(text, at);
  const found = at >= text.length ? 'the text ends there' : `found ${JSON.stringify(text.charAt(at))}`;
  return new UllageError(
    'transcript_invalid',
    `The JSON is damaged at offset ${at} (line ${line}, column ${column}): expected ${expected}, ${found}. Send the complete JSON text.`,
    { details: { offset: at, line, column } },
  );
}

/** The error for sound JSON that is not what this place needs. */
export function shapeDamage(text: string, offset: number, message: string): UllageError {
  const { line, column } = lineAndColumn(text, offset);
  return new UllageError('transcript_invalid', `${message} (offset ${offset}, line ${line}).`, { details: { offset, line, column } });
}
