// Retention as a person reads it.

import { plural } from '../../shared/plural.ts';
import type { Colors } from '../../terminal/colors.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { toSingleLine, wrapText } from '../../terminal/text-width.ts';
import { type FileResult, ULLAGE } from '../file-result.ts';
import type { Interval } from '../statistics/interval.ts';
import { type BenchReport, PRESENCE_NOTE } from './report.ts';
import { fileMean, kindRows, leadRows, type Metric, type RetentionRow, retentionRows } from './summary.ts';

export interface TextOptions {
  readonly width: number;
  readonly colors: Colors;
}

export const NOTHING = '–';

export function percentText(share: number | undefined, digits = 1): string {
  return share === undefined ? NOTHING : (100 * share).toFixed(digits);
}

function rangeText(interval: Interval | undefined): string {
  return interval === undefined || interval.count < 2 ? '' : `${percentText(interval.low, 0)}–${percentText(interval.high, 0)}`;
}

/** Digits as people write a budget: 10 %, 12.5 %. */
export function budgetText(budget: number): string {
  return `${Number((100 * budget).toFixed(3))} %`;
}

const RIGHT = (title: string): Column => ({ title, align: 'right' });

export function renderRetention({ files, budgets }: BenchReport, options: TextOptions): string[] {
  const scored = files.filter(({ status }) => status === 'scored');
  const cuts = scored.reduce((sum, { scoredCuts }) => sum + scoredCuts, 0);
  const head = `Facts kept: ${plural(scored.length, 'transcript')}, ${plural(cuts, 'cut')}. Percent of what the agent needed again and that is still there; mean over cuts, then transcripts; 95 % interval of cold.`;
  const rows = retentionRows(scored, budgets).filter(({ isPeer }) => isPeer !== true);
  return [
    ...wrapText(head, options.width),
    ...wrapText(PRESENCE_NOTE, options.width),
    ...budgets.flatMap((budget) => [
      '',
      ...retentionTable(
        rows.filter((row) => row.budget === budget),
        budget,
        options,
      ),
    ]),
    '',
    ...wrapText(
      'cold: last seen well before the cut. bound: on a line that says the same. o2: another extractor. o3: rare plain words. rules: sentences of the user that demand something. reach: cold, or behind a printed handle. size: of the prefix; pinned text counts in it.',
      options.width,
    ).map(options.colors.dim),
    ...leadLines(scored, budgets, (over) => rows.some(({ strategy }) => strategy === over)),
  ];
}

function retentionTable(rows: readonly RetentionRow[], budget: number, { width, colors }: TextOptions): string[] {
  const columns: Column[] = [
    { title: `at ${budgetText(budget)}`, isFlexible: true },
    ...['size', 'cold 95 %', 'bound', 'o2', 'o3', 'all', 'rules', 'reach'].map(RIGHT),
  ];
  const cells = rows.map((row) => {
    const value = (metric: Metric) => percentText(row.metrics[metric]?.mean);
    const name = `${row.strategy}${row.overBudget > 0 ? ` (${row.overBudget} over)` : ''}`;
    const cold = `${value('cold').padStart(5)} ${rangeText(row.metrics.cold).padStart(6)}`;
    return [
      name,
      percentText(row.size, 0),
      cold,
      value('bound'),
      value('o2'),
      value('o3'),
      value('all'),
      value('constraints'),
      value('recoverable'),
    ];
  });
  return renderTable(columns, cells, { width, paintHead: colors.bold });
}

/** Points ahead, with their interval. */
export function leadText(interval: Interval | undefined): string {
  const signed = (share: number) => `${share >= 0 ? '+' : '−'}${percentText(Math.abs(share))}`;
  if (interval === undefined) return NOTHING;
  return `${signed(interval.mean)}${interval.count < 2 ? '' : ` (${signed(interval.low)} to ${signed(interval.high)})`}`;
}

function leadLines(files: readonly FileResult[], budgets: readonly number[], isOwn: (strategy: string) => boolean): string[] {
  const rows = leadRows(files, budgets).filter(({ over }) => isOwn(over));
  if (rows.length === 0) return [];
  return [
    '',
    'Ullage ahead of, in points (95 % interval over transcripts):',
    ...rows.map(
      ({ over, budget, cold, o2 }) => `  ${over.padEnd(16)} ${budgetText(budget).padStart(5)}  cold ${leadText(cold)}  o2 ${leadText(o2)}`,
    ),
  ];
}

/** Cold facts by kind. */
export function renderKinds({ files, budgets }: BenchReport, { width, colors }: TextOptions): string[] {
  const rows = kindRows(files, budgets);
  if (rows.length === 0) return [];
  const columns: Column[] = [
    { title: 'cold facts, Ullage', isFlexible: true },
    RIGHT('weight'),
    ...budgets.map((budget) => RIGHT(budgetText(budget))),
  ];
  const cells = rows.map(({ kind, asked, kept }) => [kind, asked.toFixed(1), ...kept.map((share) => percentText(share))]);
  return ['', ...renderTable(columns, cells, { width, paintHead: colors.bold })];
}

/** One line for each transcript that was scored. */
export function renderFiles({ files, budgets }: BenchReport, { width, colors }: TextOptions): string[] {
  const columns: Column[] = [
    { title: 'cold by transcript, Ullage', isFlexible: true },
    RIGHT('tokens'),
    RIGHT('cuts'),
    ...budgets.map((budget) => RIGHT(budgetText(budget))),
  ];
  const cells = files
    .filter(({ status }) => status === 'scored')
    .map((file) => [
      toSingleLine(file.name),
      `${Math.round(file.tokens / 1000)}k`,
      String(file.scoredCuts),
      ...budgets.map((budget) => percentText(fileMean(file, 'cold', { strategy: ULLAGE, budget }))),
    ]);
  return cells.length === 0 ? [] : ['', ...renderTable(columns, cells, { width, paintHead: colors.bold })];
}
