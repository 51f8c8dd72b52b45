// Makes the plan of a compaction: unchanged, prunes alone, a fold with what stays, or the reason why not. Pure and deterministic.
import type { EntryEdit } from './edit.ts';
import { sentTokens } from './edited.ts';
import { type Draft, draftFold, liveOfPass, summaryTokens } from './fold-plan.ts';
import { hygieneInput, messagesAfter, mostLiveMessages } from './hygiene.ts';
import { planLive, runTokens } from './live.ts';
import type { OutcomeReason, Stage } from './outcome.ts';
import type { Plan, PlanInput, PlanResult } from './plan.ts';
import { choosePrunes, editsOf, findPrunes, useLeftover } from './prune.ts';
import { deriveScope, type Scope } from './scope.ts';
import { squeezeLive } from './squeeze.ts';
import type { EntryWorkCache } from './work.ts';

/**
 * Plans one compaction. Reads nothing but its input; the same input gives the same bytes. Never throws for any history.
 * `work` keeps what depends on single entries between calls and changes no result.
 */
export function planCompaction(input: PlanInput, work?: EntryWorkCache): PlanResult {
  const { entries, messageTarget } = input;
  if (entries.length === 0) return { reason: 'nothing_to_compact' };
  const isOverMessages = messageTarget !== undefined && messagesAfter(entries, input.previousFold?.to) > messageTarget;
  if (input.currentTokens <= input.budgetTokens && !isOverMessages) return { reason: 'unchanged' };
  const scope = deriveScope({ entries, canOpenHandles: input.canOpenHandles, refusedFolds: input.refusedFolds, work });
  if (input.pass === 1 && !isOverMessages && input.budgetTokens >= input.pruneShare * input.currentTokens) {
    const pruned = prunePlan(scope, input);
    if (pruned !== undefined) return pruned;
  }
  return foldOrLess(scope, isOverMessages ? hygieneInput(input) : input, isOverMessages);
}

function foldOrLess(scope: Scope, input: PlanInput, isOverMessages: boolean): PlanResult {
  const most = isOverMessages ? mostLiveMessages(input.messageTarget!) : Number.POSITIVE_INFINITY;
  const live = liveOfPass(scope, input, most);
  if (live === undefined) return withoutFold(scope, input, isOverMessages);
  const draft = draftFold(scope, input, live);
  const isShort = isOverMessages && messagesAfter(input.entries, draft.fold.to) > input.messageTarget!;
  if (isShort && messagesAfter(input.entries, draft.fold.to) >= messagesAfter(input.entries, input.previousFold?.to)) {
    return { reason: 'message_limit_unreachable' };
  }
  const refusal = refuse(input, draft.tokens, isOverMessages);
  if (refusal !== undefined) return { reason: refusal };
  const plan = finish(scope, input, draft);
  return isShort ? { plan, reason: 'message_limit_unreachable' } : { plan };
}

/** Why a result of this size is not worth a commit. */
function refuse(input: PlanInput, newTokens: number, isOverMessages: boolean): OutcomeReason | undefined {
  if (newTokens >= input.currentTokens) return 'would_grow';
  return !isOverMessages && input.currentTokens - newTokens < input.minGainTokens ? 'below_min_gain' : undefined;
}

/** Tokens before the first entry that is still sent. */
function keptSummaryTokens(input: PlanInput): number {
  return input.previousFold === undefined ? 0 : summaryTokens(input.previousFold.summaryText);
}

function liveRun(input: PlanInput): { readonly from: number; readonly to: number } {
  return { from: (input.previousFold?.to ?? -1) + 1, to: input.entries.length - 1 };
}

/** Rounding of single parts may add up: another try asks for what the last one missed. */
const MOST_TRIES = 4;

