// `--fail-under cold@25=98`: the least a figure of Ullage may be.
import { UllageError } from '../../../../core/errors.ts';
import type { FileResult } from '../file-result.ts';
import { ULLAGE, ULLAGE_WITH_HANDLES } from '../file-result.ts';
import { replayRows, totalSoundness } from './other-rows.ts';
import { METRICS, type Metric, retentionRows } from './summary.ts';

const PLAIN = ['validity', 'idempotence', 'cached'] as const;
type Plain = (typeof PLAIN)[number];

export interface Threshold {
  /** As it was written. */
  readonly text: string;
  readonly metric: Metric | Plain;
  /** Share; undefined for what has no budget. */
  readonly budget?: number;
  /** Percent. */
  readonly least: number;
}

/** One threshold and what was measured. */
export interface Verdict extends Threshold {
  /** Percent; undefined when nothing was measured: that counts as missed. */
  readonly measured?: number;
  readonly isReached: boolean;
}

const THRESHOLD = /^([a-z\d]+)(?:@(\d{1,2}(?:\.\d{1,3})?))?=(.*)$/;
const PERCENT = /^\d{1,3}(?:\.\d{1,6})?$/;

/** Reads a list with commas. Throws option_invalid for an empty list, an unknown measure or a budget that is not measured. */
export function parseThresholds(text: string | undefined, budgets: readonly number[]): readonly Threshold[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => parseThreshold(part.trim(), budgets));
}

function parseThreshold(text: string, budgets: readonly number[]): Threshold {
  const match = THRESHOLD.exec(text);
  const [, name = '', percent, least = ''] = match ?? [];
  const metric = [...METRICS, ...PLAIN].find((known) => known === name);
  if (metric === undefined) throw invalid(text, `the measures are ${[...METRICS, ...PLAIN].join(', ')}`);
  const isPlain = PLAIN.some((known) => known === metric);
  if (!PERCENT.test(least)) throw invalid(text, `the figure is a percentage such as 98 or 98.5, not ${JSON.stringify(least)}`);
  const budget = budgets.find((share) => share === Number(percent) / 100);
  if (isPlain && percent !== undefined) throw invalid(text, `${metric} has no budget: write ${metric}=${least}`);
  if (!isPlain && budget === undefined) throw invalid(text, `name a measured budget, such as ${metric}@${percentOf(budgets[0])}=${least}`);
  return { text, metric, budget, least: Number(least) };
}

/** As people write it: 7, not 7.000000000000001. */
function percentOf(share = 0.25): number {
  return Number((100 * share).toFixed(3));
}

function invalid(text: string, next: string): UllageError {
  return new UllageError(
    'option_invalid',
    `--fail-under ${JSON.stringify(text)}: expected measure@budget=percent, such as cold@25=98; ${next}.`,
  );
}

export function judge(files: readonly FileResult[], thresholds: readonly Threshold[]): readonly Verdict[] {
  return thresholds.map((threshold) => {
    const measured = measure(files, threshold);
    return { ...threshold, measured, isReached: measured !== undefined && measured >= threshold.least };
  });
}

function measure(files: readonly FileResult[], { metric, budget }: Threshold): number | undefined {
  const { requests, invalid, repeats, unstable, different } = totalSoundness(files);
  if (metric === 'validity') return requests === 0 ? undefined : percent(1 - invalid / requests);
  if (metric === 'idempotence') return repeats === 0 ? undefined : percent(1 - Math.min(repeats, unstable + different) / repeats);
  if (metric === 'cached') return percent(replayRows(files, []).find(({ strategy }) => strategy === ULLAGE)?.cached);
  const strategy = metric === 'recoverable' ? ULLAGE_WITH_HANDLES : ULLAGE;
  const row = retentionRows(files, budget === undefined ? [] : [budget]).find((own) => own.strategy === strategy);
  return percent(row?.metrics[metric]?.mean);
}

function percent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}
