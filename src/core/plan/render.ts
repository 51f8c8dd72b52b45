// Prints a selection: units in entry order, chosen lines as they stood, the names of the index behind them.
import { lineText } from './facts.ts';
import { LINE } from './line-table.ts';
import { nameText } from './names.ts';
import type { Selection } from './select.ts';
import { unitHeader, unitMark } from './units.ts';
import { SOURCE } from './work.ts';

const RESULT_MARK = '→ ';
const NAMES_MARK = 'names: ';

/** The chosen part of all units. */
export function renderSelection(selection: Selection, canOpenHandles: boolean): string {
  const { units } = selection.facts.lines;
  const printed: string[] = [];
  units.forEach((unit, index) => {
    const body = unitBody(selection, index);
    if (body !== '') printed.push((selection.isOpen(index) ? unitHeader(unit, canOpenHandles) : unitMark(unit)) + body);
  });
  return printed.join('\n');
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
    if (!isJoined && body !== '') body += '\n';
    if (text.kind === SOURCE.result && lines.textOf[line]! > 0 && !hasResultMark) {
      body += RESULT_MARK;
      hasResultMark = true;
    }
    body += lineText(lines, line);
    previous = line;
  }
  const names = selection.names.get(unit) ?? [];
  if (names.length === 0) return body;
  return `${body}${body === '' ? '' : '\n'}${NAMES_MARK}${names.map((id) => nameText(facts, id)).join(', ')}`;
}
