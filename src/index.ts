// The public names of the package. Adapters have sub-paths of their own: ullage/sqlite, ullage/tokenizer, ullage/testkit.

export { ERROR_CATALOGUE, type ErrorCode, UllageError } from './core/errors.ts';
export type { GuardOptions } from './core/guard/guard.ts';
export type { EntryEdit, PartEdit } from './core/plan/edit.ts';
export type {
  CompactionOutcome,
  Floor,
  FloorContributor,
  OutcomeReason,
  OutcomeStatus,
  Stage,
  TriggerReason,
} from './core/plan/outcome.ts';
export type { Fold, Plan } from './core/plan/plan.ts';
export type { Budget, PolicyOptions } from './core/size/budget.ts';
export type { ContextSize, EstimatedSize, MeasuredSize, Usage } from './core/size/size.ts';
export type { Api } from './core/transcript/entry.ts';
export { createUllage } from './create-ullage.ts';
export type { CompactionStarted, UllageEventName, UllageEvents } from './engine/events.ts';
export type { ExportOptions } from './engine/export.ts';
export type { GuardStatus } from './engine/guard-status.ts';
export type { CompactOptions } from './engine/manual.ts';
export type { Observation } from './engine/observe.ts';
export type { ModelFacts, UllageOptions } from './engine/options.ts';
export type { Prepared, PrepareOptions } from './engine/prepared.ts';
export type { Hit, ReadOptions } from './engine/recall.ts';
export type { Recovery } from './engine/recover.ts';
export type { RenderedRequest } from './engine/render-only.ts';
export type { Session } from './engine/session.ts';
export type { Fetch, FetchOptions, Ullage } from './engine/ullage.ts';
export type { Undone } from './engine/undo.ts';
export type { Clock } from './ports/clock.ts';
export type { Log, LogLevel } from './ports/log.ts';
export type { Store } from './ports/store.ts';
export type { Summarizer, SummarizerRequest, SummarizerResult, SummaryPrefix } from './ports/summarizer.ts';
export type { TokenCounter } from './ports/token-counter.ts';
