// The one way an error leaves the command line: a line and a hint for people, one JSON document for programs.
import { UllageError } from '../../core/errors.ts';
import { colorsFor } from './terminal/colors.ts';
import type { Terminal } from './terminal/terminal.ts';
import { toSingleLine } from './terminal/text-width.ts';

export interface ReportOptions {
  readonly terminal: Terminal;
  readonly isJson: boolean;
}

/** Writes the error. Returns the exit status. */
export function reportError(error: unknown, { terminal, isJson }: ReportOptions): number {
  const known = UllageError.is(error) ? error : new UllageError('internal', messageOf(error), { cause: error });
  const { code, message, hint } = known;
  if (isJson) {
    terminal.stdout.write(`${JSON.stringify({ error: { code, message, hint } }, undefined, 2)}\n`);
    return known.exitCode;
  }
  const colors = colorsFor(terminal, terminal.stderr);
  terminal.stderr.write(`${colors.red('ullage:')} ${toSingleLine(message)}\n${colors.dim(toSingleLine(hint))}\n`);
  const trace = code === 'internal' && error instanceof Error ? error.stack : undefined;
  if (trace !== undefined) terminal.stderr.write(`${trace}\n`);
  return known.exitCode;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
