// Replays as plain data: the `--json` of `ullage replay FILE…`.
import type { CompactionOutcome } from '../../../core/plan/outcome.ts';
import type { FileReplay } from './replay-files.ts';
import { addTotals, type Totals } from './totals.ts';

export interface ReplayDocument {
  readonly files: readonly {
    readonly file: string;
    readonly format: string;
    readonly api: string;
    readonly model?: string;
    /** Its session in the database of --db. */
    readonly session?: string;
    readonly window: { readonly tokens: number; readonly source: string };
    readonly budget?: { readonly usable: number; readonly threshold: number; readonly target: number; readonly floor: number };
    readonly totals: Totals;
    /** `request` counts from 1. */
    readonly outcomes: readonly ({ readonly request: number } & OutcomeRow)[];
    /** Tokens, one number a request; null where nothing was sent. */
    readonly series: { readonly history: readonly number[]; readonly sent: readonly (number | null)[] };
  }[];
  readonly totals: Totals;
}

type OutcomeRow = Pick<
  CompactionOutcome,
  | 'status'
  | 'reason'
  | 'triggerReason'
  | 'exhausted'
  | 'oldRequestTokens'
  | 'newRequestTokens'
  | 'oldMessageCount'
  | 'newMessageCount'
  | 'stages'
  | 'summary'
  | 'message'
>;

export function replayDocument(replays: readonly FileReplay[], options: { readonly isKept: boolean }): ReplayDocument {
  return {
    files: replays.map(({ loaded, key, window, play, totals }) => ({
      file: loaded.name,
      format: loaded.transcript.format,
      api: loaded.transcript.api,
      model: loaded.transcript.model,
      session: options.isKept ? key : undefined,
      window: { tokens: window.tokens, source: window.source },
      budget: play.budget && {
        usable: play.budget.usable,
        threshold: play.budget.threshold,
        target: play.budget.target,
        floor: play.budget.floor.tokens,
      },
      totals,
      outcomes: play.requests.flatMap(({ outcome }, index) => (outcome === undefined ? [] : [{ request: index + 1, ...rowOf(outcome) }])),
      series: {
        history: play.requests.map(({ historyTokens }) => historyTokens),
        sent: play.requests.map(({ sent }) => sent?.tokens ?? null),
      },
    })),
    totals: addTotals(replays.map(({ totals }) => totals)),
  };
}

function rowOf(outcome: CompactionOutcome): OutcomeRow {
  const { status, reason, triggerReason, exhausted, oldRequestTokens, newRequestTokens } = outcome;
  const { oldMessageCount, newMessageCount, stages, summary, message } = outcome;
  return {
    status,
    reason,
    triggerReason,
    exhausted,
    oldRequestTokens,
    newRequestTokens,
    oldMessageCount,
    newMessageCount,
    stages,
    summary,
    message,
  };
}
