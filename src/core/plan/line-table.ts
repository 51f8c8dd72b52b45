// The lines of one text, with their terms, packed into two arrays: small texts are many, and arrays are dear.
import { FAILURE } from './failure-words.ts';

/** Flags of a line. */
export const LINE = {
  /** Goes on where the line before it stopped, without a line break. */
  continued: 1,
  /** Has a word of failure in it. */
  mentionsFailure: 2,
  /** Tells of a failure. */
  tellsFailure: 4,
  /** Names the columns of the rows behind it. */
  heading: 8,
  /** Says nothing without the heading before it. */
  row: 16,
  /** Defines something, as source code does. */
  defines: 32,
  /** Has a key of a record in it: no line of a text. */
  keyed: 64,
} as const;

/** By FAILURE. */
const FAILURE_FLAGS = [0, LINE.mentionsFailure, LINE.mentionsFailure | LINE.tellsFailure];

/** Columns of a line: start, end, flags, price in hundredths of a token, its first term. */
const ROW = 5;
/** Columns of a term: hash, shape, start, end. */
const TERM = 4;
const HUNDREDTHS = 100;

/** Growing rows that are used again for the next text. */
class Rows {
  private data = new Int32Array(4096);
  private length = 0;

  clear(): void {
    this.length = 0;
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Int32Array(this.data.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }

  get size(): number {
    return this.length;
  }

  copy(): Int32Array {
    return this.data.slice(0, this.length);
  }
}

/** Takes lines and terms in, one text at a time. */
export class LineTableBuilder {
  private readonly rows = new Rows();
  private readonly terms = new Rows();
  private hundredths = 0;
  /** The surest failure of the terms of a line; taken by the line that ends. */
  failure: number = FAILURE.none;

  clear(): void {
    this.rows.clear();
    this.terms.clear();
    this.hundredths = 0;
    this.failure = FAILURE.none;
  }

  addTerm(hash: number, shape: number, span: { readonly start: number; readonly end: number }): void {
    this.terms.push(hash);
    this.terms.push(shape);
    this.terms.push(span.start);
    this.terms.push(span.end);
  }

  get termCount(): number {
    return this.terms.size / TERM;
  }

  /** Ends a line whose terms begin at `termFrom`. */
  addLine(
    span: { readonly start: number; readonly end: number },
    flags: number,
    price: { readonly tokens: number; readonly termFrom: number },
  ): void {
    const hundredths = Math.round(price.tokens * HUNDREDTHS);
    this.rows.push(span.start);
    this.rows.push(span.end);
    this.rows.push(flags | FAILURE_FLAGS[this.failure]!);
    this.rows.push(hundredths);
    this.rows.push(price.termFrom);
    this.hundredths += hundredths;
    this.failure = FAILURE.none;
  }

  build(text: string): LineTable {
    const tokens = this.hundredths / HUNDREDTHS;
    return new LineTable(text, { rows: this.rows.copy(), terms: this.terms.copy(), tokens });
  }
}

/** Lines 0 … count − 1 of a text; terms 0 … termCount − 1, in line order. */
export class LineTable {
  readonly text: string;
  readonly count: number;
  readonly termCount: number;
  /** Estimated tokens of all lines. */
  readonly tokens: number;
  private readonly rows: Int32Array;
  private readonly terms: Int32Array;

  constructor(text: string, made: { readonly rows: Int32Array; readonly terms: Int32Array; readonly tokens: number }) {
    this.text = text;
    this.rows = made.rows;
    this.terms = made.terms;
    this.tokens = made.tokens;
    this.count = made.rows.length / ROW;
    this.termCount = made.terms.length / TERM;
  }

  start(line: number): number {
    return this.rows[line * ROW]!;
  }

  end(line: number): number {
    return this.rows[line * ROW + 1]!;
  }

  has(line: number, flag: number): boolean {
    return (this.rows[line * ROW + 2]! & flag) !== 0;
  }

  /** Estimated tokens of a line with its line break. */
  tokensOf(line: number): number {
    return this.rows[line * ROW + 3]! / HUNDREDTHS;
  }

  /** The first term of a line; of the line behind the last: the number of terms. */
  termFrom(line: number): number {
    return line < this.count ? this.rows[line * ROW + 4]! : this.termCount;
  }

  hash(term: number): number {
    return this.terms[term * TERM]!;
  }

  shape(term: number): number {
    return this.terms[term * TERM + 1]!;
  }

  termStart(term: number): number {
    return this.terms[term * TERM + 2]!;
  }

  termEnd(term: number): number {
    return this.terms[term * TERM + 3]!;
  }

  line(line: number): string {
    return this.text.slice(this.start(line), this.end(line));
  }
}
