// A source text cut into lines that can be chosen one by one, each with its terms and its price.
import { estimateTokens } from '../size/estimator.ts';
import { isLowSurrogate } from './characters.ts';
import { scanTerms, TermColumns } from './terms.ts';

/** Flags of a line. */
export const LINE = {
  /** Tells of a failure. */
  error: 1,
  /** Goes on where the line before it stopped, without a line break. */
  continued: 2,
} as const;

/** Longer lines are cut into pieces; a piece is about as long as a good sentence. */
const LONGEST_LINE_CHARS = 240;
const PIECE_CHARS = 180;
const SHORTEST_PIECE_CHARS = 90;

/** Columns, one row per line; the terms of line i are rows termFrom[i] … termFrom[i + 1] of `terms`. */
export interface LineTable {
  readonly text: string;
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  /** Estimated tokens with the line break. */
  readonly tokens: Float32Array;
  readonly termFrom: Int32Array;
  readonly terms: TermColumns;
}

const LINE_BREAK_TOKENS = 0.3;

/** Cuts a text into trimmed, non-empty lines. Linear. */
export function cutLines(text: string): LineTable {
  const starts: number[] = [];
  const ends: number[] = [];
  const flags: number[] = [];
  let from = 0;
  while (from <= text.length) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    const line = trimmed(text, from, to);
    if (line.end > line.start) addLine(text, line, { starts, ends, flags });
    from = to + 1;
  }
  return withTerms(text, { starts, ends, flags });
}

interface Rows {
  readonly starts: number[];
  readonly ends: number[];
  readonly flags: number[];
}

function addLine(text: string, line: { readonly start: number; readonly end: number }, rows: Rows): void {
  let start = line.start;
  let flag = 0;
  while (line.end - start > LONGEST_LINE_CHARS) {
    const cut = pieceEnd(text, start, line.end);
    rows.starts.push(start);
    rows.ends.push(cut);
    rows.flags.push(flag);
    flag = LINE.continued;
    start = cut;
  }
  rows.starts.push(start);
  rows.ends.push(line.end);
  rows.flags.push(flag);
}

/** How good it is to cut behind this character: object borders, then sentences, then commas, then spaces. */
function cutQuality(code: number, next: number): number {
  if (code === 125 || code === 93) return next === 44 ? 0 : 5;
  if (code === 44) return next === 123 || next === 91 ? 6 : 3;
  if (code === 59 || ((code === 46 || code === 33 || code === 63) && next === 32)) return 4;
  return code === 32 || code === 9 ? 2 : 0;
}

function pieceEnd(text: string, start: number, end: number): number {
  let best = 0;
  let bestAt = start + PIECE_CHARS;
  const last = Math.min(start + LONGEST_LINE_CHARS, end);
  for (let at = start + SHORTEST_PIECE_CHARS; at < last; at += 1) {
    const quality = cutQuality(text.charCodeAt(at), text.charCodeAt(at + 1));
    if (quality > 0 && quality >= best) {
      best = quality;
      bestAt = at + 1;
    }
  }
  return isLowSurrogate(text.charCodeAt(bestAt)) ? bestAt + 1 : bestAt;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 0xa0 || code === 0xfeff;
}

function trimmed(text: string, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  start = behindLineNumber(text, start, end);
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end };
}

/** Behind a leading line number as file viewers print it: digits, then an arrow, a tab or a bar. */
function behindLineNumber(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && at < from + 7 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at += 1;
  if (at === from || at >= end) return from;
  const code = text.charCodeAt(at);
  if (code !== 0x2192 && code !== 9 && code !== 124) return from;
  at += 1;
  while (at < end && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function withTerms(text: string, rows: Rows): LineTable {
  const count = rows.starts.length;
  const terms = new TermColumns();
  const termFrom = new Int32Array(count + 1);
  const tokens = new Float32Array(count);
  for (let line = 0; line < count; line += 1) {
    const start = rows.starts[line]!;
    const end = rows.ends[line]!;
    termFrom[line] = terms.count;
    terms.hasError = false;
    scanTerms(text, { start, end }, terms);
    if (terms.hasError) rows.flags[line]! |= LINE.error;
    tokens[line] = estimateTokens(text.slice(start, end)) + LINE_BREAK_TOKENS;
  }
  termFrom[count] = terms.count;
  const { starts, ends, flags } = rows;
  return {
    text,
    count,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    flags: Uint8Array.from(flags),
    tokens,
    termFrom,
    terms,
  };
}
