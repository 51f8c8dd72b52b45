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

/** Head and tail of a text within `budgetTokens`, with `mark(omitted characters)` between; the text itself when it fits. */
export function capHeadTail(text: string, budgetTokens: number, mark: (omittedChars: number) => string): string {
  const whole = estimateTokens(text);
  if (whole <= budgetTokens) return text;
  let chars = Math.floor((text.length * Math.max(0, budgetTokens - estimateTokens(mark(text.length)))) / whole);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const head = headOf(text, Math.floor(chars * HEAD_SHARE));
    const tail = tailOf(text, chars - Math.floor(chars * HEAD_SHARE));
    const capped = `${head}${head === '' ? '' : '\n'}${mark(text.length - head.length - tail.length)}${tail === '' ? '' : '\n'}${tail}`;
    if (estimateTokens(capped) <= budgetTokens || chars === 0) return capped;
    chars = chars < 16 ? 0 : Math.floor(chars * SHRINK);
  }
  return mark(text.length);
}
