// JSON objects of one shape as a table: their keys once, in a heading, and a row of values for each. Half of such JSON is its keys.
import type { JsonNode } from './json-tree.ts';

/** Rows of columns; a cell is empty where an object has no value. */
export interface RecordTable {
  /** Names of the columns; '' for that of the keys of a map, which is the first. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const FEWEST_ROWS = 2;
const MOST_COLUMNS = 24;
/** A longer name is data. */
const LONGEST_NAME_CHARS = 120;
/** Share of the cells that must be filled: objects of different kinds make no table. */
const FILLED_SHARE = 0.75;
export const CELL_MARK = ' | ';
/** Between rows, and between records, on one line. */
export const ROW_MARK = '; ';

/** The table of a list of objects, or of a map from names to objects; undefined when they have no common shape. Linear. */
export function tableOf({ children, kind }: JsonNode): RecordTable | undefined {
  if (children.length < FEWEST_ROWS || !children.every((child) => child.kind === 'object')) return undefined;
  const isMap = kind === 'object';
  const columns = new Map<string, number>(isMap ? [['', 0]] : []);
  const rows: string[][] = [];
  for (const child of children) {
    const row = isMap ? [child.key] : [];
    if (!row.every(fitsCell) || !addCells(child, '', { columns, row })) return undefined;
    rows.push(row);
  }
  // A column that only says again what its row is called says nothing.
  const isTold = (column: number): boolean => rows.some((row) => row[column] !== undefined && row[column] !== row[0]);
  const kept = [...columns].filter(([, column]) => column === 0 || !isMap || isTold(column));
  const table = { columns: kept.map(([name]) => name), rows: rows.map((row) => kept.map(([, column]) => row[column] ?? '')) };
  return isReadable(table) ? table : undefined;
}

/** Mostly filled, and told apart: the rows of a single column have nothing but the mark between them. */
function isReadable({ columns, rows }: RecordTable): boolean {
  const filled = rows.reduce((sum, row) => sum + row.filter((cell) => cell !== '').length, 0);
  if (columns.length === 0 || filled < FILLED_SHARE * columns.length * rows.length) return false;
  return columns.length > 1 || !rows.some((row) => row[0]!.includes(ROW_MARK));
}

const fitsCell = (text: string): boolean => !text.includes('\n') && !text.includes(CELL_MARK);

interface Cells {
  readonly columns: Map<string, number>;
  readonly row: string[];
}

/** False when a value fits in no cell, or in one that is taken. */
function addCells(node: JsonNode, prefix: string, { columns, row }: Cells): boolean {
  return node.children.every((child) => {
    const name = prefix + child.key;
    if (name.length > LONGEST_NAME_CHARS) return false;
    if (child.kind === 'object') return addCells(child, `${name}.`, { columns, row });
    const text = child.kind === 'leaf' ? child.text : listText(child);
    if (text === undefined || !fitsCell(text) || !fitsCell(name)) return false;
    if (text === '' || text === 'null') return true;
    const column = columns.get(name) ?? columns.size;
    if (column === MOST_COLUMNS || row[column] !== undefined) return false;
    columns.set(name, column);
    row[column] = text;
    return true;
  });
}

/** Values of a list in one cell; undefined when there is more than values in it. */
function listText({ children }: JsonNode): string | undefined {
  if (!children.every(({ kind }) => kind === 'leaf')) return undefined;
  return children.length === 0 ? '' : `[${children.map(({ text }) => text).join(', ')}]`;
}
