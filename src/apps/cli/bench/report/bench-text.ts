// A run as a person reads it: retention first, then everything else, then what was not measured.
import { plural } from '../../shared/plural.ts';
import { formatCount } from '../../terminal/numbers.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { toSingleLine, wrapText } from '../../terminal/text-width.ts';
import type { FileResult } from '../file-result.ts';
import type { Price } from '../measures/prices.ts';
import { LEAST_FACTS } from '../oracle/cut.ts';
import { replayRows, roundRows, speedRow, totalSoundness, totalStored } from './other-rows.ts';
import { renderPeers } from './peers-text.ts';
import type { BenchReport } from './report.ts';
import { percentText, renderFiles, renderKinds, renderRetention, type TextOptions } from './retention-text.ts';

const RIGHT = (title: string): Column => ({ title, align: 'right' });

const NOTHING_SCORED =
  'Nothing to score: no transcript holds a cut with enough facts that were needed again. Pass longer agent sessions, of some 10,000 tokens and more.';

export function renderBench(report: BenchReport, options: TextOptions): string[] {
  const isScored = report.files.some(({ status }) => status === 'scored');
  const retention = isScored
    ? [
        ...renderRetention(report, options),
        ...renderPeers(report, options),
        ...renderKinds(report, options),
        ...renderFiles(report, options),
      ]
    : wrapText(NOTHING_SCORED, options.width);
  return [
    ...retention,
    ...(isScored ? soundnessLines(report, options) : []),
    ...roundLines(report, options),
    ...(isScored ? [...replayLines(report, options), ...speedLines(report, options)] : []),
    ...unscoredLines(report, options),
    ...verdictLines(report, options),
  ];
}

function soundnessLines({ files }: BenchReport, { width }: TextOptions): string[] {
  const { requests, invalid, broken, repeats, unstable, different, deadHandles } = totalSoundness(files);
  const stored = totalStored(files);
  const rules = [...new Set(broken)].join(', ');
  const lines = [
    `Valid on each API: ${requests - invalid} of ${formatCount(requests)} requests${rules === '' ? '' : `; broken: ${rules}`}`,
    `Idempotent: ${repeats - unstable} of ${repeats} unchanged when compacted again; ${repeats - different} of ${repeats} the same bytes twice`,
    `Handles that open nothing: ${deadHandles}`,
    ...(stored.messages === 0
      ? []
      : [`Stored: ${formatCount(stored.same)} of ${formatCount(stored.messages)} replayed messages came back byte for byte`]),
  ];
  return ['', ...lines.flatMap((line) => wrapText(line, width, '  '))];
}

const SHORT_TYPES: Readonly<Record<string, string>> = { constraint: 'rule', decision: 'decis.', argument: 'arg.', number: 'numb.' };

function roundLines({ files }: BenchReport, { width, colors }: TextOptions): string[] {
  const rows = roundRows(files);
  if (rows.length === 0) return [];
  const types = Object.keys(rows[0]!.types);
  const columns: Column[] = [
    { title: 'canaries kept', isFlexible: true },
    RIGHT('round'),
    RIGHT('all'),
    ...types.map((type) => RIGHT(SHORT_TYPES[type] ?? type)),
    RIGHT('stale'),
    RIGHT('size'),
  ];
  const cells = rows.map((row) => [
    row.round === 1 ? row.strategy : '',
    String(row.round),
    percentText(row.survival, 0),
    ...types.map((type) => percentText(row.types[type], 0)),
    percentText(row.stale, 0),
    row.filled.toFixed(2),
  ]);
  const head = `Five rounds of compact and append at one budget (a quarter of the first round), ${plural(rows[0]!.transcripts, 'transcript')}. Said once, by the user (rule), the agent (decision, argument of a call), a tool (error, path, number). stale: only the outdated value of a changed setting is left. size: the largest, of the budget.`;
  return ['', ...wrapText(head, width), ...renderTable(columns, cells, { width, paintHead: colors.bold })];
}

