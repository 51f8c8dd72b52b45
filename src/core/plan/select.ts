// Chooses lines by gain per token, greedily: a line is worth its terms that are not shown yet.
import { estimateTokens } from '../size/estimator.ts';
import { type Facts, SHOWN_ENOUGH } from './facts.ts';
import { LineHeap } from './heap.ts';
import { unitHeader } from './units.ts';

/** What a term that stands in the summary once or twice already is still worth. */
const SHOWN_SHARE = 0.02;
/** Lets lines without any new term fill what is left, newest first. */
const FILL_GAIN = 1e-7;
/** Lines in a row that are too long for what is left before a search ends. */
const MOST_MISFITS = 40;

/** One choice; choices are undone newest first. */
interface Choice {
  readonly kind: 'line' | 'name';
  /** Line, or term id. */
  readonly id: number;
  readonly tokens: number;
  /** The first line of its unit. */
  readonly isOpening?: boolean;
}

/** What is chosen so far. */
export class Selection {
  readonly facts: Facts;
  /** 1 = chosen. */
  readonly chosen: Uint8Array;
  /** Units printed as they came, whole. */
  readonly verbatim = new Map<number, string>();
  /** Chosen names by the unit that last showed them. */
  readonly names = new Map<number, number[]>();
  /** By unit: 1 = a line of it is printed. */
  private readonly opened: Uint8Array;
  private readonly headerTokens: Float64Array;
  private readonly heap = new LineHeap();
  private readonly keys: Float64Array;
  private readonly choices: Choice[] = [];
  private isFilled = false;
  /** Estimated tokens of all choices. */
  tokens = 0;

  constructor(facts: Facts, canOpenHandles: boolean) {
    this.facts = facts;
    const { lines } = facts;
    this.chosen = new Uint8Array(lines.count);
    this.keys = new Float64Array(lines.count);
    this.opened = new Uint8Array(lines.units.length);
    this.headerTokens = Float64Array.from(lines.units, (unit) => estimateTokens(unitHeader(unit, canOpenHandles)));
  }

  /** True when a line of the unit is printed. */
  isOpen(unit: number): boolean {
    return this.opened[unit] === 1;
  }

  /** What a line costs now: itself, the heading it needs, and the mark of its unit. */
  price(line: number): number {
    const { lines } = this.facts;
    const heading = lines.headingOf[line]!;
    const headingTokens = heading < 0 || this.chosen[heading] === 1 ? 0 : lines.tokens[heading]!;
    return lines.tokens[line]! + headingTokens + this.header(lines.unitOf[line]!);
  }

  /** What the first line of a unit costs beside itself. */
  private header(unit: number): number {
    return this.isOpen(unit) ? 0 : this.headerTokens[unit]!;
  }

  /** Chooses a whole unit as it came. */
  takeVerbatim(unit: number, text: string): void {
    const { unitFrom } = this.facts.lines;
    this.tokens += estimateTokens(text) + this.header(unit) + 1;
    this.opened[unit] = 1;
    this.verbatim.set(unit, text);
    for (let line = unitFrom[unit]!; line < unitFrom[unit + 1]!; line += 1) this.show(line);
  }

  /** Chooses one line, and the heading it needs. */
  takeLine(line: number): void {
    if (this.chosen[line] === 1) return;
    const { lines } = this.facts;
    const heading = lines.headingOf[line]!;
    const isFirstRow = heading >= 0 && this.chosen[heading] === 0;
    if (isFirstRow) this.takeLine(heading);
    const unit = lines.unitOf[line]!;
    const tokens = lines.tokens[line]! + this.header(unit);
    const isOpening = !this.isOpen(unit);
    this.choices.push({ kind: 'line', id: line, tokens, isOpening });
    this.tokens += tokens;
    this.show(line);
    if (isOpening) {
      this.opened[unit] = 1;
      this.priceAgain(lines.unitFrom[unit]!, lines.unitFrom[unit + 1]!);
    } else if (isFirstRow) this.priceAgain(heading + 1, lines.rowsTo[heading]!);
  }

