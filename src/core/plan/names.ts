// The name index: names that no chosen line shows, printed under the entry that last showed them.
import { estimateTokens } from '../size/estimator.ts';
import type { Facts } from './facts.ts';
import { markShown } from './facts.ts';
import type { Selection } from './select.ts';
import { SHAPE } from './terms.ts';

const SEPARATOR_TOKENS = 1;
/** A long name pays its length only in part: it is often the one that cannot be guessed. */
const PRICE_EXPONENT = 0.4;
const SHORTEST_NAME_CHARS = 4;
/** Longer names are addresses with data in them. */
const LONGEST_NAME_CHARS = 160;

/** A term as it stood at its newest place. */
export function nameText(facts: Facts, id: number): string {
  return newestText(facts, id).slice(facts.terms.lastStart[id]!, facts.terms.lastEnd[id]!);
}

function newestText({ lines, terms }: Facts, id: number): string {
  const line = terms.lastLine[id]!;
  return lines.units[lines.unitOf[line]!]!.texts[lines.textOf[line]!]!.table.text;
}

/** The last segment of a path is shown with the path, or not at all: the path is what an agent can open. */
function isEndOfPath(facts: Facts, id: number): boolean {
  return newestText(facts, id)[facts.terms.lastStart[id]! - 1] === '/';
}

interface Candidate {
  readonly id: number;
  readonly text: string;
  readonly tokens: number;
  readonly rank: number;
}

/** Chooses names worth most, long ones paying less than their length, until their estimate reaches `limitTokens`. */
export function takeNames(selection: Selection, limitTokens: number): void {
  const { facts } = selection;
  for (const { id, text, tokens } of candidates(selection)) {
    if (facts.terms.shown[id]! > 0) continue;
    if (selection.tokens + tokens > limitTokens) continue;
    selection.takeName(id, tokens);
    markShown(facts.terms, text);
  }
}

function candidates(selection: Selection): readonly Candidate[] {
  const { terms } = selection.facts;
  const found: Candidate[] = [];
  for (let id = 0; id < terms.vocabulary.size; id += 1) {
    if (terms.shown[id]! > 0 || terms.shape[id]! <= SHAPE.integer) continue;
    const chars = terms.lastEnd[id]! - terms.lastStart[id]!;
    if (chars < SHORTEST_NAME_CHARS || chars > LONGEST_NAME_CHARS) continue;
    if (isEndOfPath(selection.facts, id)) continue;
    const text = nameText(selection.facts, id);
    const tokens = estimateTokens(text) + SEPARATOR_TOKENS;
    found.push({ id, text, tokens, rank: terms.weight[id]! / tokens ** PRICE_EXPONENT });
  }
  return found.sort((a, b) => b.rank - a.rank || a.id - b.id);
}
