// The streams a command talks to, and what they can show.
import type { Readable } from 'node:stream';

/** Width when the output is no terminal, and the least that is assumed of one. */
const DEFAULT_WIDTH = 80;
const LEAST_WIDTH = 40;

/** A stream that is written to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Columns that may be written. */
export function widthOf(output: Output): number {
  return output.isTTY === true && output.columns !== undefined ? Math.max(LEAST_WIDTH, output.columns) : DEFAULT_WIDTH;
}
