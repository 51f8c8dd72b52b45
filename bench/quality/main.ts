// The published figures of compaction quality: transcripts that were not tuned on, those that were, and made-up ones in other languages.
// Run: npm run bench:quality   (real transcripts are looked for in ../shared/corpus; --json prints the documents instead; --peers measures
// other projects in the same run, which it installs in their folders of bench/peers)
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import { DEFAULT_PRICES } from '../../src/apps/cli/bench/measures/prices.ts';
import { openPeers } from '../../src/apps/cli/bench/peers/open-peers.ts';
import { renderBench } from '../../src/apps/cli/bench/report/bench-text.ts';
import { documentText } from '../../src/apps/cli/bench/report/document.ts';
import type { BenchReport } from '../../src/apps/cli/bench/report/report.ts';
import { recordedStrategy } from '../../src/apps/cli/bench/strategies/recorded.ts';
import { hindsightStrategy } from '../../src/apps/cli/bench/strategies/ullage.ts';
import { runSuite, strategiesOf } from '../../src/apps/cli/bench/suite.ts';
import { type LoadedFile, loadFile } from '../../src/apps/cli/bench/transcript/load-file.ts';
import { createProgress } from '../../src/apps/cli/terminal/progress.ts';
import { CORPUS_FOLDER } from '../estimator-corpus.ts';
import { languageTranscripts } from './languages/transcripts.ts';
import { largeRequest } from './large-request.ts';
import { filesOf, type Side } from './split.ts';
import { spanishSummaries } from './summaries/spanish.ts';

const BUDGETS = [0.1, 0.25, 0.5];
const WINDOW_TOKENS = 60_000;
const WIDTH = 80;
const LARGE_BYTES = 4_000_000;
const FLAGS = ['--json', '--peers'];
const isJson = process.argv.includes('--json');
const PEERS_FOLDER = path.join(import.meta.dirname, '..', 'peers');

const unknown = process.argv.slice(2).find((argument) => !FLAGS.includes(argument));
if (unknown !== undefined) {
  console.error(`${unknown}: expected nothing or ${FLAGS.join(', ')}. Own transcripts are measured by: ullage bench FILES…`);
  process.exit(2);
}

const progress = createProgress({
  write: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  now: () => performance.now(),
});

const opened = process.argv.includes('--peers')
  ? await openPeers(PEERS_FOLDER, { onNote: (note) => console.error(note), taken: strategiesOf().map(({ name }) => name) })
  : undefined;

function corpusFiles(side: Side): readonly LoadedFile[] {
  return filesOf(side)
    .filter((name) => fs.existsSync(path.join(CORPUS_FOLDER, name)))
    .map((name) => loadFile({ name, text: fs.readFileSync(path.join(CORPUS_FOLDER, name), 'utf8') }));
}

const others = [hindsightStrategy(), ...(opened?.strategies ?? [])];

async function show(title: string, loaded: readonly LoadedFile[], strategies = others): Promise<void> {
  if (loaded.length === 0) {
    console.log(`\n== ${title}: no transcripts beside the checkout, skipped`);
    return;
  }
  const files = await runSuite(loaded, {
    budgets: BUDGETS,
    windowTokens: WINDOW_TOKENS,
    others: strategies,
    now: isJson ? undefined : () => performance.now(),
    onProgress: (label, done, total) => progress.update(label, done, total),
  });
  progress.clear();
  const report: BenchReport = {
    files,
    unread: [],
    budgets: BUDGETS,
    prices: DEFAULT_PRICES,
    windowTokens: WINDOW_TOKENS,
    verdicts: [],
    peers: opened?.peers,
  };
  if (isJson) console.log(documentText(report));
  else console.log([`\n== ${title}`, '', ...renderBench(report, { width: WIDTH, colors: pc.createColors(false) })].join('\n'));
}

function showMemory(): void {
  const script = path.join(import.meta.dirname, 'memory.ts');
  const input = JSON.stringify(largeRequest(LARGE_BYTES));
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script], { encoding: 'utf8', input });
  if (status !== 0) throw new Error('The memory measure failed.');
  const { messages, tokens, before, after, ms } = JSON.parse(stdout);
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  console.log(
    `\n== Memory\n\nA request of ${megabytes(LARGE_BYTES)} (${messages} messages, ${tokens} tokens) to 25 %: ${ms} ms. Peak of the whole process before ${megabytes(before.peakBytes)}, with the compaction ${megabytes(after.peakBytes)}.`,
  );
}

try {
  await show('Held out: transcripts that nothing was tuned on', corpusFiles('held-out'));
  await show('Tuned on', corpusFiles('tuned-on'));
  await show(
    'Made up, in Spanish, Chinese and Russian',
    languageTranscripts().map((source) => loadFile(source)),
  );
  const spanish = languageTranscripts().filter(({ text }) => text.includes(spanishSummaries.begins));
  await show(
    'The Spanish one, with summaries a model could have written (recorded) beside the facts',
    spanish.map((source) => loadFile(source)),
    [recordedStrategy([spanishSummaries])],
  );
} finally {
  opened?.close();
}
if (!isJson) showMemory();
