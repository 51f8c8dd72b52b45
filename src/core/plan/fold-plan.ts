// A plan that folds: what stays, what the summary says within the rest of the budget, and what all of it costs.
import { estimateMessage, estimateTokens } from '../size/estimator.ts';
import { FRAME_TOKENS } from '../summary/frame.ts';
import { genuineText } from '../transcript/genuine.ts';
import type { EntryEdit } from './edit.ts';
import { editedMessage } from './edited.ts';
import { composeFold, type FoldRequest } from './fold.ts';
import { type Live, planLive, runTokens } from './live.ts';
import type { Fold, PlanInput } from './plan.ts';
import type { Scope } from './scope.ts';
import { squeezeLive } from './squeeze.ts';
import { collectUnits } from './units.ts';

/** Share of the budget for pruned steps that stay before the tail. */
const ZONE_SHARE = 0.12;
/** Share of the budget that a fold keeps for its text whatever the tail budget says. */
const SMALLEST_FOLD_SHARE = 0.25;
const SMALLEST_FOLD_TOKENS = FRAME_TOKENS + 60;
const MESSAGE_TOKENS = estimateMessage({ role: 'user', parts: [{ kind: 'text', text: '' }], raw: '' });

/** Fold and edits before they are checked against what there is now. */
export interface Draft {
  readonly fold: Fold;
  readonly edits: readonly EntryEdit[];
  readonly tokens: number;
}

/** Chooses what stays for a pass. */
export function liveOfPass(scope: Scope, input: PlanInput, mostMessages: number): Live | undefined {
  const most = input.budgetTokens * (1 - SMALLEST_FOLD_SHARE);
  const earliest = (input.previousFold?.to ?? -1) + 1;
  if (input.pass === 1) {
    const tailTokens = Math.min(input.tailTokens, most);
    const zoneTokens = Math.min(input.budgetTokens * ZONE_SHARE, Math.max(0, most - tailTokens));
    return planLive(scope, { tailTokens, zoneTokens, mostMessages, earliest });
  }
  const tailTokens = Math.min(input.tailTokens / 2, most);
  const live = planLive(scope, { tailTokens, zoneTokens: 0, mostMessages, earliest: Math.max(earliest, openTurnFrom(scope)) });
  return live === undefined || input.pass === 2
    ? live
    : squeezed(scope, live, Math.min(tailTokens, input.budgetTokens - SMALLEST_FOLD_TOKENS));
}

function openTurnFrom(scope: Scope): number {
  return scope.newestAsk ?? 0;
}

function squeezed(scope: Scope, live: Live, budgetTokens: number): Live {
  const edits = squeezeLive(scope, live.from, budgetTokens);
  const tokens = runTokens(scope, { from: live.from, to: scope.entries.length - 1 }, edits);
  return tokens < live.tokens ? { from: live.from, edits, tokens } : live;
}

/** The draft for what stays. */
export function draftFold(scope: Scope, input: PlanInput, live: Live): Draft {
  const to = live.from - 1;
  const budgetTokens = Math.max(SMALLEST_FOLD_TOKENS, Math.floor(input.budgetTokens - live.tokens - MESSAGE_TOKENS));
  const composed = composeFold(foldRequest(scope, input, { live, budgetTokens }));
  const tokens = estimateMessage({ role: 'user', parts: [{ kind: 'text', text: composed.text }], raw: '' });
  return { fold: { to, text: composed.text, tokens, budgetTokens }, edits: live.edits, tokens: tokens + live.tokens };
}

function foldRequest(scope: Scope, input: PlanInput, made: { readonly live: Live; readonly budgetTokens: number }): FoldRequest {
  const { live, budgetTokens } = made;
  const firstAsk = scope.firstAsk !== undefined && scope.firstAsk < live.from ? askOf(scope, scope.firstAsk) : undefined;
  const extra = live.edits.flatMap(({ position, edits }) =>
    edits.flatMap((edit) => (edit.kind === 'replace-text' ? [`${position}.${edit.part}`] : [])),
  );
  const units = collectUnits(scope, live.from - 1, extra).filter(
    ({ position, genuine }) => genuine === undefined || position !== scope.firstAsk,
  );
  return {
    units,
    pins: input.pins,
    firstAsk,
    newestAskPosition: scope.newestAsk,
    prose: input.prose,
    focus: input.focus,
    canOpenHandles: input.canOpenHandles,
    budgetTokens,
    viewTokens: input.budgetTokens,
    liveTexts: liveTexts(scope, live),
  };
}

function askOf(scope: Scope, position: number): FoldRequest['firstAsk'] {
  const entry = scope.entries[position]!;
  const texts = entry.message.parts.flatMap((part) => (part.kind === 'text' ? [genuineText(part.text)] : []));
  return { entry, text: texts.filter((text) => text !== '').join('\n\n') };
}

function liveTexts(scope: Scope, live: Live): readonly string[] {
  const edits = new Map(live.edits.map((edit) => [edit.position, edit.edits]));
  return scope.entries.slice(live.from).flatMap((entry) =>
    editedMessage(entry.message, edits.get(entry.position) ?? []).parts.flatMap((part) => {
      if (part.kind === 'call') return [part.argumentsText];
      return part.kind === 'text' || part.kind === 'result' ? [part.text] : [];
    }),
  );
}

/** Tokens of a framed summary as a message. */
export function summaryTokens(text: string): number {
  return MESSAGE_TOKENS + estimateTokens(text);
}
