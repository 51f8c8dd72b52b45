// What a fold says before anything else: what the user said, what it must not do, and the agent's own latest words about its plan.
import { estimateTokens } from '../size/estimator.ts';
import { findConstraints } from '../summary/constraints.ts';
import type { Selection } from './select.ts';
import { SOURCE } from './work.ts';

const ASK_TOKENS = 400;
const ASKS_SHARE = 0.1;
const CONSTRAINT_TOKENS = 1500;
const CONSTRAINTS_SHARE = 0.9;
const CONSTRAINT_FACTOR = 5;
const PLAN_WORDS_TOKENS = 350;
const PLAN_WORDS_SHARE = 0.12;
const LONG_WORDS_TOKENS = 40;
/** What each of them may take of the budget when others have used it up. */
const LEAST_SHARE = 0.4;
const PLAN_TOOL = /todo|plan|task_?list|checklist/i;

export interface Demanded {
  readonly roomTokens: number;
  /** The unit that is printed whole. */
  readonly newestAsk?: number;
  /** Stands elsewhere in the summary, word for word. */
  readonly isSaid: (sentence: string) => boolean;
}

/** Chooses what was asked last, and every demand there is room for. May be called again when less is said elsewhere. */
export function takeDemands(selection: Selection, request: Demanded): void {
  takeNewestAsk(selection, request.newestAsk);
  takeConstraints(selection, request);
}

export interface OtherWords {
  readonly roomTokens: number;
  readonly firstAskPosition?: number;
}

/** Chooses the rest of what was asked, newest first, and the agent's words about its plan, each within its share. */
export function takeOtherWords(selection: Selection, request: OtherWords): void {
  takeAsks(selection, request);
  takePlanWords(selection, Math.min(PLAN_WORDS_TOKENS, Math.max(0, request.roomTokens * PLAN_WORDS_SHARE)));
}

/** The newest list of tasks, the newest words of the agent, and its newest words of some length: often the plan itself. */
function takePlanWords(selection: Selection, budgetTokens: number): void {
  const { units } = selection.facts.lines;
  const wanted = new Set(['list', 'words', 'long words']);
  const limit = selection.tokens + budgetTokens;
  for (let unit = units.length - 1; unit >= 0 && wanted.size > 0; unit -= 1) {
    const { texts, label } = units[unit]!;
    const first = texts[0];
    const isList = first?.kind === SOURCE.call && PLAN_TOOL.test(label) && wanted.delete('list');
    const isWords = first?.kind === SOURCE.said && wanted.delete('words');
    const isLong = first?.kind === SOURCE.said && first.table.tokens >= LONG_WORDS_TOKENS && wanted.delete('long words');
    if (isList || isWords || isLong) takeLinesOf(selection, unit, Math.max(limit - selection.tokens, budgetTokens * LEAST_SHARE));
  }
}

/** First lines of a unit's first text within a budget. */
function takeLinesOf(selection: Selection, unit: number, budgetTokens: number): void {
  const { lines } = selection.facts;
  const limit = selection.tokens + budgetTokens;
  for (let line = lines.unitFrom[unit]!; line < lines.unitFrom[unit + 1]! && lines.textOf[line] === 0; line += 1) {
    if (selection.tokens + selection.price(line) > limit) return;
    if (lines.termFrom[line + 1]! > lines.termFrom[line]!) selection.takeLine(line);
  }
}

function takeNewestAsk(selection: Selection, unit: number | undefined): void {
  if (unit === undefined || selection.verbatim.has(unit)) return;
  selection.takeVerbatim(unit, selection.facts.lines.units[unit]!.genuine!);
}

/** What else the user said, whole, newest first. */
function takeAsks(selection: Selection, request: OtherWords): void {
  const { units } = selection.facts.lines;
  let budget = request.roomTokens * ASKS_SHARE;
  for (let unit = units.length - 1; unit >= 0; unit -= 1) {
    const { genuine, position } = units[unit]!;
    if (genuine === undefined || position === request.firstAskPosition || selection.verbatim.has(unit)) continue;
    const tokens = estimateTokens(genuine);
    if (tokens > ASK_TOKENS || tokens > budget) continue;
    selection.takeVerbatim(unit, genuine);
    budget -= tokens;
  }
}

/** Lines of what the user said that hold a constraint, newest first; those past the share still count more than others. */
function takeConstraints(selection: Selection, { roomTokens, isSaid }: Demanded): void {
  const { lines } = selection.facts;
  const counted = new Set<number>();
  let budget = Math.min(CONSTRAINT_TOKENS, Math.max(0, roomTokens * CONSTRAINTS_SHARE));
  for (let unit = lines.units.length - 1; unit >= 0; unit -= 1) {
    const { carried, genuine = carried, texts } = lines.units[unit]!;
    if (genuine === undefined || selection.verbatim.has(unit)) continue;
    const { table } = texts[0]!;
    let from = 0;
    let line = lines.unitFrom[unit]!;
    for (const sentence of findConstraints(genuine)) {
      const start = table.text.indexOf(sentence, from);
      if (start < 0) continue;
      from = start + sentence.length;
      if (isSaid(sentence)) continue;
      while (line < lines.unitFrom[unit + 1]! && table.end(lines.rowOf[line]!) <= start) line += 1;
      for (let at = line; at < lines.unitFrom[unit + 1]! && table.start(lines.rowOf[at]!) < from; at += 1) {
        lines.factor[at] = Math.max(lines.factor[at]!, CONSTRAINT_FACTOR);
        const price = selection.price(at);
        // A line may hold two demands; one that an earlier call took counts once more, against this call's room.
        if (price > budget || counted.has(at)) continue;
        counted.add(at);
        selection.takeLine(at);
        budget -= price;
      }
    }
  }
}
