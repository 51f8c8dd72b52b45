// Colours only where they are seen and wanted.
import pc from 'picocolors';
import type { Output, Terminal } from './terminal.ts';

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for a stream: only on a terminal that shows them; NO_COLOR (when not empty) forbids them everywhere. */
export function colorsFor(terminal: Terminal, output: Output): Colors {
  const { NO_COLOR, TERM } = terminal.env;
  return pc.createColors(output.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb');
}
