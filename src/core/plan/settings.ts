// Settings that were given another value later on: `port = 1`, `port 2`. The older line is worth little, and misleads.
import { SHAPE } from './terms.ts';

/** What is left of the worth of a line whose setting has a newer value. */
const OUTDATED_FACTOR = 0.2;
/** Between a name and its value. */
const LONGEST_GAP_CHARS = 4;
const GAP = /^["'`]?[ \t]?(?:[=:]|=>|:=)?[ \t]?["'`]?$/;

interface Place {
  readonly id: number;
  readonly shape: number;
  readonly start: number;
  readonly end: number;
}

export class Settings {
  private readonly factor: Float64Array;
  private readonly newest = new Map<number, { readonly line: number; readonly value: number }>();
  private name: Place | undefined;

  /** `factor` of lines, lowered for the outdated ones. */
  constructor(factor: Float64Array) {
    this.factor = factor;
  }

  endLine(): void {
    this.name = undefined;
  }

  /** Takes the terms of a line in their order. */
  note(text: string, line: number, term: Place): void {
    const { name } = this;
    if (term.shape === SHAPE.name) this.name = term;
    if (name === undefined || (term.shape !== SHAPE.integer && term.shape !== SHAPE.code)) return;
    this.name = undefined;
    const gap = term.start - name.end;
    if (gap < 1 || gap > LONGEST_GAP_CHARS || !GAP.test(text.slice(name.end, term.start))) return;
    const before = this.newest.get(name.id);
    if (before !== undefined && before.value !== term.id) this.factor[before.line]! *= OUTDATED_FACTOR;
    this.newest.set(name.id, { line, value: term.id });
  }
}
