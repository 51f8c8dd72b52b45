// A plan before it is executed, for people: what would be folded, what would be shortened.
import type { EntryEdit, PartEdit } from '../../../core/plan/edit.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import { estimateTokens } from '../../../core/size/estimator.ts';
import { loadEntries } from '../inspect/load-entries.ts';
import { labelOf, type PartWeight, weighParts } from '../inspect/part-weight.ts';
import { plural } from '../shared/plural.ts';
import type { Colors } from '../terminal/colors.ts';
import { formatCount } from '../terminal/numbers.ts';
import { renderTable } from '../terminal/table.ts';
import { cutText, toSingleLine, wrapText } from '../terminal/text-width.ts';
import type { CompactReport } from './report.ts';

export interface PlanTextOptions {
  readonly width: number;
  readonly colors: Colors;
}

const INDENT = '  ';
/** Rows of edits that are shown; the rest is counted. */
const MOST_ROWS = 20;

export function renderPlan(report: CompactReport, options: PlanTextOptions): string[] {
  const { plan, status } = report.result;
  if (plan === undefined) return [status === 'unchanged' ? 'Nothing to do: it fits the target.' : 'No plan makes it smaller.'];
  return [
    options.colors.bold('Plan'),
    ...foldLines(report, plan, options),
    ...editLines(report, plan, options),
    ...tailLines(report, plan),
  ];
}

function foldLines({ loaded }: CompactReport, { fold }: Plan, { width }: PlanTextOptions): string[] {
  if (fold === undefined) return [];
  const { preambleCount } = loaded.body;
  const range = `messages ${preambleCount} to ${preambleCount + fold.to} become one summary of ${formatCount(fold.tokens)} tokens`;
  return wrapText(`Fold: ${range}; it begins:`, width, INDENT).concat(summaryStart(fold.text, width));
}

const SUMMARY_LINES = 6;

/** The first lines that speak of this conversation: what stands before the first blank line is the same in all summaries. */
function summaryStart(text: string, width: number): string[] {
  const start = text.indexOf('\n\n');
  const lines = text
    .slice(Math.max(0, start))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.slice(0, SUMMARY_LINES).map((line) => `${INDENT}│ ${cutText(toSingleLine(line), width - 4)}`);
}

function editLines(report: CompactReport, plan: Plan, { width, colors }: PlanTextOptions): string[] {
  if (plan.edits.length === 0) return [];
  const { loaded } = report;
  const weights = weighParts(loadEntries(loaded.transcript).entries);
  const rows = plan.edits.flatMap((edit) => editRows(edit, weights, loaded.body.preambleCount));
  const shown = rows.slice(0, MOST_ROWS);
  const right = (title: string) => ({ title, align: 'right' as const });
  const columns = [right('message'), { title: 'how' }, right('tokens'), right('then'), { title: 'what', isFlexible: true }];
  const rest = rows.length - shown.length;
  return [
    ...renderTable(columns, shown, { width, indent: INDENT, paintHead: colors.dim }),
    ...(rest > 0 ? [`${INDENT}… and ${plural(rest, 'part')} more`] : []),
  ];
}

function editRows({ position, kind, edits }: EntryEdit, weights: readonly PartWeight[], preambleCount: number): string[][] {
  const own = weights.filter((weight) => weight.position === position);
  return edits.flatMap((edit) => {
    const weight = 'part' in edit ? own[edit.part] : undefined;
    if (weight === undefined) return [];
    const then = formatCount(newTokens(edit));
    return [[`#${position + preambleCount}`, kind, formatCount(weight.tokens), then, labelOf(weight)]];
  });
}

function newTokens(edit: PartEdit): number {
  if (edit.kind === 'drop') return 0;
  return estimateTokens(edit.kind === 'replace-arguments' ? edit.argumentsText : edit.text);
}

function tailLines({ loaded }: CompactReport, { tailFrom, watermark }: Plan): string[] {
  const { preambleCount } = loaded.body;
  if (tailFrom > watermark) return ['Every message that stays is shortened.'];
  return [`Messages ${tailFrom + preambleCount} to ${watermark + preambleCount} go out as they came.`];
}
