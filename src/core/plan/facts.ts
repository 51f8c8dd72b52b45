// The table a fold is chosen from: every line of every unit with its price and its terms, every term with its weight.
import { LINE, type LineTable } from './line-table.ts';
import { Settings } from './settings.ts';
import { SHAPE, scanTerms } from './terms.ts';
import type { Unit } from './units.ts';
import { Vocabulary } from './vocabulary.ts';
import { placeWeight, termWeight } from './weights.ts';
import { SOURCE } from './work.ts';

const FAILURE_FACTOR = 2;
/** In source code a word of failure is often only a type: half as much. */
const MENTION_FACTOR = 1.5;

function failureFactor(table: LineTable, line: number): number {
  if (table.has(line, LINE.tellsFailure)) return FAILURE_FACTOR;
  return table.has(line, LINE.mentionsFailure) ? MENTION_FACTOR : 1;
}

/** Lines in unit order; `termIds[termFrom[i] … termFrom[i + 1]]` are the distinct terms of line i. */
export interface FactLines {
  readonly units: readonly Unit[];
  readonly count: number;
  readonly unitOf: Int32Array;
  /** Which text of the unit, and which row of its table. */
  readonly textOf: Uint8Array;
  readonly rowOf: Int32Array;
  readonly tokens: Float64Array;
  /** Multiplies the gain of a line. */
  readonly factor: Float64Array;
  readonly termFrom: Int32Array;
  readonly termIds: Int32Array;
  /** The heading that the line, a row, says nothing without; −1 for other lines. */
  readonly headingOf: Int32Array;
  /** Behind the last row of a heading; 0 for lines that are none. */
  readonly rowsTo: Int32Array;
  /** Lines of unit u are unitFrom[u] … unitFrom[u + 1]. */
  readonly unitFrom: Int32Array;
}

/** Terms by id. `last…` say where the newest place of a term is. */
export interface FactTerms {
  readonly vocabulary: Vocabulary;
  readonly weight: Float64Array;
  readonly shape: Uint8Array;
  readonly lastLine: Int32Array;
  readonly lastStart: Int32Array;
  readonly lastEnd: Int32Array;
  /** How often a term is shown already, at most {@link SHOWN_ENOUGH}. */
  readonly shown: Uint8Array;
}

export interface Facts {
  readonly lines: FactLines;
  readonly terms: FactTerms;
}

export const SHOWN_ENOUGH = 3;

/** Stands in something that is no plain result: an agent or a person wrote it, or it is a value of a record. */
const WRITTEN = 1;
const DEFINED = 2;

interface LinePlace {
  readonly text: number;
  readonly row: number;
  readonly place: number;
  readonly mark: number;
}

interface TermPlace {
  readonly unit: number;
  readonly line: number;
  readonly place: number;
  readonly mark: number;
}

class Builder {
  readonly vocabulary = new Vocabulary();
  private readonly units: readonly Unit[];
  readonly lines: FactLines;
  private lineCount = 0;
  private heading = -1;
  private termCount = 0;
  private readonly place: Float64Array;
  private readonly unitCount: Int32Array;
  private readonly lineCounts: Int32Array;
  /** WRITTEN and DEFINED, by term. */
  private readonly marks: Uint8Array;
  private readonly lastUnit: Int32Array;
  private readonly stamp: Int32Array;
  private readonly settings: Settings;
  readonly terms: FactTerms;

  constructor(units: readonly Unit[]) {
    this.units = units;
    let lines = 0;
    let terms = 0;
    for (const unit of units) {
      for (const { table } of unit.texts) {
        lines += table.count;
        terms += table.termCount;
      }
    }
    this.lines = {
      units,
      count: lines,
      unitOf: new Int32Array(lines),
      textOf: new Uint8Array(lines),
      rowOf: new Int32Array(lines),
      tokens: new Float64Array(lines),
      factor: new Float64Array(lines),
      termFrom: new Int32Array(lines + 1),
      termIds: new Int32Array(terms),
      headingOf: new Int32Array(lines).fill(-1),
      rowsTo: new Int32Array(lines),
      unitFrom: new Int32Array(units.length + 1),
    };
    this.settings = new Settings(this.lines.factor);
    this.place = new Float64Array(terms);
    this.unitCount = new Int32Array(terms);
    this.lineCounts = new Int32Array(terms);
    this.marks = new Uint8Array(terms);
    this.lastUnit = new Int32Array(terms).fill(-1);
    this.stamp = new Int32Array(terms).fill(-1);
    this.terms = {
      vocabulary: this.vocabulary,
      weight: new Float64Array(terms),
      shape: new Uint8Array(terms),
      lastLine: new Int32Array(terms),
      lastStart: new Int32Array(terms),
      lastEnd: new Int32Array(terms),
      shown: new Uint8Array(terms),
    };
  }