/** Prunes alone, when they reach the budget and gain enough. */
function prunePlan(scope: Scope, input: PlanInput): PlanResult | undefined {
  const run = liveRun(input);
  const tail = planLive(scope, { tailTokens: input.tailTokens, zoneTokens: 0, mostMessages: Number.POSITIVE_INFINITY, earliest: run.from });
  if (tail === undefined) return undefined;
  const prunes = findPrunes(scope, run.from, tail.from - 1);
  let needed = keptSummaryTokens(input) + runTokens(scope, run, []) - input.budgetTokens;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const chosen = choosePrunes(prunes, needed);
    if (chosen === undefined) return undefined;
    const edits = editsOf(useLeftover(scope, chosen, needed), 'prune');
    const newTokens = keptSummaryTokens(input) + runTokens(scope, run, edits);
    if (newTokens > input.budgetTokens) needed += newTokens - input.budgetTokens + 1;
    else return refuse(input, newTokens, false) === undefined ? editPlan(scope, input, edits) : undefined;
  }
  return undefined;
}

/** No cut is safe: what edits alone can do. */
function withoutFold(scope: Scope, input: PlanInput, isOverMessages: boolean): PlanResult {
  if (isOverMessages) return { reason: 'message_limit_unreachable' };
  const run = liveRun(input);
  const summary = keptSummaryTokens(input);
  const newest = scope.steps[scope.steps.length - 1]!;
  const edits =
    input.pass === 3
      ? squeezeLive(scope, run.from, input.budgetTokens - summary)
      : editsOf(findPrunes(scope, run.from, newest.from - 1), 'prune');
  const none: OutcomeReason = scope.steps.length > 1 ? 'no_safe_cut' : 'nothing_to_compact';
  if (edits.length === 0) return { reason: none };
  return editPlan(scope, input, edits);
}

function editPlan(scope: Scope, input: PlanInput, edits: readonly EntryEdit[]): PlanResult {
  const newTokens = keptSummaryTokens(input) + runTokens(scope, liveRun(input), edits);
  const refusal = refuse(input, newTokens, false);
  if (refusal !== undefined) return { reason: refusal };
  return { plan: { ...frameOf(input, edits), newTokens, stages: editStages(scope, edits) } };
}

function frameOf(input: PlanInput, edits: readonly EntryEdit[]): Pick<Plan, 'pass' | 'edits' | 'tailFrom' | 'watermark'> {
  const lastEdit = edits.at(-1)?.position ?? -1;
  return { pass: input.pass, edits, tailFrom: lastEdit + 1, watermark: input.entries.length - 1 };
}

function finish(scope: Scope, input: PlanInput, draft: Draft): Plan {
  const { fold, edits } = draft;
  const from = (input.previousFold?.to ?? -1) + 1;
  let oldTokens = keptSummaryTokens(input);
  for (let position = from; position <= fold.to; position += 1) oldTokens += scope.entries[position]!.tokens;
  const foldStage: Stage = { kind: 'fold', count: fold.to + 1, oldTokens, newTokens: fold.tokens };
  const base = frameOf(input, edits);
  return {
    ...base,
    tailFrom: Math.max(base.tailFrom, fold.to + 1),
    fold,
    newTokens: draft.tokens,
    stages: [...editStages(scope, edits), foldStage].sort((a, b) => STAGE_ORDER[a.kind] - STAGE_ORDER[b.kind]),
  };
}

const STAGE_ORDER = { prune: 0, fold: 1, squeeze: 2 } as const;

function editStages(scope: Scope, edits: readonly EntryEdit[]): Stage[] {
  return (['prune', 'squeeze'] as const).flatMap((kind) => {
    const own = edits.filter((edit) => edit.kind === kind);
    if (own.length === 0) return [];
    const sum = (tokensOf: (edit: EntryEdit) => number): number => own.reduce((total, edit) => total + tokensOf(edit), 0);
    return [
      {
        kind,
        count: own.length,
        oldTokens: sum(({ position }) => scope.entries[position]!.tokens),
        newTokens: sum(({ position, edits: own }) => sentTokens(scope.entries[position]!, own)),
      },
    ];
  });
}
