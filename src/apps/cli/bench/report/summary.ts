// Results of files → what is published: means over cuts, then over transcripts, with intervals.

import { type FileResult, type Score, ULLAGE, ULLAGE_WITH_HANDLES } from '../file-result.ts';
import type { AtomKind } from '../oracle/atom-patterns.ts';
import { ATOM_KINDS } from '../oracle/atom-patterns.ts';
import type { Grades, Kept } from '../oracle/grade.ts';
import { type Interval, intervalOf, meanOf } from '../statistics/interval.ts';
import { type Lead, pairedLead } from '../statistics/paired.ts';

export const METRICS = ['cold', 'all', 'bound', 'o2', 'o3', 'constraints', 'recoverable'] as const;
export type Metric = (typeof METRICS)[number];

/** Shares of 1. A metric is missing where nothing was asked. */
export interface RetentionRow {
  readonly strategy: string;
  /** Share of what is not pinned. */
  readonly budget: number;
  readonly metrics: Readonly<Partial<Record<Metric, Interval>>>;
  /** Size of the made request, of the prefix. */
  readonly size: number;
  /** Contexts over their budget: they score 0, unless the strategy cannot aim. */
  readonly overBudget: number;
  /** Of a strategy that cannot aim: the same with 0 for contexts over their budget. */
  readonly zeroed?: { readonly cold?: number; readonly o2?: number };
  readonly contexts: number;
  /** Another project's. */
  readonly isPeer?: boolean;
  /** Contexts it failed to make: they score 0. */
  readonly failed?: number;
  /** Contexts that break a rule of their API. */
  readonly invalid: number;
}

/** How far Ullage is ahead of another strategy, transcript by transcript. */
export interface LeadRow {
  readonly over: string;
  readonly budget: number;
  readonly cold?: Lead;
  readonly o2?: Lead;
  /** Over a strategy that cannot aim, when its contexts over the budget count 0. */
  readonly zeroed?: { readonly cold?: Lead; readonly o2?: Lead };
}

export interface KindRow {
  readonly kind: AtomKind;
  /** Cold facts asked for over all cuts, by weight. */
  readonly asked: number;
  /** Share kept, by budget in the order of the budgets. */
  readonly kept: readonly number[];
}

interface At {
  readonly strategy: string;
  readonly budget: number;
}

/** 1 where a context counts, 0 where there is none, or where it is over its budget though it could have been aimed. */
function worthOf({ graded, isUnaimed, failure }: Score): number {
  return failure !== undefined || (graded.isOverBudget && isUnaimed !== true) ? 0 : 1;
}

function kept(score: Score, metric: Metric): number | undefined {
  const { kept: own, asked }: Kept = score.graded.grades[metric];
  return asked === 0 ? undefined : (worthOf(score) * own) / asked;
}

/** A strategy that cannot aim, as if it could: what is over its budget counts 0. */
function asAimed(files: readonly FileResult[], at: At): readonly FileResult[] {
  return files.map((file) => ({ ...file, scores: scoresAt(file, at).map((score) => ({ ...score, isUnaimed: false })) }));
}

function zeroedOf(files: readonly FileResult[], at: At): RetentionRow['zeroed'] {
  const aimed = asAimed(files, at);
  const mean = (metric: Metric) => meanOf(aimed.flatMap((file) => fileMean(file, metric, at) ?? []));
  return { cold: mean('cold'), o2: mean('o2') };
}

/** Handles are printed by one strategy only; for the others the metric would repeat `cold`. */
function isMeant(metric: Metric, strategy: string): boolean {
  return metric !== 'recoverable' || strategy === ULLAGE_WITH_HANDLES;
}

/** Mean of a metric over the cuts of one file; undefined when nothing was asked. */
export function fileMean(file: FileResult, metric: Metric, at: At): number | undefined {
  const scores = scoresAt(file, at);
  return meanOf(scores.flatMap((score) => kept(score, metric) ?? []));
}

