// The document of `--json`: shares of 1, rounded, so that the same run gives the same bytes.
import type { FileResult } from '../file-result.ts';
import { replayRows, roundRows, speedRow, totalSoundness, totalStored } from './other-rows.ts';
import { failuresOf } from './peers-text.ts';
import { type BenchReport, PRESENCE_NOTE } from './report.ts';
import { fileMean, kindRows, leadRows, METRICS, retentionRows, strategyNames } from './summary.ts';

const DIGITS = 4;

/** The document. Times are in it only when speed was asked for. */
export function benchDocument(report: BenchReport): object {
  const { files, budgets, prices, windowTokens } = report;
  const scored = files.filter(({ status }) => status === 'scored');
  return {
    note: PRESENCE_NOTE,
    budgets,
    retention: retentionRows(scored, budgets),
    leads: leadRows(scored, budgets),
    peers: report.peers?.map((peer) => ({ ...peer, failures: failuresOf(scored, peer) })),
    kinds: kindRows(scored, budgets),
    soundness: totalSoundness(files),
    stored: totalStored(files),
    rounds: roundRows(files),
    replay: { windowTokens, prices, rows: replayRows(files, prices) },
    speed: speedRow(files),
    transcripts: files.map((file) => transcriptOf(file, budgets)),
    unread: report.unread,
    thresholds: report.verdicts,
  };
}

function transcriptOf(file: FileResult, budgets: readonly number[]): object {
  const { name, status, tokens, events, cuts, scoredCuts, mostFacts } = file;
  const strategies = strategyNames([file]);
  return {
    name,
    status,
    tokens,
    events,
    cuts,
    scoredCuts,
    mostFacts,
    scores: strategies.flatMap((strategy) =>
      budgets.map((budget) => ({
        strategy,
        budget,
        ...Object.fromEntries(METRICS.map((metric) => [metric, fileMean(file, metric, { strategy, budget })])),
      })),
    ),
  };
}

/** JSON text, numbers rounded to four decimals. */
export function documentText(report: BenchReport): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(DIGITS)) : value;
  return JSON.stringify(benchDocument(report), rounded, 2);
}