  addUnit(index: number): void {
    const unit = this.units[index]!;
    this.lines.unitFrom[index] = this.lineCount;
    unit.texts.forEach(({ kind, table }, text) => {
      const place = placeWeight(kind, table.tokens);
      const mark = kind === SOURCE.result ? 0 : WRITTEN;
      for (let row = 0; row < table.count; row += 1) this.addLine(index, { text, row, place, mark });
    });
    this.lines.unitFrom[index + 1] = this.lineCount;
  }

  private addLine(unit: number, at: LinePlace): void {
    const { lines } = this;
    const { table } = this.units[unit]!.texts[at.text]!;
    const line = this.lineCount++;
    lines.unitOf[line] = unit;
    lines.textOf[line] = at.text;
    lines.rowOf[line] = at.row;
    lines.tokens[line] = table.tokensOf(at.row);
    lines.factor[line] = failureFactor(table, at.row);
    if (table.has(at.row, LINE.heading)) this.heading = line;
    else if (table.has(at.row, LINE.row)) lines.headingOf[line] = this.heading;
    if (table.has(at.row, LINE.heading | LINE.row)) lines.rowsTo[this.heading] = line + 1;
    const mark = table.has(at.row, LINE.defines) ? at.mark | DEFINED : at.mark;
    const end = table.termFrom(at.row + 1);
    for (let term = table.termFrom(at.row); term < end; term += 1) {
      const id = this.vocabulary.intern(table.hash(term));
      const shape = table.shape(term);
      if (shape >= SHAPE.integer)
        this.settings.note(table.text, line, { id, shape, start: table.termStart(term), end: table.termEnd(term) });
      if (this.stamp[id] === line) continue;
      this.stamp[id] = line;
      lines.termIds[this.termCount++] = id;
      this.noteTerm(id, { unit, line, place: at.place, mark });
      this.terms.shape[id] = shape;
      this.terms.lastStart[id] = table.termStart(term);
      this.terms.lastEnd[id] = table.termEnd(term);
    }
    this.settings.endLine();
    lines.termFrom[line + 1] = this.termCount;
  }

  private noteTerm(id: number, at: TermPlace): void {
    this.lineCounts[id]! += 1;
    this.marks[id]! |= at.mark;
    if (at.place > this.place[id]!) this.place[id] = at.place;
    if (this.lastUnit[id] !== at.unit) this.unitCount[id]! += 1;
    this.lastUnit[id] = at.unit;
    this.terms.lastLine[id] = at.line;
  }

  weigh(focus: ReadonlySet<number>): void {
    const span = Math.max(1, this.units.length - 1);
    for (let id = 0; id < this.vocabulary.size; id += 1) {
      this.terms.weight[id] = termWeight({
        place: this.place[id]!,
        shape: this.terms.shape[id]!,
        age: this.lastUnit[id]! / span,
        units: this.unitCount[id]!,
        lines: this.lineCounts[id]!,
        isOnlyRead: (this.marks[id]! & WRITTEN) === 0,
        isDefined: (this.marks[id]! & DEFINED) !== 0,
        isFocus: focus.has(id),
      });
    }
  }
}

/** Builds the table. Linear in the text of the units. */
export function buildFacts(units: readonly Unit[], focus = ''): Facts {
  const builder = new Builder(units);
  for (let index = 0; index < units.length; index += 1) builder.addUnit(index);
  builder.weigh(new Set(knownTerms(builder.vocabulary, focus)));
  return { lines: builder.lines, terms: builder.terms };
}

/** Ids of the known terms of a text. */
function knownTerms(vocabulary: Vocabulary, text: string): readonly number[] {
  const ids: number[] = [];
  const sink = {
    failure: 0,
    addTerm(hash: number): void {
      const id = vocabulary.find(hash);
      if (id >= 0) ids.push(id);
    },
  };
  scanTerms(text, { start: 0, end: text.length }, sink);
  return ids;
}

/** Marks the terms of a text as shown. */
export function markShown(terms: FactTerms, text: string): void {
  for (const id of knownTerms(terms.vocabulary, text)) {
    if (terms.shown[id]! < SHOWN_ENOUGH) terms.shown[id]! += 1;
  }
}

/** The text of a line as it stood. */
export function lineText(lines: FactLines, line: number): string {
  const { table } = lines.units[lines.unitOf[line]!]!.texts[lines.textOf[line]!]!;
  return table.line(lines.rowOf[line]!);
}
