// `ullage replay FILE…`: a transcript, request by request, through the engine and a real store. Its work is loaded when it runs.
import { Option } from 'commander';
import type { Configure } from '../command.ts';
import { FORMATS } from '../formats/transcript.ts';
import { DEFAULT_DATABASE } from '../shared/default-database.ts';

export interface ReplayFlags {
  readonly window?: string;
  readonly threshold?: string;
  readonly target?: string;
  readonly format?: string;
  readonly maxSize?: string;
  readonly db?: string;
  readonly incident?: string;
  readonly incidentProcess?: string;
  readonly json?: boolean;
}

export const configure: Configure = (command, context) => {
  command
    .argument('[files...]', 'transcripts, or - for standard input')
    .option('--window <tokens>', "the model's window, such as 200k; default: the model's, or a smaller one when nothing would happen in it")
    .option('--threshold <size>', 'compact at this size: tokens, or a share of what is usable such as 80% (default: 80%)')
    .option('--target <size>', 'compact to this size, likewise (default: 44% of the threshold)')
    .option('--db <file>', `keep the conversations there, such as ${DEFAULT_DATABASE}; default: a temporary file`)
    .option('--incident <name>', 'play a founding incident instead: restart or 220')
    .option('--format <format>', `skip the detection: ${FORMATS.join(', ')}`)
    .option('--max-size <size>', 'largest input that is read (default: 100MB)')
    .option('--json', 'one JSON document on standard output')
    // One process of the incident `restart`, started by it.
    .addOption(new Option('--incident-process <task>').hideHelp())
    .action(async (files: string[], flags: ReplayFlags) => {
      const { runReplay } = await import('../replay/run.ts');
      await runReplay(files, flags, context);
    });
};
