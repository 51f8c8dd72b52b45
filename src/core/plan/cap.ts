// Shortens a text to a budget: its head and its tail with a mark between. Never splits a surrogate pair; linear.
import { estimateTokens } from '../size/estimator.ts';
import { isLowSurrogate } from './characters.ts';

const HEAD_SHARE = 0.6;
const SHRINK = 0.85;
/** A cut moves to the next line break if one is this near, as a share of the piece. */
const LINE_BREAK_REACH = 0.2;
const MOST_TRIES = 40;

/** The text up to about `chars`, cut at a line break when one is near. */
export function headOf(text: string, chars: number): string {
  if (chars >= text.length) return text;
  if (chars <= 0) return '';
  let end = isLowSurrogate(text.charCodeAt(chars)) ? chars - 1 : chars;
  const lineBreak = text.lastIndexOf('\n', end);
  if (lineBreak > end * (1 - LINE_BREAK_REACH)) end = lineBreak;
  return text.slice(0, end);
}

/** The last `chars` of the text, cut at a line break when one is near. */
export function tailOf(text: string, chars: number): string {
  if (chars >= text.length) return text;
  if (chars <= 0) return '';
  let start = text.length - chars;
  if (isLowSurrogate(text.charCodeAt(start))) start += 1;
  const limit = start + chars * LINE_BREAK_REACH;
  const lineBreak = text.indexOf('\n', start);
  if (lineBreak >= 0 && lineBreak < limit) start = lineBreak + 1;
  return text.slice(start);
}

/** A text in three: `middle` is what does not fit. */
export interface Split {
  readonly head: string;
  readonly middle: string;
  readonly tail: string;
}

/** What is written in place of the middle. */
export type OmissionMark = (omittedChars: number) => string;

/** The mark of every shortened text, with the handle of the whole where that can be opened. */
export const omission = (omittedChars: number, handle?: string): string =>
  `[… ${omittedChars} characters left out${handle === undefined ? '' : `; whole in ${handle}`} …]`;

/** Head and tail of a text that, with a mark between them, take at most `budgetTokens`; undefined when the whole text fits. */
export function splitHeadTail(text: string, budgetTokens: number, mark: OmissionMark): Split | undefined {
  const whole = estimateTokens(text);
  if (whole <= budgetTokens) return undefined;
  let chars = Math.floor((text.length * Math.max(0, budgetTokens - estimateTokens(mark(text.length)))) / whole);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const head = headOf(text, Math.floor(chars * HEAD_SHARE));
    const tail = tailOf(text, chars - Math.floor(chars * HEAD_SHARE));
    const split = { head, middle: text.slice(head.length, text.length - tail.length), tail };
    if (chars === 0 || estimateTokens(joinSplit(split, mark)) <= budgetTokens) return split;
    chars = chars < 16 ? 0 : Math.floor(chars * SHRINK);
  }
  return { head: '', middle: text, tail: '' };
}

/** Head, mark and tail as one text. */
export function joinSplit({ head, middle, tail }: Split, mark: OmissionMark): string {
  return `${head}${head === '' ? '' : '\n'}${mark(middle.length)}${tail === '' ? '' : '\n'}${tail}`;
}

/** Head and tail of a text within `budgetTokens`, with `mark(omitted characters)` between; the text itself when it fits. */
export function capHeadTail(text: string, budgetTokens: number, mark: OmissionMark): string {
  const split = splitHeadTail(text, budgetTokens, mark);
  return split === undefined ? text : joinSplit(split, mark);
}
