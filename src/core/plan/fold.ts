// Composes the text that stands in place of a folded range: pins, first ask, prose, chosen lines and names, within a budget.
import { estimateTokens } from '../size/estimator.ts';
import { FRAME_TOKENS, frameSummary } from '../summary/frame.ts';
import { redactSecrets } from '../summary/redact.ts';
import type { Entry } from '../transcript/entry.ts';
import { firstAskText, SMALLEST_ASK_TOKENS, splitNewestAsk, withUnit } from './asks.ts';
import { capHeadTail, omission } from './cap.ts';
import { TITLE } from './carried.ts';
import { buildFacts, markShown } from './facts.ts';
import { takeDemands, takeOtherWords } from './must-haves.ts';
import { takeNames } from './names.ts';
import type { PlanPin } from './plan.ts';
import { cutProse, proseTokens, saidIn } from './prose.ts';
import { Renderer } from './render.ts';
import { Selection } from './select.ts';
import type { Unit } from './units.ts';

/** Of the room beside the demands: their lines are estimated one by one. */
const SURE_SHARE = 0.96;
/** After so many cuts it is left out. */
const MOST_PROSE_CUTS = 4;
/** Title of the prose and what stands around it, rounded up. */
const TITLE_TOKENS = 8;
/** Share of the facts' budget for lines before the name index. */
const LINES_SHARE = 0.75;
/** A text this full is done. */
const FULL_SHARE = 0.985;
const MOST_ROUNDS = 8;

/** The first ask and the entry it stands in. */
export interface FirstAsk {
  readonly entry: Entry;
  readonly text: string;
  /** It stands in a summary of ours; what else the entry says is not it. */
  readonly isCarried: boolean;
}

export interface FoldRequest {
  readonly units: readonly Unit[];
  readonly pins: readonly PlanPin[];
  /** The first thing a person asked, when it lies in the folded range. */
  readonly firstAsk?: FirstAsk;
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

interface Measured {
  readonly text: string;
  readonly tokens: number;
}

/** The framed text of a fold, and its estimate. */
export interface FoldText extends Measured {
  /** The prose, or a part of it, stands in the text. */
  readonly hasProse: boolean;
}

/**
 * Composes the fold text. Uses nearly all of the budget when there is enough to say; over it only if pins and the frame alone are. What the user
 * asked and demanded has its room before a model's prose.
 */
export function composeFold(request: FoldRequest): FoldText {
  const ask = firstAskText(request);
  const bare = fixedTexts(request, ask.text);
  const { units, newestAsk } = splitNewestAsk(request, withUnit(request.units, ask.rest), roomBeside(request, bare));
  const facts = buildFacts(units, request.focus);
  const selection = new Selection(facts, request.canOpenHandles);
  for (const text of [...request.liveTexts, bare.pins, bare.head]) markShown(facts.terms, text);
  const prose = proseBeside(request, { bare, selection, newestAsk });
  if (prose !== '') markShown(facts.terms, prose);
  const fixed = fixedTexts(request, ask.text, prose);
  const room = roomBeside(request, fixed);
  takeOtherWords(selection, { roomTokens: room, firstAskPosition: firstAskPosition(request) });
  selection.grow(Math.floor(room * LINES_SHARE));
  takeNames(selection, Math.floor(room));
  return { ...fillBudget(request, fixed, selection), hasProse: prose !== '' };
}

const roomBeside = (request: FoldRequest, fixed: FixedTexts): number =>
  request.budgetTokens - estimateTokens(assemble(fixed, '')) - estimateTokens(TITLE.facts);

const firstAskPosition = ({ firstAsk }: FoldRequest): number | undefined => (firstAsk?.isCarried ? undefined : firstAsk?.entry.position);

/** Takes what was demanded and is not said in the prose, and gives the prose as far as there is room beside that. */
function proseBeside(
  request: FoldRequest,
  { bare, selection, newestAsk }: { readonly bare: FixedTexts; readonly selection: Selection; readonly newestAsk?: number },
): string {
  const roomTokens = roomBeside(request, bare);
  let prose = redactSecrets(request.prose?.trim() ?? '');
  let most = proseTokens(request.budgetTokens);
  // What is cut off the prose may have held a demand: that is taken then, and leaves the prose less.
  for (let cuts = MOST_PROSE_CUTS; ; cuts -= 1) {
    prose = cutProse(prose, most, omission);
    takeDemands(selection, { roomTokens, newestAsk, isSaid: saidIn(prose) });
    const left = Math.floor((roomTokens - selection.tokens) * SURE_SHARE) - TITLE_TOKENS;
    if (prose === '' || estimateTokens(prose) <= left) return prose;
    most = cuts > 0 ? left : 0;
  }
}

interface FixedTexts {
  readonly pins: string;
  readonly head: string;
  readonly ask: string;
}

function fixedTexts(request: FoldRequest, ask: string, prose = ''): FixedTexts {
  const pins = request.pins.length === 0 ? '' : `${TITLE.pins}\n${request.pins.map((pin) => pin.text).join('\n')}\n\n`;
  const parts: string[] = [];
  if (ask !== '') parts.push(`${TITLE.firstAsk}\n${ask}`);
  if (prose !== '') parts.push(`${TITLE.prose}\n${prose}`);
  return { pins, head: redactSecrets(parts.join('\n\n')), ask: redactSecrets(ask) };
}

/** Pins are the user's own words for ever: they alone are not redacted. */
function assemble(fixed: FixedTexts, facts: string): string {
  const parts = [fixed.head, facts === '' ? '' : `${TITLE.facts}\n${facts}`].filter((part) => part !== '');
  return frameSummary({ body: fixed.pins + parts.join('\n\n') });
}

/** Renders, measures, and drops or adds choices until the text fills the budget without passing it. */
function fillBudget(request: FoldRequest, fixed: FixedTexts, selection: Selection): Measured {
  const renderer = new Renderer(selection, { canOpenHandles: request.canOpenHandles, redact: redactSecrets });
  let best: Measured | undefined;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const text = assemble(fixed, renderer.render());
    const tokens = estimateTokens(text);
    const over = tokens - request.budgetTokens;
    if (over <= 0 && (best === undefined || tokens > best.tokens)) best = { text, tokens };
    if (over > 0) {
      if (!selection.drop(over + 2)) break;
    } else if (tokens >= request.budgetTokens * FULL_SHARE || !selection.grow(selection.tokens - over - 1)) break;
  }
  return best ?? barest(request, fixed);
}

/** Pins and what fits of the first ask, or of the prose where nobody asked: however small the budget, the ask is not lost. */
function barest(request: FoldRequest, fixed: FixedTexts): Measured {
  const text = assemble(fixed, '');
  const tokens = estimateTokens(text);
  if (tokens <= request.budgetTokens || fixed.head === '') return { text, tokens };
  const room = Math.max(0, request.budgetTokens - estimateTokens(fixed.pins) - FRAME_TOKENS);
  const least = SMALLEST_ASK_TOKENS + estimateTokens(omission(fixed.ask.length));
  const askRoom = Math.max(least, room - estimateTokens(TITLE.firstAsk) - 1);
  const ask = fixed.ask === '' ? '' : `${TITLE.firstAsk}\n${capHeadTail(fixed.ask, askRoom, omission)}`;
  const capped = assemble({ ...fixed, head: ask === '' ? capHeadTail(fixed.head, room, omission) : ask }, '');
  return { text: capped, tokens: estimateTokens(capped) };
}
