// A compaction as plain data: the `--json` of `ullage compact`, and what its lines for people are made of.
import type { CompactionOutcome, Stage } from '../../../core/plan/outcome.ts';
import type { Plan } from '../../../core/plan/plan.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';
import type { CompactionRequest, CompactionResult } from './compact-transcript.ts';

export interface CompactReport {
  readonly loaded: LoadedRequest;
  readonly request: CompactionRequest;
  readonly result: CompactionResult;
  readonly isFittingTarget: boolean;
  /** The result does not fit the window that was told or is known of the model. */
  readonly isOverWindow: boolean;
  readonly durationMs: number;
}

export function reportOf(
  loaded: LoadedRequest,
  made: { readonly request: CompactionRequest; readonly result: CompactionResult; readonly durationMs: number },
): CompactReport {
  const { request, result } = made;
  const { tokens } = result.after;
  return {
    loaded,
    ...made,
    isFittingTarget: tokens <= request.targetTokens,
    isOverWindow: request.windowTokens !== undefined && tokens > request.windowTokens,
  };
}

/** The document of `--json`. */
export interface CompactDocument {
  readonly file: string;
  readonly format: string;
  readonly api: string;
  readonly model?: string;
  readonly status: CompactionResult['status'];
  readonly reason?: CompactionOutcome['reason'];
  readonly target: number;
  readonly window?: number;
  readonly fitsTarget: boolean;
  readonly fitsWindow?: boolean;
  readonly before: CompactionResult['after'];
  readonly after: CompactionResult['after'];
  readonly stages: readonly Stage[];
  readonly summary: CompactionOutcome['summary'];
  readonly violations: CompactionResult['violations'];
  readonly notes: LoadedRequest['transcript']['notes'];
  readonly durationMs: number;
  /** Of a dry run. Positions count from the first message behind the preamble. */
  readonly plan?: Plan & { readonly preambleMessages: number };
  /** The compacted request, when it goes nowhere else. */
  readonly body?: unknown;
}

function documentOf({ loaded, request, result, ...report }: CompactReport): CompactDocument {
  const { format, api, model, notes } = loaded.transcript;
  const { status, outcome, after, violations, plan } = result;
  return {
    file: loaded.name,
    format,
    api,
    model,
    status,
    // The only plan that is cancelled here folds nothing but an earlier summary.
    reason: outcome?.reason === 'cancelled' ? 'nothing_to_compact' : outcome?.reason,
    target: request.targetTokens,
    window: request.windowTokens,
    fitsTarget: report.isFittingTarget,
    fitsWindow: request.windowTokens === undefined ? undefined : !report.isOverWindow,
    before: request.size,
    after,
    stages: outcome?.stages ?? [],
    summary: outcome?.summary ?? 'none',
    violations,
    notes,
    durationMs: report.durationMs,
    plan: plan && { ...plan, preambleMessages: loaded.body.preambleCount },
  };
}

/** JSON text. `request` is put in byte for byte as the member `body`. */
export function reportJson(report: CompactReport, options: { readonly request?: string }): string {
  const text = JSON.stringify(documentOf(report), undefined, 2);
  return options.request === undefined ? text : `${text.slice(0, -2)},\n  "body": ${options.request}\n}`;
}
