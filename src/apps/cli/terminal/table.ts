// A plain table that fits a width: one column gives way, numbers stand right.
import { cutMiddle, padText, textWidth } from './text-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The column that is cut, in its middle, when the table is too wide. */
  readonly isFlexible?: boolean;
}

export interface TableOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** Put before each line. */
  readonly indent?: string;
  /** Applied to the head line as a whole. */
  readonly paintHead?: (text: string) => string;
}

const GAP = '  ';
const LEAST_FLEXIBLE = 12;

/** Lines of the table, the head first. No line is wider than `width`, as long as the columns that do not give way leave room. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[], options: TableOptions): string[] {
  const indent = options.indent ?? '';
  const widths = columns.map((column, index) => Math.max(textWidth(column.title), ...rows.map((row) => textWidth(row[index] ?? ''))));
  const flexible = columns.findIndex((column) => column.isFlexible);
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) + textWidth(indent);
  if (flexible >= 0 && total > options.width) {
    widths[flexible] = Math.max(LEAST_FLEXIBLE, (widths[flexible] ?? 0) - (total - options.width));
  }
  const renderRow = (cells: readonly string[]) => {
    const parts = columns.map((column, index) => {
      const width = widths[index] ?? 0;
      return padText(cutMiddle(cells[index] ?? '', width), width, column.align ?? 'left');
    });
    return (indent + parts.join(GAP)).trimEnd();
  };
  const head = renderRow(columns.map((column) => column.title));
  return [options.paintHead?.(head) ?? head, ...rows.map(renderRow)];
}
