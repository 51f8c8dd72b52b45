// The room of a model's prose in a fold: half at most, less in a small one, and never what the user's own words need.
import { estimateTokens } from '../size/estimator.ts';
import { findConstraints } from '../summary/constraints.ts';
import { fitProse } from '../summary/fit-prose.ts';
import { splitSections } from '../summary/sections.ts';
import { capHeadTail, type OmissionMark } from './cap.ts';

/** Share of a fold's budget for what a model wrote; the facts fill the rest. */
const PROSE_SHARE = 0.5;
/** In a smaller fold the share shrinks with it: facts say more in little room. */
const WHOLE_SHARE_TOKENS = 1_000;
/** Less says nothing, and no model is asked for it. */
export const LEAST_PROSE_TOKENS = 48;

/** The most tokens that prose may have in a fold of this budget. */
export function proseTokens(budgetTokens: number): number {
  return Math.floor(budgetTokens * PROSE_SHARE * Math.min(1, Math.max(0, budgetTokens) / WHOLE_SHARE_TOKENS));
}

/** The prose in its room: whole lines go first, then its middle; '' where there is no room for any. */
export function cutProse(prose: string, roomTokens: number, mark: OmissionMark): string {
  if (estimateTokens(prose) <= roomTokens) return prose;
  if (roomTokens < LEAST_PROSE_TOKENS) return '';
  return capHeadTail(fitProse(prose, roomTokens), Math.floor(roomTokens), mark);
}

/** Says whether a demand stands word for word in the prose; the list signs and quotation marks around it do not count. */
export function saidIn(prose: string): (sentence: string) => boolean {
  const said = new Set(findConstraints(prose).map(bareWords));
  return (sentence) => said.has(bareWords(sentence));
}

const bareWords = (sentence: string): string => sentence.replace(/^["'“”„«‘]{1,3}/, '').replace(/["'“”»’]{1,3}$/, '');

const DEMANDS = 'constraints and preferences';

/** What the prose reports of the user's demands, one a line. */
export function demandsIn(prose: string): string {
  const lines = splitSections(prose).flatMap(({ name, lines }) => (name === DEMANDS ? lines : []));
  return lines.filter((line) => line.trim() !== '').join('\n');
}
