// What a compaction did, in a few lines for people.
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import { plural } from '../shared/plural.ts';
import type { RequestSize } from '../shared/request-size.ts';
import type { Colors } from '../terminal/colors.ts';
import { formatBytes, formatCount, formatDuration, formatShare } from '../terminal/numbers.ts';
import { renderTable } from '../terminal/table.ts';
import { cutMiddle, cutText, toSingleLine, wrapText } from '../terminal/text-width.ts';
import type { CompactReport } from './report.ts';

export interface SummaryOptions {
  readonly width: number;
  readonly colors: Colors;
  readonly isDryRun: boolean;
}

const INDENT = '  ';

export function renderSummary(report: CompactReport, options: SummaryOptions): string[] {
  const { width, colors } = options;
  const { loaded, request, result } = report;
  const { format, model } = loaded.transcript;
  const sentences = [...whatHappened(report, options), ...warnings(report, options)];
  return [
    colors.bold(cutMiddle(toSingleLine(loaded.name), width)),
    `${format === loaded.transcript.api ? '' : `${format} → `}${loaded.transcript.api} request, ${model === undefined ? 'model unknown' : toSingleLine(model)}`,
    ...sizeTable(request.size, result.after, options),
    ...sentences.flatMap((sentence) => wrapText(sentence, width, INDENT)),
  ];
}

function sizeTable(before: RequestSize, after: RequestSize, { width, colors, isDryRun }: SummaryOptions): string[] {
  const share = (part: number, whole: number) => (whole === 0 ? '' : formatShare(part / whole));
  const columns = [
    { title: '' },
    { title: 'before', align: 'right' as const },
    { title: isDryRun ? 'planned' : 'after', align: 'right' as const },
    { title: '', align: 'right' as const },
  ];
  const rows = [
    ['tokens', formatCount(before.tokens), formatCount(after.tokens), share(after.tokens, before.tokens)],
    ['messages', formatCount(before.messages), formatCount(after.messages), share(after.messages, before.messages)],
    ['bytes', formatBytes(before.bytes), formatBytes(after.bytes), share(after.bytes, before.bytes)],
  ];
  return renderTable(columns, rows, { width, indent: INDENT, paintHead: colors.dim });
}

const STAGE_WORDS = {
  fold: (count: number) => `${plural(count, 'message')} folded into one summary`,
  prune: (count: number) => `${plural(count, 'message')} pruned`,
  squeeze: (count: number) => `${plural(count, 'message')} of the newest ones shortened`,
} as const;

function stageWords(outcome: CompactionOutcome | undefined): string {
  const words = (outcome?.stages ?? []).map(
    ({ kind, count, oldTokens, newTokens }) => `${STAGE_WORDS[kind](count)} (${formatCount(oldTokens)} → ${formatCount(newTokens)} tokens)`,
  );
  return words.join(', ');
}

function whatHappened({ request, result, durationMs }: CompactReport, { isDryRun }: SummaryOptions): string[] {
  const target = `the target of ${formatCount(request.targetTokens)} tokens`;
  const time = formatDuration(durationMs);
  if (result.status === 'unchanged') return [`Unchanged: it fits ${target} already; ${time}.`];
  if (result.status === 'not_compacted') return [`Not compacted: ${whyNot(result.outcome)}`];
  return [`${isDryRun ? 'Planned: ' : ''}${stageWords(result.outcome)}; no model was asked, ${time}.`];
}

function whyNot(outcome: CompactionOutcome | undefined): string {
  if (outcome === undefined) return 'it holds no messages.';
  if (outcome.reason === 'cancelled') return 'only the summary of an earlier compaction is left to fold.';
  return outcome.message.replace(/^[^:]*: /, '');
}

function warnings(report: CompactReport, { width }: SummaryOptions): string[] {
  const { request, result } = report;
  const lines: string[] = [];
  if (result.status !== 'unchanged' && !report.isFittingTarget) {
    const { preambleTokens } = result.after;
    const why = `the preamble (${formatCount(preambleTokens)}), the newest step and the smallest summary are what no compaction can shrink`;
    lines.push(`The target of ${formatCount(request.targetTokens)} tokens cannot be reached: ${why}.`);
  }
  if (report.isOverWindow) lines.push(`It does not fit the window of ${formatCount(request.windowTokens ?? 0)} tokens.`);
  const [first] = result.violations;
  if (first !== undefined) {
    const sentence = `As in the input, ${plural(result.violations.length, 'rule')} of the API stay broken, such as: ${toSingleLine(first.message)}`;
    lines.push(cutText(sentence, 3 * width));
  }
  return lines;
}