  /** Chooses a name for the index; `tokens` is its price. */
  takeName(id: number, tokens: number): void {
    const unit = this.facts.lines.unitOf[this.facts.terms.lastLine[id]!]!;
    const names = this.names.get(unit);
    if (names === undefined) this.names.set(unit, [id]);
    else names.push(id);
    this.choices.push({ kind: 'name', id, tokens });
    this.tokens += tokens;
    this.facts.terms.shown[id]! += 1;
  }

  /** Chooses the best lines while their estimate stays within `limitTokens`. False when nothing is left to choose. */
  grow(limitTokens: number): boolean {
    if (!this.isFilled) this.fillHeap();
    const misfits: number[] = [];
    while (this.heap.size > 0 && this.tokens < limitTokens && misfits.length < MOST_MISFITS) {
      const topKey = this.heap.topKey();
      const line = this.heap.pop();
      if (this.chosen[line] === 1 || topKey !== this.keys[line]) continue;
      const key = this.key(line);
      if (key < topKey && key < this.heap.topKey()) this.push(line, key);
      else if (this.tokens + this.price(line) <= limitTokens) this.takeLine(line);
      else misfits.push(line);
    }
    for (const line of misfits) this.push(line, this.key(line));
    return this.heap.size > 0;
  }

  /** Undoes the newest choices that together cost `tokens`, and a heading that is left without a row. False when nothing is left to undo. */
  drop(tokens: number): boolean {
    const goal = this.tokens - tokens;
    while (this.tokens > goal || this.isHeading(this.choices.at(-1))) {
      const last = this.choices.pop();
      if (last === undefined) return false;
      this.undo(last);
    }
    return true;
  }

  private undo({ kind, id, tokens, isOpening }: Choice): void {
    const { lines, terms } = this.facts;
    this.tokens -= tokens;
    if (kind === 'name') {
      this.names.get(lines.unitOf[terms.lastLine[id]!]!)?.pop();
      return;
    }
    this.chosen[id] = 0;
    if (isOpening && !this.verbatim.has(lines.unitOf[id]!)) this.opened[lines.unitOf[id]!] = 0;
  }

  private isHeading(choice: Choice | undefined): boolean {
    return choice?.kind === 'line' && this.facts.lines.rowsTo[choice.id]! > 0;
  }

  /** Lines that became cheaper: the mark of their unit, or their heading, is paid for. */
  private priceAgain(from: number, to: number): void {
    if (!this.isFilled) return;
    for (let line = from; line < to; line += 1) this.offer(line);
  }

  private fillHeap(): void {
    this.isFilled = true;
    for (let line = 0; line < this.facts.lines.count; line += 1) this.offer(line);
  }

  /** A heading alone says nothing: it comes with its first row. */
  private offer(line: number): void {
    const { unitOf, rowsTo } = this.facts.lines;
    if (this.chosen[line] === 1 || rowsTo[line]! > 0 || this.verbatim.has(unitOf[line]!)) return;
    this.push(line, this.key(line));
  }

  private push(line: number, key: number): void {
    this.keys[line] = key;
    this.heap.push(line, key);
  }

  /** Gain per token of a line now. */
  private key(line: number): number {
    const { lines, terms } = this.facts;
    let gain = 0;
    for (let at = lines.termFrom[line]!; at < lines.termFrom[line + 1]!; at += 1) {
      const id = lines.termIds[at]!;
      const shown = terms.shown[id]!;
      if (shown === 0) gain += terms.weight[id]!;
      else if (shown < SHOWN_ENOUGH) gain += terms.weight[id]! * SHOWN_SHARE;
    }
    return (gain * lines.factor[line]! + (FILL_GAIN * (line + 1)) / lines.count) / this.price(line);
  }

  private show(line: number): void {
    const { lines, terms } = this.facts;
    this.chosen[line] = 1;
    for (let at = lines.termFrom[line]!; at < lines.termFrom[line + 1]!; at += 1) {
      const id = lines.termIds[at]!;
      if (terms.shown[id]! < SHOWN_ENOUGH) terms.shown[id]! += 1;
    }
  }
}
