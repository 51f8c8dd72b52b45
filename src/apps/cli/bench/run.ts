// Runs `ullage bench`: flags and files in, the measures out.
import path from 'node:path';
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { BenchFlags } from '../commands/bench.ts';
import { parseFormat } from '../input/parse-format.ts';
import { MOST_BYTES, readText } from '../input/read-text.ts';
import { colorsFor } from '../terminal/colors.ts';
import { parseBytes, parseTokens } from '../terminal/numbers.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { widthOf } from '../terminal/terminal.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { parseBudgets } from './budgets.ts';
import { DEFAULT_PRICES, parsePrices } from './measures/prices.ts';
import { DEFAULT_PEERS_FOLDER, type OpenPeers, openPeers } from './peers/open-peers.ts';
import { renderBench } from './report/bench-text.ts';
import { documentText } from './report/document.ts';
import type { BenchReport, UnreadFile } from './report/report.ts';
import { judge, parseThresholds } from './report/thresholds.ts';
import { runSuite, strategiesOf } from './suite.ts';
import { type LoadedFile, loadFile } from './transcript/load-file.ts';

const FAILED_EXIT_CODE = 70;
const BAD_INPUT_EXIT_CODE = 65;
const DEFAULT_WINDOW_TOKENS = 60_000;

export async function runBench(files: readonly string[], flags: BenchFlags, context: CommandContext): Promise<void> {
  const { stdout, stderr, now } = context.terminal;
  const progress = createProgress({ write: (text) => stderr.write(text), isTerminal: stderr.isTTY === true, now });
  let report: BenchReport;
  try {
    report = await measureFiles(files, flags, { context, progress });
  } finally {
    progress.clear();
  }
  const isScored = report.files.some(({ status }) => status === 'scored');
  const options = { width: widthOf(stdout), colors: colorsFor(context.terminal, stdout) };
  const text = flags.json === true ? documentText(report) : renderBench(report, options).join('\n');
  stdout.write(`${text}\n`);
  if (report.unread.length > 0 || !isScored) context.setExitCode(BAD_INPUT_EXIT_CODE);
  else if (report.verdicts.some(({ isReached }) => !isReached)) context.setExitCode(FAILED_EXIT_CODE);
}

async function measureFiles(
  names: readonly string[],
  flags: BenchFlags,
  { context, progress }: { readonly context: CommandContext; readonly progress: Progress },
): Promise<BenchReport> {
  const budgets = parseBudgets(flags.budget);
  const thresholds = parseThresholds(flags.failUnder, budgets);
  const prices = flags.price === undefined ? DEFAULT_PRICES : parsePrices('--price', flags.price);
  const windowTokens = flags.window === undefined ? DEFAULT_WINDOW_TOKENS : parseTokens('--window', flags.window);
  const { loaded, unread } = await loadAll(names, flags, { context, progress });
  const opened = await peersOf(flags, context);
  try {
    const files = await runSuite(loaded, {
      budgets,
      windowTokens,
      others: opened?.strategies,
      now: flags.speed === true ? () => performance.now() : undefined,
      onProgress: (label, done, total) => progress.update(toSingleLine(label), done, total),
    });
    return { files, unread, budgets, prices, windowTokens, verdicts: judge(files, thresholds), peers: opened?.peers };
  } finally {
    opened?.close();
  }
}

async function peersOf({ peers }: BenchFlags, { terminal }: CommandContext): Promise<OpenPeers | undefined> {
  if (peers === undefined) return undefined;
  return openPeers(peers === true ? DEFAULT_PEERS_FOLDER : peers, {
    onNote: (note) => terminal.stderr.write(`${note}\n`),
    taken: strategiesOf().map(({ name }) => name),
  });
}

async function loadAll(
  names: readonly string[],
  flags: BenchFlags,
  { context, progress }: { readonly context: CommandContext; readonly progress: Progress },
): Promise<{ readonly loaded: readonly LoadedFile[]; readonly unread: readonly UnreadFile[] }> {
  if (names.length === 0) {
    throw new UllageError('usage_invalid', 'Name the transcripts to measure: ullage bench FILES…', {
      hint:
        typeof flags.peers === 'string'
          ? `${flags.peers} was taken as the folder of --peers: put --peers behind the files, or write --peers=FOLDER.`
          : 'Any sessions of your agents do, such as ~/.claude/projects/*/*.jsonl; ullage bench --help says more.',
    });
  }
  const format = parseFormat(flags.format);
  const limitBytes = flags.maxSize === undefined ? undefined : parseBytes('--max-size', flags.maxSize, MOST_BYTES);
  const loaded: LoadedFile[] = [];
  const unread: UnreadFile[] = [];
  const files = eachOnce(names);
  for (const [index, name] of files.entries()) {
    progress.update(`reading ${toSingleLine(path.basename(name))}`, index, files.length);
    try {
      loaded.push(loadFile(await readText(name, { stdin: context.terminal.stdin, limitBytes }), format));
    } catch (error) {
      if (!UllageError.is(error)) throw error;
      unread.push({ name, code: error.code, message: error.message });
    }
  }
  return { loaded, unread };
}

/** A transcript that counted twice would make the intervals narrower than they are. */
function eachOnce(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name === '-' ? name : path.resolve(name), name])).values()];
}