function scoresAt(file: FileResult, { strategy, budget }: At): readonly Score[] {
  return file.scores.filter((score) => score.strategy === strategy && score.budget === budget);
}

export function strategyNames(files: readonly FileResult[]): readonly string[] {
  return [...new Set(files.flatMap(({ scores }) => scores.map(({ strategy }) => strategy)))];
}

export function retentionRows(files: readonly FileResult[], budgets: readonly number[]): readonly RetentionRow[] {
  return budgets.flatMap((budget) => strategyNames(files).map((strategy) => retentionRow(files, { strategy, budget })));
}

function retentionRow(files: readonly FileResult[], at: At): RetentionRow {
  const scores = files.flatMap((file) => scoresAt(file, at));
  const made = scores.filter(({ failure }) => failure === undefined);
  const metrics = METRICS.filter((metric) => isMeant(metric, at.strategy)).map((metric) => {
    return [metric, intervalOf(files.flatMap((file) => fileMean(file, metric, at) ?? []))];
  });
  const isPeer = scores.some((score) => score.isPeer === true);
  return {
    ...at,
    metrics: Object.fromEntries(metrics) as RetentionRow['metrics'],
    size: meanOf(made.map(({ graded, prefixTokens }) => graded.sizeTokens / prefixTokens)) ?? 0,
    overBudget: made.filter(({ graded }) => graded.isOverBudget).length,
    ...(scores.some(({ isUnaimed }) => isUnaimed === true) ? { zeroed: zeroedOf(files, at) } : {}),
    contexts: made.length,
    invalid: made.filter(({ brokenRules }) => brokenRules.length > 0).length,
    ...(isPeer ? { isPeer, failed: scores.length - made.length } : {}),
  };
}

/** Strategies beside Ullage, in order. */
export function leadRows(files: readonly FileResult[], budgets: readonly number[]): readonly LeadRow[] {
  const others = strategyNames(files).filter((name) => name !== ULLAGE && name !== ULLAGE_WITH_HANDLES);
  return budgets.flatMap((budget) => others.map((over) => leadRow(files, over, budget)));
}

function leadRow(files: readonly FileResult[], over: string, budget: number): LeadRow {
  const at = { strategy: over, budget };
  const means = (from: readonly FileResult[], metric: Metric, strategy: string) =>
    from.map((file) => fileMean(file, metric, { strategy, budget }));
  const lead = (metric: Metric, from: readonly FileResult[]) => pairedLead(means(files, metric, ULLAGE), means(from, metric, over));
  const isUnaimed = files.some((file) => scoresAt(file, at).some((score) => score.isUnaimed === true));
  const aimed = isUnaimed ? asAimed(files, at) : files;
  return {
    over,
    budget,
    cold: lead('cold', files),
    o2: lead('o2', files),
    ...(isUnaimed ? { zeroed: { cold: lead('cold', aimed), o2: lead('o2', aimed) } } : {}),
  };
}

/** Kept shares of Ullage by kind of fact, all cuts together. */
export function kindRows(files: readonly FileResult[], budgets: readonly number[]): readonly KindRow[] {
  const scores = files.flatMap((file) => file.scores).filter(({ strategy }) => strategy === ULLAGE);
  return ATOM_KINDS.flatMap((kind) => {
    const sums = budgets.map((budget) =>
      sumKind(
        scores.filter((score) => score.budget === budget),
        kind,
      ),
    );
    const asked = sums[0]?.asked ?? 0;
    return asked === 0 ? [] : [{ kind, asked, kept: sums.map((sum) => sum.kept / sum.asked) }];
  });
}

function sumKind(scores: readonly Score[], kind: AtomKind): Kept {
  let sum = { kept: 0, asked: 0 };
  for (const score of scores) {
    const own = (score.graded.grades satisfies Grades).kinds.get(kind);
    if (own !== undefined) sum = { kept: sum.kept + worthOf(score) * own.kept, asked: sum.asked + own.asked };
  }
  return sum;
}
