// Other projects beside Ullage and the baselines, as a person reads it.
import { type Column, renderTable } from '../../terminal/table.ts';
import { toSingleLine, wrapText } from '../../terminal/text-width.ts';
import { type FileResult, ULLAGE_WITH_HANDLES } from '../file-result.ts';
import type { Peer } from '../peers/peer.ts';
import type { Lead } from '../statistics/paired.ts';
import type { BenchReport } from './report.ts';
import { budgetText, leadText, percentText, type TextOptions } from './retention-text.ts';
import { type LeadRow, leadRows, type Metric, type RetentionRow, retentionRows } from './summary.ts';

/** Budgets at which leads are told: the others are in the document. */
const MOST_LEAD_BUDGET = 0.25;

const ABOUT =
  'Other projects on the same cuts, each fitted to the budget as far as its settings allow, summaries written by one scripted stand-in that says nothing of a real model. All of them are scored at the size they made; °: the same with 0 for cuts over the budget. valid: percent of requests that keep the rules of their API (of peers: Chat Completions).';

export function renderPeers({ files, budgets, peers }: BenchReport, options: TextOptions): string[] {
  if (peers === undefined) return [];
  const scored = files.filter(({ status }) => status === 'scored');
  const rows = retentionRows(scored, budgets).filter(({ strategy }) => strategy !== ULLAGE_WITH_HANDLES);
  const isPeer = (name: string) => rows.some((row) => row.strategy === name && row.isPeer === true);
  const leads = leadRows(scored, budgets).filter(({ over, budget }) => isPeer(over) && budget <= MOST_LEAD_BUDGET);
  return [
    '',
    ...wrapText(ABOUT, options.width),
    ...budgets.flatMap((budget) => [
      '',
      ...peerTable(
        rows.filter((row) => row.budget === budget),
        budget,
        options,
      ),
    ]),
    ...leadLines(leads),
    '',
    ...peers.flatMap((peer) => peerLines(scored, peer)).flatMap((line) => wrapText(toSingleLine(line), options.width, '  ')),
  ];
}

const RIGHT = (title: string): Column => ({ title, align: 'right' });

function peerTable(rows: readonly RetentionRow[], budget: number, { width, colors }: TextOptions): string[] {
  const titles = ['size', 'over', 'cold', 'bound', 'o2', 'o3', 'rules', 'valid', 'cold°', 'o2°'];
  const columns: Column[] = [{ title: `at ${budgetText(budget)}`, isFlexible: true }, ...titles.map(RIGHT)];
  return renderTable(columns, rows.flatMap(peerCells), { width, paintHead: colors.bold });
}

/** A row, and one more when it failed somewhere. */
function peerCells(row: RetentionRow): string[][] {
  const value = (metric: Metric) => percentText(row.metrics[metric]?.mean);
  const { zeroed = { cold: row.metrics.cold?.mean, o2: row.metrics.o2?.mean }, contexts, invalid, failed = 0 } = row;
  const cells = [
    row.strategy,
    percentText(contexts === 0 ? undefined : row.size, 0),
    String(row.overBudget),
    ...(['cold', 'bound', 'o2', 'o3', 'constraints'] as const).map(value),
    percentText(contexts === 0 ? undefined : 1 - invalid / contexts, 0),
    percentText(zeroed.cold),
    percentText(zeroed.o2),
  ];
  return failed > 0 ? [cells, [`  failed on ${failed}`]] : [cells];
}

function leadLines(rows: readonly LeadRow[]): string[] {
  if (rows.length === 0) return [];
  return [
    '',
    'Ullage ahead of (points, 95 % paired interval over transcripts;',
    '*: clear of zero; °: with 0 for cuts over the budget):',
    ...rows.flatMap(({ over, budget, cold, o2, zeroed }) => [
      leadLine(`  ${over.padEnd(16)} ${budgetText(budget).padStart(5)} `, cold, o2),
      ...(isSame(cold, zeroed?.cold) && isSame(o2, zeroed?.o2) ? [] : [leadLine(' '.repeat(24).concat('°'), zeroed?.cold, zeroed?.o2)]),
    ]),
  ];
}

function leadLine(head: string, cold: Lead | undefined, o2: Lead | undefined): string {
  const told = (lead: Lead | undefined) => `${leadText(lead)}${lead?.isClear === true ? '*' : ''}`;
  return `${head} cold ${told(cold).padEnd(24)} o2 ${told(o2)}`.trimEnd();
}

function isSame(one: Lead | undefined, other: Lead | undefined): boolean {
  return other === undefined || (one?.mean === other.mean && one.low === other.low);
}

function peerLines(files: readonly FileResult[], peer: Peer): string[] {
  const failures = failuresOf(files, peer).map(
    ({ strategy, contexts, message }) => `${strategy} failed on ${contexts} contexts, which count 0: ${message}`,
  );
  const problem = peer.problem === undefined ? '' : ` ${peer.problem}`;
  const who = peer.packages.length === 0 ? peer.name : peer.packages.join(', ');
  return [`${who}:${problem} ${peer.strategies.join(', ')}`.trimEnd(), ...failures];
}

/** How often a peer failed, over all cuts and budgets, and what it said the first time. */
export function failuresOf(
  files: readonly FileResult[],
  { strategies }: Peer,
): readonly { strategy: string; contexts: number; message: string }[] {
  return strategies.flatMap((strategy) => {
    const failed = files.flatMap((file) => file.scores.filter((score) => score.strategy === strategy && score.failure !== undefined));
    const message = failed[0]?.failure;
    return message === undefined ? [] : [{ strategy, contexts: failed.length, message }];
  });
}
