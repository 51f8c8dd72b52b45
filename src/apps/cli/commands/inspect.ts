// `ullage inspect FILE`: what fills the context of a transcript. Its work is loaded when it runs: help and usage errors stay fast.
import type { Configure } from '../command.ts';
import { FORMATS } from '../formats/transcript.ts';

const DEFAULT_TOP = '10';

export interface InspectFlags {
  readonly window?: string;
  readonly format?: string;
  readonly top: string;
  readonly maxSize?: string;
  readonly json?: boolean;
}

export const configure: Configure = (command, context) => {
  command
    .argument('<file>', 'a transcript, or - for standard input')
    .option('--window <tokens>', "the model's window, such as 200k; default: what is known of the model")
    .option('--format <format>', `skip the detection: ${FORMATS.join(', ')}`)
    .option('--top <count>', 'rows of each table', DEFAULT_TOP)
    .option('--max-size <size>', 'largest input that is read (default: 100MB)')
    .option('--json', 'one JSON document on standard output')
    .action(async (file: string, flags: InspectFlags) => {
      const { runInspect } = await import('../inspect/run.ts');
      await runInspect(file, flags, context);
    });
};
