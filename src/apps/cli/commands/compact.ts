// `ullage compact FILE`: a smaller request body from any transcript. Its work is loaded when it runs.
import type { Configure } from '../command.ts';
import { FORMATS } from '../formats/transcript.ts';

export interface CompactFlags {
  readonly window?: string;
  readonly target?: string;
  readonly format?: string;
  readonly focus?: string;
  readonly maxSize?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const configure: Configure = (command, context) => {
  command
    .argument('<file>', 'a transcript, or - for standard input')
    .option('--target <size>', 'tokens, or a share of the size of the file such as 25% (default: 25%, never more than 35% of the window)')
    .option('--window <tokens>', "the model's window, such as 200k; default: what is known of the model")
    .option('--format <format>', `skip the detection: ${FORMATS.join(', ')}`)
    .option('--focus <text>', 'what the summary should favour')
    .option('--output <file>', 'write the request there instead of standard output: whole or not at all')
    .option('--force', 'let --output replace the input file')
    .option('--dry-run', 'show the plan, write nothing')
    .option('--max-size <size>', 'largest input that is read (default: 100MB)')
    .option('--json', 'one JSON document on standard output; it holds the request unless --output is given')
    .action(async (file: string, flags: CompactFlags) => {
      const { runCompact } = await import('../compact/run.ts');
      await runCompact(file, flags, context);
    });
};
