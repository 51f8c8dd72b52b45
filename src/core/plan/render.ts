// Prints a selection: units in entry order, chosen lines as they stood, the names of the index behind them.
import { UNIT_MARK } from './carried.ts';
import { lineText } from './facts.ts';
import { LINE } from './line-table.ts';
import { nameText } from './names.ts';
import { ROW_MARK } from './record-table.ts';
import type { Selection } from './select.ts';
import { unitHeader } from './units.ts';
import { SOURCE } from './work.ts';

const RESULT_MARK = '→ ';
const NAMES_MARK = 'names: ';
/** In front of the names of all units of which no line is printed. */
const OTHER_NAMES_MARK = 'Elsewhere: ';

/** Prints a selection again and again while it changes: what a unit said before is not read anew for secrets. */
export class Renderer {
  private readonly selection: Selection;
  private readonly canOpenHandles: boolean;
  private readonly redact: (text: string) => string;
  private readonly bodies: string[] = [];
  private readonly redacted: string[] = [];

  constructor(selection: Selection, options: { readonly canOpenHandles: boolean; readonly redact: (text: string) => string }) {
    this.selection = selection;
    this.canOpenHandles = options.canOpenHandles;
    this.redact = options.redact;
  }

  /** The chosen part of all units. */
  render(): string {
    const { selection } = this;
    const printed: string[] = [];
    const named: string[] = [];
    selection.facts.lines.units.forEach((unit, index) => {
      const body = unitBody(selection, index);
      if (body === '') return;
      if (selection.isOpen(index)) printed.push(unitHeader(unit, this.canOpenHandles) + this.redactedBody(index, body));
      else named.push(this.redactedBody(index, body).slice(NAMES_MARK.length));
    });
    if (named.length > 0) printed.push(`${OTHER_NAMES_MARK}${named.join(', ')}`);
    return printed.join('\n');
  }

  private redactedBody(unit: number, body: string): string {
    if (this.bodies[unit] !== body) {
      this.bodies[unit] = body;
      this.redacted[unit] = this.redact(body);
    }
    return this.redacted[unit]!;
  }
}

function unitBody(selection: Selection, unit: number): string {
  const { facts } = selection;
  const { lines } = facts;
  let body = selection.verbatim.get(unit) ?? '';
  let previous = -2;
  let hasResultMark = false;
  const isVerbatim = body !== '';
  for (let line = lines.unitFrom[unit]!; line < lines.unitFrom[unit + 1]! && !isVerbatim; line += 1) {
    if (selection.chosen[line] === 0) continue;
    const text = lines.units[unit]!.texts[lines.textOf[line]!]!;
    const isJoined = previous === line - 1 && text.table.has(lines.rowOf[line]!, LINE.continued);
    const isRecord = previous === line - 1 && text.kind === SOURCE.record && isBesideRecord(selection, line);
    if (previous === lines.headingOf[line]) body += ' ';
    else if (lines.headingOf[line]! >= 0 || isRecord) body += ROW_MARK;
    else if (!isJoined && body !== '') body += '\n';
    if (text.kind >= SOURCE.result && lines.textOf[line]! > 0 && !hasResultMark) {
      body += RESULT_MARK;
      hasResultMark = true;
    }
    const printed = isJoined ? lineText(lines, line) : lineText(lines, line).trimStart();
    // At the start of a line only units have a mark: a text must not pass for what a person said.
    body += body.endsWith('\n') && UNIT_MARK.test(printed) ? ` ${printed}` : printed;
    previous = line;
  }
  const names = selection.names.get(unit) ?? [];
  if (names.length === 0) return body;
  return `${body}${body === '' ? '' : '\n'}${NAMES_MARK}${names.map((id) => nameText(facts, id)).join(', ')}`;
}

/** True when a line and the one before it are records of one text; lines of a text inside JSON stay lines. */
function isBesideRecord({ facts }: Selection, line: number): boolean {
  const { lines } = facts;
  const { table } = lines.units[lines.unitOf[line]!]!.texts[lines.textOf[line]!]!;
  const row = lines.rowOf[line]!;
  return row > 0 && table.has(row, LINE.keyed) && table.has(row - 1, LINE.keyed | LINE.row);
}
