// Composes the text that stands in place of a folded range: pins, first ask, prose, chosen lines and names, within a budget.
import { estimateTokens } from '../size/estimator.ts';
import { FRAME_TOKENS, frameSummary } from '../summary/frame.ts';
import { redactSecrets } from '../summary/redact.ts';
import type { Entry } from '../transcript/entry.ts';
import { entryHandle } from '../transcript/entry.ts';
import { capHeadTail } from './cap.ts';
import { buildFacts, markShown } from './facts.ts';
import { takeMustHaves } from './must-haves.ts';
import { takeNames } from './names.ts';
import type { PlanPin } from './plan.ts';
import { renderSelection } from './render.ts';
import { Selection } from './select.ts';
import type { Unit } from './units.ts';

const FIRST_ASK_SHARE = 0.3;
const PROSE_SHARE = 0.5;
/** Share of the facts' budget for lines before the name index. */
const LINES_SHARE = 0.8;
/** A text this full is done. */
const FULL_SHARE = 0.985;
const MOST_ROUNDS = 8;

const TITLE = {
  pins: 'Kept word for word at the user’s wish:',
  firstAsk: 'The first request of the user, as it was made:',
  prose: 'Summary:',
  facts: 'Lines of the earlier messages, in their order, with gaps (→ begins what a tool gave back; names: more names that stood there):',
} as const;

export interface FoldRequest {
  readonly units: readonly Unit[];
  readonly pins: readonly PlanPin[];
  /** The first thing a person asked, when it lies in the folded range. */
  readonly firstAsk?: { readonly entry: Entry; readonly text: string };
  /** The newest thing a person asked, when it lies in the folded range and is not the first. */
  readonly newestAskPosition?: number;
  readonly prose?: string;
  readonly focus?: string;
  readonly canOpenHandles: boolean;
  /** Tokens of the framed text. */
  readonly budgetTokens: number;
  /** Tokens of the whole view; shares of the first ask refer to it. */
  readonly viewTokens: number;
  /** Texts that are sent anyway: what they show need not be said again. */
  readonly liveTexts: readonly string[];
}

/** The framed text of a fold, and its estimate. */
export interface FoldText {
  readonly text: string;
  readonly tokens: number;
}

/** Composes the fold text. Uses nearly all of the budget when there is enough to say; over it only if pins and the frame alone are. */
export function composeFold(request: FoldRequest): FoldText {
  const fixed = fixedTexts(request);
  const facts = buildFacts(request.units, request.focus);
  for (const text of [...request.liveTexts, ...fixed.all]) markShown(facts.terms, text);
  const selection = new Selection(facts, request.canOpenHandles);
  const room = request.budgetTokens - estimateTokens(assemble(fixed, '')) - estimateTokens(TITLE.facts);
  takeMustHaves(selection, {
    roomTokens: room,
    newestAskPosition: request.newestAskPosition,
    firstAskPosition: request.firstAsk?.entry.position,
  });
  selection.grow(Math.floor(room * LINES_SHARE));
  takeNames(selection, Math.floor(room));
  return fillBudget(request, { fixed, selection, room });
}

interface FixedTexts {
  readonly pins: string;
  readonly head: string;
  readonly all: readonly string[];
}

function fixedTexts(request: FoldRequest): FixedTexts {
  const pins = request.pins.length === 0 ? '' : `${TITLE.pins}\n${request.pins.map((pin) => pin.text).join('\n')}\n\n`;
  const { firstAsk } = request;
  const parts: string[] = [];
  if (firstAsk !== undefined && firstAsk.text !== '') {
    const budget = Math.max(16, Math.floor(Math.min(request.viewTokens * FIRST_ASK_SHARE, request.budgetTokens * 0.9)));
    const handle = request.canOpenHandles ? `, whole in ${entryHandle(firstAsk.entry.chain)}` : '';
    parts.push(`${TITLE.firstAsk}\n${capHeadTail(firstAsk.text, budget, (omitted) => `[… ${omitted} characters left out${handle} …]`)}`);
  }
  if (request.prose !== undefined && request.prose.trim() !== '') {
    const budget = Math.floor(request.budgetTokens * PROSE_SHARE);
    parts.push(`${TITLE.prose}\n${capHeadTail(request.prose.trim(), budget, (omitted) => `[… ${omitted} characters left out …]`)}`);
  }
  return { pins, head: parts.join('\n\n'), all: [pins, ...parts] };
}

function assemble(fixed: FixedTexts, facts: string): string {
  const head = fixed.head === '' ? '' : `${fixed.head}\n\n`;
  const listed = facts === '' ? '' : `${TITLE.facts}\n${facts}`;
  return frameSummary({ body: fixed.pins + redactSecrets(head + listed) });
}

/** Renders, measures, and drops or adds choices until the text fills the budget without passing it. */
function fillBudget(request: FoldRequest, made: { fixed: FixedTexts; selection: Selection; room: number }): FoldText {
  const { selection } = made;
  let best: FoldText | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const text = assemble(made.fixed, renderSelection(selection, request.canOpenHandles));
    const tokens = estimateTokens(text);
    const over = tokens - request.budgetTokens;
    if (over <= 0 && (best === undefined || tokens > best.tokens)) best = { text, tokens };
    if (over > 0) {
      if (!selection.drop(over + 2)) break;
    } else if (tokens >= request.budgetTokens * FULL_SHARE || !selection.grow(selection.tokens - over - 1)) break;
  }
  return best ?? barest(made.fixed, request);
}

function barest(fixed: FixedTexts, request: FoldRequest): FoldText {
  const text = assemble(fixed, '');
  const tokens = estimateTokens(text);
  if (tokens <= request.budgetTokens || fixed.head === '') return { text, tokens };
  const room = Math.max(0, request.budgetTokens - estimateTokens(fixed.pins) - FRAME_TOKENS);
  const head = capHeadTail(fixed.head, room, (omitted) => `[… ${omitted} characters left out …]`);
  const capped = assemble({ ...fixed, head }, '');
  return { text: capped, tokens: estimateTokens(capped) };
}
