// A plan that folds: what stays, what the summary says within the rest of the budget, and what all of it costs.
import { estimateMessage, estimateTokens } from '../size/estimator.ts';
import { FRAME_TOKENS } from '../summary/frame.ts';
import { genuineText } from '../transcript/genuine.ts';
import { carriedAsk, carriedBodies } from './carried.ts';
import type { EntryEdit } from './edit.ts';
import { editedMessage } from './edited.ts';
import { composeFold, type FirstAsk, type FoldRequest } from './fold.ts';
import { type Live, planLive, runTokens } from './live.ts';
import type { Fold, PlanInput } from './plan.ts';
import type { Scope } from './scope.ts';
import { squeezeLive } from './squeeze.ts';
import { collectUnits, type PartPlace } from './units.ts';

/** Share of the budget for pruned steps that stay before the tail. */
const ZONE_SHARE = 0.08;
/** Share of the budget that a fold keeps for its text whatever the tail budget says. */
const SMALLEST_FOLD_SHARE = 0.25;
/** A fold of so many tokens says enough not to shorten what stays for its sake. */
const ROOMY_FOLD_TOKENS = 1500;
const SMALLEST_FOLD_TOKENS = FRAME_TOKENS + 30;
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
  const isFirst = input.pass === 1;
  const tailTokens = Math.min(isFirst ? input.tailTokens : input.tailTokens / 2, most);
  const zoneTokens = isFirst ? Math.min(input.budgetTokens * ZONE_SHARE, most - tailTokens) : 0;
  const live = planLive(scope, {
    tailTokens,
    zoneTokens,
    mostMessages,
    earliest: isFirst ? earliest : Math.max(earliest, openTurnFrom(scope)),
  });
  if (live === undefined) return undefined;
  const room = Math.max(SMALLEST_FOLD_TOKENS, Math.min(input.budgetTokens * SMALLEST_FOLD_SHARE, ROOMY_FOLD_TOKENS));
  const bound = input.budgetTokens - room;
  return squeezed(scope, live, input.pass === 3 ? Math.min(tailTokens, bound) : bound);
}

function openTurnFrom(scope: Scope): number {
  return scope.newestAsk ?? 0;
}

function squeezed(scope: Scope, live: Live, budgetTokens: number): Live {
  if (live.tokens <= budgetTokens) return live;
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
  return {
    fold: { to, text: composed.text, tokens, budgetTokens, ...(composed.hasProse ? { hasProse: true } : {}) },
    edits: live.edits,
    tokens: tokens + live.tokens,
  };
}

function foldRequest(scope: Scope, input: PlanInput, made: { readonly live: Live; readonly budgetTokens: number }): FoldRequest {
  const { live, budgetTokens } = made;
  const firstAsk = firstAskOf(scope, live.from);
  const units = collectUnits(scope, live.from - 1, shortenedParts(scope, live)).filter(
    ({ position, genuine }) => genuine === undefined || firstAsk?.isCarried || position !== scope.firstAsk,
  );
  return {
    units,
    pins: input.pins,
    firstAsk,
    newestAskPosition: scope.newestAsk === firstAsk?.entry.position && !firstAsk?.isCarried ? undefined : scope.newestAsk,
    prose: input.prose,
    focus: input.focus,
    canOpenHandles: input.canOpenHandles,
    budgetTokens,
    viewTokens: input.budgetTokens,
    liveTexts: liveTexts(scope, live),
  };
}

/** Parts that stay but are not sent whole: their lines may stand in the summary. */
function shortenedParts(scope: Scope, live: Live): readonly PartPlace[] {
  const edits = new Map(live.edits.map((edit) => [edit.position, edit.edits]));
  return scope.entries.slice(live.from).flatMap(({ position, message }) => {
    const edited = new Set<number>();
    for (const edit of edits.get(position) ?? []) if ('part' in edit) edited.add(edit.part);
    return message.parts.flatMap((part, index) => {
      const isDropped = part.kind === 'thinking' && part.isBound;
      return isDropped || edited.has(index) ? [{ position, part: index }] : [];
    });
  });
}

/** The first thing a person asked before `end`; where a summary of ours stands first, the one it carries. */
function firstAskOf(scope: Scope, end: number): FirstAsk | undefined {
  const genuine = scope.firstAsk ?? scope.entries.length;
  for (const entry of scope.entries.slice(0, Math.min(end, genuine + 1))) {
    const text = carriedBodies(entry)
      .map(carriedAsk)
      .find((ask) => ask !== '');
    if (text !== undefined) return { entry, text, isCarried: true };
  }
  return genuine < end ? askOf(scope, genuine) : undefined;
}

function askOf(scope: Scope, position: number): FirstAsk {
  const entry = scope.entries[position]!;
  const texts = entry.message.parts.flatMap((part) => (part.kind === 'text' ? [genuineText(part.text)] : []));
  return { entry, text: texts.filter((text) => text !== '').join('\n\n'), isCarried: false };
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
