// Texts of many events as one, so that a fact is looked for once.
import { nextOccurrence } from './occurrence.ts';

/** Between two texts: ends words and lines, and stands in no text. */
const SEPARATOR = '\n\u0000\n';

export interface Place {
  /** Index of the text. */
  readonly index: number;
  /** Offset in the joined text. */
  readonly at: number;
}

export class JoinedText {
  readonly text: string;
  private readonly starts: readonly number[];

  constructor(texts: readonly string[]) {
    let at = 0;
    this.starts = texts.map((text) => {
      const start = at;
      at += text.length + SEPARATOR.length;
      return start;
    });
    this.text = texts.join(SEPARATOR);
  }

  /** Every place where `part` stands: as a word of its own, or anywhere with `isSubstring`. */
  placesOf(part: string, isSubstring = false): readonly Place[] {
    const next = (from: number) => (isSubstring ? this.text.indexOf(part, from) : nextOccurrence(this.text, part, from));
    const places: Place[] = [];
    for (let at = next(0); at >= 0; at = next(at + part.length)) places.push({ index: this.indexAt(at), at });
    return places;
  }

  private indexAt(at: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