function replayLines({ files, prices, windowTokens }: BenchReport, { width, colors }: TextOptions): string[] {
  const rows = replayRows(files, prices);
  if (rows.length === 0) return ['', ...wrapText(noReplayText(files, windowTokens), width)];
  const columns: Column[] = [
    { title: 'replay', isFlexible: true },
    ...['requests', 'compacted', 'over', 'cached', ...prices.map((price) => priceText(price, prices))].map(RIGHT),
  ];
  const cells = rows.map((row) => [
    row.strategy,
    formatCount(row.requests),
    String(row.compactions),
    String(row.overWindow),
    percentText(row.cached),
    ...row.costs.map((cost) => cost.toFixed(2)),
  ]);
  const head = `Replay in a window of ${formatCount(windowTokens)} tokens, ${plural(rows[0]!.transcripts, 'transcript')}: cost of all against never compacting, at ${pricesText(prices)}. compacted: times. over: requests larger than the window. cached: percent of what was sent.`;
  return ['', ...wrapText(head, width), ...renderTable(columns, cells, { width, paintHead: colors.bold })];
}

function noReplayText(files: readonly FileResult[], windowTokens: number): string {
  const window = `a window of ${formatCount(windowTokens)} tokens`;
  return files.some(({ isOverWindow }) => isOverWindow === true)
    ? `Replay: no request fits ${window}: what cannot be compacted, such as system prompt and tools, fills it. Name a larger one with --window.`
    : `Replay: no transcript is large enough for a compaction in ${window}.`;
}

/** Prices that differ only in cached tokens are told by those. */
function isOneFresh(prices: readonly Price[]): boolean {
  return prices.every(({ fresh }) => fresh === prices[0]?.fresh);
}

function priceText({ cached, fresh }: Price, prices: readonly Price[]): string {
  return isOneFresh(prices) ? `@${cached}` : `${cached}:${fresh}`;
}

function pricesText(prices: readonly Price[]): string {
  const told = prices.map((price) => priceText(price, prices)).join(', ');
  return isOneFresh(prices)
    ? `prices of a cached token of ${told} of the input price, of a new one of ${prices[0]?.fresh}`
    : `prices ${told} of a cached and a new token`;
}

function speedLines({ files }: BenchReport, { width }: TextOptions): string[] {
  const row = speedRow(files);
  if (row === undefined) return [];
  return [
    '',
    ...wrapText(
      `Planning to 25 %, ${plural(row.plannings, 'time')}: half save ${formatCount(row.savedPerMsP50)} tokens per ms or more, 95 % save ${formatCount(row.savedPerMsP95)}; per 55,000 tokens of history ${row.msPer55kP50.toFixed(0)} ms (p50), ${row.msPer55kP95.toFixed(0)} ms (p95).`,
      width,
    ),
  ];
}

function reasonOf({ status, mostFacts }: FileResult): string {
  if (status === 'too_short') return 'too short: there is no place to cut it with enough behind';
  return `fewer than ${LEAST_FACTS} needed facts at every cut (at most ${mostFacts})`;
}

function unscoredLines({ files, unread }: BenchReport, { width, colors }: TextOptions): string[] {
  const unscored = files.filter(({ status }) => status !== 'scored').map((file) => `${file.name}: ${reasonOf(file)}`);
  const broken = unread.map(({ name, message }) => (message.startsWith(name) ? message : `${name}: ${message}`));
  return [
    ...(unscored.length === 0 ? [] : ['', 'No facts were scored in:', ...unscored.map((line) => `  ${toSingleLine(line)}`)]),
    ...(broken.length === 0
      ? []
      : [
          '',
          colors.red('Could not be read:'),
          ...broken.flatMap((line) => wrapText(toSingleLine(line), width - 4, '  ').map((part) => `  ${part}`)),
        ]),
  ];
}

function verdictLines({ verdicts }: BenchReport, { colors }: TextOptions): string[] {
  if (verdicts.length === 0) return [];
  const told = verdicts.map(({ text, measured, isReached }) => {
    const value = measured === undefined ? 'not measured' : measured.toFixed(1);
    return isReached ? `  ${colors.green('reached')}  ${text}: ${value}` : `  ${colors.red('missed')}   ${text}: ${value}`;
  });
  return ['', 'Thresholds:', ...told];
}
