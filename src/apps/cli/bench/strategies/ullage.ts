// Ullage itself: the engine's planner, pass after pass as the engine tries them, its result rendered as the engine renders it.
import type { PartEdit } from '../../../../core/plan/edit.ts';
import type { Plan, PlanInput } from '../../../../core/plan/plan.ts';
import { planCompaction } from '../../../../core/plan/planner.ts';
import { proseTokens } from '../../../../core/plan/prose.ts';
import type { EntryWorkCache } from '../../../../core/plan/work.ts';
import { deriveBudget } from '../../../../core/size/budget.ts';
import { POLICY_DEFAULTS } from '../../../../core/size/policy.ts';
import { type Entry, entryHandle } from '../../../../core/transcript/entry.ts';
import { DEFAULT_PRUNE_SHARE } from '../../../../engine/plan-input.ts';
import { readableText } from '../oracle/flatten.ts';
import { tokensOfRaws } from '../transcript/entries.ts';
import { assemble } from './assemble.ts';
import type { Compacted, Strategy, StrategyInput } from './strategy.ts';

const PASSES = [1, 2, 3] as const;
const HANDLE = /(?<!\w)e_[0-9a-f]{12}(?:\.\d+)?(?!\w)/g;

export interface UllageStrategyOptions {
  readonly name: string;
  /** The request declares the retrieval tool, so handles are printed. */
  readonly canOpenHandles: boolean;
  /** What a model wrote of the entries up to a position, for a share of so many tokens; undefined where there is nothing. Default: facts alone. */
  readonly proseFor?: (input: StrategyInput, fold: { readonly to: number; readonly proseTokens: number }) => string | undefined;
  /** Work on single entries, kept between calls: saves time, changes no byte. */
  readonly work?: EntryWorkCache;
}

/** What is sent: the last plan's fold and edits. */
interface View {
  readonly fold?: { readonly to: number; readonly text: string };
  readonly edits: Plan['edits'];
}

const EVERYTHING: View = { edits: [] };

/** Ullage with the facts and tokens that will be asked favoured: what of them its layout has room for. */
export function hindsightStrategy(): Strategy {
  const strategy = ullageStrategy({ name: 'with hindsight', canOpenHandles: false });
  return { ...strategy, hasHindsight: true, isRetentionOnly: true };
}

export function ullageStrategy(options: UllageStrategyOptions): Strategy {
  return { name: options.name, isFedFromStore: true, compact: (input) => compact(input, options) };
}

function compact(input: StrategyInput, options: UllageStrategyOptions): Compacted {
  const view = (input.previous as View | undefined) ?? EVERYTHING;
  const now = render(input, view);
  let best = { view, messages: now, tokens: tokensOfRaws(input.codec, now) };
  if (best.tokens <= input.budgetTokens) return finish(input, best);
  const currentTokens = best.tokens;
  for (const pass of PASSES) {
    const passInput = planInput(input, { view, pass, currentTokens, canOpenHandles: options.canOpenHandles });
    const plan = withProse(planCompaction(passInput, options.work).plan, { input, passInput, options });
    if (plan === undefined) continue;
    const made = viewOf(plan, view);
    const messages = render(input, made);
    const tokens = tokensOfRaws(input.codec, messages);
    if (tokens < best.tokens) best = { view: made, messages, tokens };
    if (best.tokens <= input.budgetTokens) break;
  }
  return finish(input, best);
}

/** As the engine does it: planned with facts alone, then again with the prose beside them. */
function withProse(
  plan: Plan | undefined,
  made: { readonly input: StrategyInput; readonly passInput: PlanInput; readonly options: UllageStrategyOptions },
): Plan | undefined {
  const { input, passInput, options } = made;
  if (plan?.fold === undefined) return plan;
  const prose = options.proseFor?.(input, { to: plan.fold.to, proseTokens: proseTokens(plan.fold.budgetTokens) });
  if (prose === undefined) return plan;
  const { fold } = planCompaction({ ...passInput, prose }, options.work).plan ?? {};
  return fold?.to === plan.fold.to ? { ...plan, fold } : plan;
}

interface PassInput {
  readonly view: View;
  readonly pass: (typeof PASSES)[number];
  readonly currentTokens: number;
  readonly canOpenHandles: boolean;
}

function planInput(
  { entries, budgetTokens, hindsight }: StrategyInput,
  { view, pass, currentTokens, canOpenHandles }: PassInput,
): PlanInput {
  return {
    entries,
    currentTokens,
    budgetTokens,
    tailTokens: tailTokens(budgetTokens),
    minGainTokens: 1,
    pins: [],
    pass,
    canOpenHandles,
    pruneShare: DEFAULT_PRUNE_SHARE,
    refusedFolds: [],
    focus: hindsight?.join('\n'),
    previousFold: view.fold && { to: view.fold.to, summaryText: view.fold.text },
  };
}

/** The tail of a window whose default target is this budget. */
function tailTokens(budgetTokens: number): number {
  const windowTokens = Math.max(1, Math.round(budgetTokens / (POLICY_DEFAULTS.threshold * POLICY_DEFAULTS.targetOfThreshold)));
  const facts = {
    windowTokens,
    preambleTokens: 0,
    unexplainedTokens: 0,
    pinTokens: 0,
    firstAskTokens: 0,
    contextTokens: 0,
    contributors: [],
  };
  return deriveBudget({ reserveTokens: 0 }, facts).tail;
}

function viewOf(plan: Plan, before: View): View {
  return { fold: plan.fold === undefined ? before.fold : { to: plan.fold.to, text: plan.fold.text }, edits: plan.edits };
}

function render({ codec, entries }: StrategyInput, { fold, edits }: View): readonly string[] {
  if (fold === undefined && edits.length === 0) return entries.map((entry) => entry.message.raw);
  const byPosition = new Map<number, readonly PartEdit[]>(edits.map((edit) => [edit.position, edit.edits]));
  const kept = entries.slice((fold?.to ?? -1) + 1);
  return assemble({ codec, kept, edits: byPosition, summary: fold?.text });
}

function finish({ entries }: StrategyInput, { view, messages }: { readonly view: View; readonly messages: readonly string[] }): Compacted {
  const printed = new Set(messages.flatMap((raw) => raw.match(HANDLE) ?? []));
  const opened = [...printed].flatMap((handle) => textBehind(entries, handle) ?? []);
  return { messages, state: view, behindHandles: opened, deadHandles: printed.size - opened.length };
}

function textBehind(entries: readonly Entry[], handle: string): string | undefined {
  const [name, part] = handle.split('.');
  const entry = entries.find(({ chain }) => entryHandle(chain) === name);
  if (part === undefined) return entry?.message.parts.map(readableText).join('\n');
  const own = entry?.message.parts[Number(part)];
  return own && readableText(own);
}
