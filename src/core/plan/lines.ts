// A source text cut into lines that can be chosen one by one, each with its terms and its price.
import { estimateTokens } from '../size/estimator.ts';
import { isLowSurrogate } from './characters.ts';
import { defines } from './definitions.ts';
import { LINE, type LineTable, LineTableBuilder } from './line-table.ts';
import type { Span } from './term-hash.ts';
import { scanTerms, type TermSink } from './terms.ts';

/** Longer lines are cut into pieces; a piece is about as long as a good sentence. */
const LONGEST_LINE_CHARS = 240;
const PIECE_CHARS = 180;
const SHORTEST_PIECE_CHARS = 90;

const LINE_BREAK_TOKENS = 0.3;

/** Used again for every text; nothing of it outlives a call. */
const builder = new LineTableBuilder();

/** Cuts a text into trimmed, non-empty lines; `keys` and `tables` are those of Records. Linear. */
export function cutLines(text: string, keys: readonly number[] = [], tables: readonly number[] = []): LineTable {
  return cut(text, { keys, tables, bySentence: false });
}

/** The same for what a person said, cut behind each sentence: a demand can be chosen without what stands around it. */
export function cutSentences(text: string): LineTable {
  return cut(text, { keys: [], tables: [], bySentence: true });
}

interface CutRequest {
  readonly keys: readonly number[];
  readonly tables: readonly number[];
  readonly bySentence: boolean;
}

function cut(text: string, { keys, tables, bySentence }: CutRequest): LineTable {
  builder.clear();
  skips.set(keys);
  let table = 0;
  let from = 0;
  while (from <= text.length) {
    let to = text.indexOf('\n', from);
    if (to < 0) to = text.length;
    while (table < tables.length && from >= tables[table + 2]!) table += 3;
    const flag = tableFlag(from, tables, table);
    const line = trimmed(text, { start: from, end: to }, flag !== LINE.row);
    if (line.end > line.start) addLine(text, line, { flag, bySentence });
    from = to + 1;
  }
  return builder.build(text);
}

function tableFlag(from: number, tables: readonly number[], table: number): number {
  if (table >= tables.length || from < tables[table]!) return 0;
  return from < tables[table + 1]! ? LINE.heading : LINE.row;
}

function addLine(text: string, line: Span, { flag, bySentence }: { readonly flag: number; readonly bySentence: boolean }): void {
  let { start } = line;
  let flags = flag | (defines(text, line.start, line.end) ? LINE.defines : 0) | (skips.begins(line.end) ? LINE.keyed : 0);
  for (;;) {
    const sentence = bySentence ? sentenceEnd(text, start, line.end) : line.end;
    const end = sentence - start > LONGEST_LINE_CHARS ? pieceEnd(text, start, line.end) : sentence;
    if (end >= line.end) break;
    addPiece(text, { start, end }, flags);
    flags = LINE.continued;
    start = end;
  }
  addPiece(text, { start, end: line.end }, flags);
}

function addPiece(text: string, piece: Span, flags: number): void {
  const termFrom = builder.termCount;
  skips.scan(text, piece, builder);
  builder.addLine(piece, flags, { tokens: estimateTokens(text.slice(piece.start, piece.end)) + LINE_BREAK_TOKENS, termFrom });
}

const SHORTEST_SENTENCE_CHARS = 12;

/** Behind the first sentence of text[start, end). */
function sentenceEnd(text: string, start: number, end: number): number {
  for (let at = start + SHORTEST_SENTENCE_CHARS; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const isWide = code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff1b;
    if (!isWide && !((code === 46 || code === 33 || code === 63) && isSpace(text.charCodeAt(at + 1)))) continue;
    return at + 1;
  }
  return end;
}

/** Reads terms around the keys of a text. */
class Skips {
  private keys: readonly number[] = [];
  private next = 0;

  set(keys: readonly number[]): void {
    this.keys = keys;
    this.next = 0;
  }

  /** True when a key begins before `end`. */
  begins(end: number): boolean {
    return this.next < this.keys.length && this.keys[this.next]! < end;
  }

  /** Pieces must come in order. */
  scan(text: string, piece: Span, out: TermSink): void {
    let { start } = piece;
    while (this.begins(piece.end)) {
      if (this.keys[this.next]! > start) scanTerms(text, { start, end: this.keys[this.next]! }, out);
      start = Math.max(start, this.keys[this.next + 1]!);
      this.next += 2;
    }
    if (start < piece.end) scanTerms(text, { start, end: piece.end }, out);
  }
}

const skips = new Skips();

const OBJECT_BORDER = 5;

/** How good it is to cut behind a character: object borders, then sentences, then commas, then spaces. */
function cutQuality(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const next = text.charCodeAt(at + 1);
  if (code === 125 || code === 93) return next === 44 || next === 125 || next === 93 ? 0 : OBJECT_BORDER;
  if (code === 44) {
    const begins = next === 32 ? text.charCodeAt(at + 2) : next;
    return begins === 123 || begins === 91 ? OBJECT_BORDER : 3;
  }
  if (code === 59 || ((code === 46 || code === 33 || code === 63) && next === 32)) return 4;
  return code === 32 || code === 9 ? 2 : 0;
}

/** The first object border, else the last of the best places. */
function pieceEnd(text: string, start: number, end: number): number {
  let best = 0;
  let bestAt = start + PIECE_CHARS;
  const last = Math.min(start + LONGEST_LINE_CHARS, end);
  for (let at = start + SHORTEST_PIECE_CHARS; at < last && best < OBJECT_BORDER; at += 1) {
    const quality = cutQuality(text, at);
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

/** Without white space around it; the cell at the start of a row may look like a line number, and is none. */
function trimmed(text: string, line: Span, mayBeNumbered: boolean): Span {
  let { start, end } = line;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  if (mayBeNumbered) start = behindLineNumber(text, start, end);
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
