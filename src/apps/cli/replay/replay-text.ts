// Replays as a person reads them.
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import { plural } from '../shared/plural.ts';
import type { Colors } from '../terminal/colors.ts';
import { formatCount, formatDuration, formatShare } from '../terminal/numbers.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { cutMiddle, toSingleLine, wrapText } from '../terminal/text-width.ts';
import type { PlayedRequest } from './play.ts';
import type { FileReplay } from './replay-files.ts';
import { sizeLine } from './size-lines.ts';
import { addTotals, CACHED_PRICE, NEW_PRICE, type Totals } from './totals.ts';

export interface ReplayTextOptions {
  readonly width: number;
  readonly colors: Colors;
  /** The database that was named; undefined = it is gone. */
  readonly db?: string;
}

const INDENT = '  ';
const LABEL_CHARS = 8;
const NUMBER_CHARS = 12;

export function renderReplays(replays: readonly FileReplay[], options: ReplayTextOptions): string[] {
  const blocks = replays.map((replay) => renderReplay(replay, options));
  const all = addTotals(replays.map(({ totals }) => totals));
  const total = replays.length > 1 ? [options.colors.bold(`All ${replays.length} transcripts`), ...totalLines(all, options)] : [];
  return [...blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block])), ...(total.length > 0 ? ['', ...total] : [])];
}

function renderReplay(replay: FileReplay, options: ReplayTextOptions): string[] {
  const { loaded, window, play, totals, key } = replay;
  const { width, colors, db } = options;
  const { format, api, model } = loaded.transcript;
  const budget = play.budget;
  const marks = budget && `compaction is due at ${formatCount(budget.threshold)} and aims for ${formatCount(budget.target)}`;
  const setting = [`window ${formatCount(window.tokens)} (${toSingleLine(window.why)})`, marks]
    .filter((part) => part !== undefined)
    .join('; ');
  return [
    colors.bold(cutMiddle(toSingleLine(loaded.name), width)),
    `${format === api ? '' : `${format} → `}${api} request, ${model === undefined ? 'model unknown' : toSingleLine(model)}`,
    ...wrapText(setting, width, INDENT),
    ...(db === undefined ? [] : [cutMiddle(`session ${toSingleLine(key)} in ${toSingleLine(db)}`, width)]),
    '',
    ...sizeLines(play.requests, options),
    ...outcomeTable(play.requests, options),
    '',
    ...totalLines(totals, options),
  ];
}

function sizeLines(requests: readonly PlayedRequest[], { width, colors }: ReplayTextOptions): string[] {
  const history = requests.map(({ historyTokens }) => historyTokens);
  const sent = requests.map((request) => request.sent?.tokens);
  const top = history.reduce((largest, tokens) => Math.max(largest, tokens), 0);
  const line = (label: string, values: readonly (number | undefined)[]) => {
    const bars = sizeLine(values, { width: width - LABEL_CHARS - NUMBER_CHARS, top });
    const most = values.reduce<number>((largest, tokens) => Math.max(largest, tokens ?? 0), 0);
    return `${label.padEnd(LABEL_CHARS)}${bars} ${colors.dim(formatCount(most))}`;
  };
  return [line('history', history), line('sent', sent)];
}

/** A run of requests that ended alike. */
interface Run {
  readonly from: number;
  to: number;
  readonly outcome: CompactionOutcome;
}

function runsOf(requests: readonly PlayedRequest[]): Run[] {
  const runs: Run[] = [];
  requests.forEach(({ outcome }, index) => {
    if (outcome === undefined) return;
    const last = runs.at(-1);
    const isSame =
      last !== undefined && last.to === index && last.outcome.status === outcome.status && last.outcome.reason === outcome.reason;
    if (isSame && outcome.status !== 'compacted') last.to = index + 1;
    else runs.push({ from: index + 1, to: index + 1, outcome });
  });
  return runs;
}

function outcomeTable(requests: readonly PlayedRequest[], { width, colors }: ReplayTextOptions): string[] {
  const runs = runsOf(requests);
  if (runs.length === 0) return [];
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [right('request'), right('tokens'), right('then'), { title: 'what', isFlexible: true }, right('ms')];
  const rows = runs.map(({ from, to, outcome }) => [
    from === to ? `#${from}` : `#${from}–${to}`,
    formatCount(outcome.oldRequestTokens),
    outcome.status === 'compacted' ? formatCount(outcome.newRequestTokens) : '',
    whatWasDone(outcome),
    outcome.status === 'compacted' ? String(Math.round(requests[from - 1]?.prepareMs ?? 0)) : '',
  ]);
  return renderTable(columns, rows, { width, indent: INDENT, paintHead: colors.dim });
}

const TRIGGERS: Partial<Record<CompactionOutcome['triggerReason'], string>> = {
  provider_overflow: 'the provider refused it: ',
  message_hygiene: 'message limit: ',
};

function whatWasDone(outcome: CompactionOutcome): string {
  const { status, reason, stages, triggerReason } = outcome;
  if (status !== 'compacted') return `${status.replace('_', ' ')}: ${reason ?? ''}`;
  const done = stages.map(
    ({ kind, count }) => `${kind === 'fold' ? 'folded' : kind === 'prune' ? 'pruned' : 'shortened'} ${formatCount(count)}`,
  );
  return `${TRIGGERS[triggerReason] ?? ''}${done.join(', ')}`;
}

function totalLines(totals: Totals, { width }: ReplayTextOptions): string[] {
  const { never } = totals;
  const { sentTokens } = totals;
  const sentences = [
    `${plural(totals.requests, 'request')}, ${plural(totals.compactions, 'compaction')}; the largest request had ${formatCount(totals.largestTokens)} tokens` +
      (totals.compactions === 0 ? '.' : `, without compaction ${formatCount(never.largestTokens)}.`),
    `Sent ${formatCount(sentTokens)} tokens in all, ${formatShare(sentTokens / Math.max(1, never.sentTokens))} of ${formatCount(never.sentTokens)} without compaction; ${formatShare(totals.cacheShare)} of them the same as at the start of the request before (cached).`,
  ];
  if (totals.costRatio !== undefined) {
    const over =
      never.overWindow === 0
        ? ''
        : `; without it ${formatCount(never.overWindow)} of the ${plural(totals.requests, 'request')} would not have fitted the window`;
    const prices = `a cached token at ${CACHED_PRICE}, a new one at ${NEW_PRICE} of the input price`;
    sentences.push(`Cost ${totals.costRatio.toFixed(2)} × that of never compacting (${prices})${over}.`);
  }
  if (totals.unsent > 0) sentences.push(`${plural(totals.unsent, 'request')} could not be made to fit and were not sent.`);
  sentences.push(
    totals.invalid === 0
      ? `Every request keeps the rules of its API; the engine took ${formatDuration(totals.prepareMs)}, ${formatDuration(totals.prepareMs / Math.max(1, totals.requests))} a request.`
      : `${plural(totals.invalid, 'request')} break a rule of the API.`,
  );
  return sentences.flatMap((sentence) => wrapText(sentence, width, INDENT));
}
