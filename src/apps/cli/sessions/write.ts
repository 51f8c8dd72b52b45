// Output of the subcommands: a JSON document, or lines.
import type { CommandContext } from '../command.ts';

export interface Written {
  readonly document: object;
  readonly lines: () => readonly string[];
}

export function writeResult({ terminal }: CommandContext, flags: { readonly json?: boolean }, { document, lines }: Written): void {
  const text = flags.json === true ? JSON.stringify(document, undefined, 2) : lines().join('\n');
  terminal.stdout.write(`${text}\n`);
}
