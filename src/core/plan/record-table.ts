// JSON objects of one shape as a table: their keys once, in a heading, and a row of values for each. Half of such JSON is its keys.
import type { JsonNode } from './json-tree.ts';

/** Rows of columns; a cell is empty where an object has no value. */
export interface RecordTable {
  /** Names of the columns; '' for that of the keys of a map. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const FEWEST_ROWS = 2;
const MOST_COLUMNS = 24;
/** Share of the cells that must be filled: objects of different kinds make no table. */
const FILLED_SHARE = 0.75;
export const CELL_MARK = ' | ';

/** The table of a list of objects, or of a map from names to objects; undefined when they have no common shape. Linear. */
export function tableOf(node: JsonNode, isSecret: (key: string) => boolean): RecordTable | undefined {
  const { children, kind } = node;
  if (children.length < FEWEST_ROWS || !children.every((child) => child.kind === 'object')) return undefined;
  const columns = new Map<string, number>();
  if (kind === 'object') columns.set('', 0);
  const rows: string[][] = [];
  for (const child of children) {
    const row = kind === 'object' ? [child.key] : [];
    if (!addCells(child, '', { columns, row, key: child.key })) return undefined;
    if (columns.size > MOST_COLUMNS) return undefined;
    rows.push(row);
  }
  const names = [...columns.keys()];
  const filled = rows.reduce((sum, row) => sum + row.filter((cell) => cell !== undefined && cell !== '').length, 0);
  if (filled < FILLED_SHARE * names.length * rows.length || names.some(isSecret)) return undefined;
  return { columns: names, rows: rows.map((row) => names.map((_, column) => row[column] ?? '')) };
}

interface Cells {
  readonly columns: Map<string, number>;
  readonly row: string[];
  /** Stands in the row already. */
  readonly key: string;
}

/** False when a value fits in no cell. */
function addCells(node: JsonNode, prefix: string, cells: Cells): boolean {
  return node.children.every((child) => {
    const name = prefix + child.key;
    if (child.kind === 'object') return addCells(child, `${name}.`, cells);
    const text = child.kind === 'leaf' ? child.text : listText(child);
    if (text === undefined || text.includes('\n') || text.includes(CELL_MARK)) return false;
    if (text === '' || text === 'null' || text === cells.key) return true;
    const column = cells.columns.get(name) ?? cells.columns.size;
    cells.columns.set(name, column);
    cells.row[column] = text;
    return true;
  });
}

/** Values of a list in one cell; undefined when there is more than values in it. */
function listText({ children }: JsonNode): string | undefined {
  if (!children.every(({ kind }) => kind === 'leaf')) return undefined;
  return children.length === 0 ? '' : `[${children.map(({ text }) => text).join(', ')}]`;
}
