// `ullage bench FILES…`: how good compactions of your own transcripts are, measured offline. Its work is loaded when it runs.
import type { Configure } from '../command.ts';
import { FORMATS } from '../formats/transcript.ts';

const DEFAULT_BUDGETS = '10,25,50';

export interface BenchFlags {
  readonly budget: string;
  readonly failUnder?: string;
  readonly window?: string;
  readonly price?: string;
  readonly format?: string;
  readonly maxSize?: string;
  /** A folder, or true for the default one. */
  readonly peers?: string | true;
  readonly speed?: boolean;
  readonly json?: boolean;
}

export const configure: Configure = (command, context) => {
  command
    .argument('[files...]', 'transcripts of your agents, or - for standard input')
    .option('--budget <percent>', 'sizes to compact to, percent of what is not pinned', DEFAULT_BUDGETS)
    .option('--fail-under <list>', 'exit with 70 when a figure is lower, such as cold@25=98,o2@25=94,validity=100')
    .option('--window <tokens>', 'window of the cost replay (default: 60k)')
    .option('--price <list>', 'prices cached:new of the replay, relative to the input price (default: 0.1:1.25,0.05:1.25,0.025:1.25)')
    .option('--speed', 'measure the time of planning, too; the output is then no longer the same each time')
    .option(
      '--peers [folder]',
      'measure other projects too, from a clone of the repository (default folder: bench/peers); installs them there',
    )
    .option('--format <format>', `skip the detection: ${FORMATS.join(', ')}`)
    .option('--max-size <size>', 'largest input that is read (default: 100MB)')
    .option('--json', 'one JSON document on standard output')
    .action(async (files: string[], flags: BenchFlags) => {
      const { runBench } = await import('../bench/run.ts');
      await runBench(files, flags, context);
    });
};
