// JSON as lines that can be chosen one by one: an object is one line, `key: value, key: value`, as long as it fits, so that an id is
// not shown without what belongs to it. Values keep their letters; quotes, nulls and empty values are left out.
import { redactSecrets } from '../summary/redact.ts';
import { type JsonNode, readJsonTree } from './json-tree.ts';
import { CELL_MARK, type RecordTable, ROW_MARK, tableOf } from './record-table.ts';

/** A longer record is broken up. */
const LONGEST_RECORD_CHARS = 240;
/** A shorter line of JSON inside another text stays as it is. */
const SHORTEST_JSON_CHARS = 160;
/** Arguments that say how a tool answers, or say the same again in other words. */
const SWITCH_KEYS: ReadonlySet<string> = new Set(['output_mode', 'activeForm']);
const SWITCH_VALUE = /^(?:true|false|\d{1,3})$/;
/** A shorter value is a number or a switch, and what its object is called is so only by chance. */
const SHORTEST_NAME_CHARS = 4;
/** Brackets, a separator and what joins a key to its value. */
const MARK_CHARS = 4;

/** Printed records. */
export interface Records {
  readonly text: string;
  /** Where keys stand, start and end in turns, ascending: they are words of the tool, not of who speaks. */
  readonly keys: readonly number[];
  /** Where the heading of a table begins, where its first row begins and its last one ends: three a table, ascending. */
  readonly tables: readonly number[];
}

/** JSON, or a text with long lines of it, as records; undefined when there is none in it. Secrets that quotes tell must be out of it. */
export function printRecords(text: string): Records | undefined {
  const printer = new Printer();
  const root = readJsonTree(text);
  if (root !== undefined) printer.print(root, '');
  else if (!printLines(printer, text)) return undefined;
  return printer.finish();
}

function printLines(printer: Printer, text: string): boolean {
  let hasJson = false;
  for (const line of text.split('\n')) {
    const root = line.length < SHORTEST_JSON_CHARS ? undefined : readJsonTree(line);
    if (root === undefined) printer.raw(line);
    else printer.print(root, '');
    hasJson ||= root !== undefined;
  }
  return hasJson;
}

/** Arguments of a call, a value on each line and an object of a list on one; text that is not JSON stays as it is. */
export function printArguments(text: string): Records {
  const root = readJsonTree(text);
  if (root === undefined) return { text, keys: [], tables: [] };
  const printer = new Printer();
  printer.printLeaves(withoutSwitches(root), '');
  return printer.finish();
}

/** The first value stands behind the name of the tool and needs no key. */
function withoutSwitches(root: JsonNode): JsonNode {
  const isSwitch = ({ key, kind, text }: JsonNode): boolean => kind === 'leaf' && (SWITCH_KEYS.has(key) || SWITCH_VALUE.test(text));
  const pruned = (node: JsonNode): JsonNode =>
    node.kind === 'object'
      ? { ...node, children: node.children.filter((child) => !isSwitch(child)).map(pruned) }
      : { ...node, children: node.children.map(pruned) };
  const { children, ...rest } = pruned(root);
  const [first, ...others] = children;
  return first?.kind === 'leaf' ? { ...rest, children: [{ ...first, key: '' }, ...others] } : { ...rest, children };
}

const isBare = ({ kind, text, children }: JsonNode): boolean => (kind === 'leaf' ? text === '' || text === 'null' : children.length === 0);
/** Says nothing, or again what its object is called. */
const isIdle = (child: JsonNode, node: JsonNode): boolean => isBare(child) || (node.kind === 'object' && isNameAgain(child, node.key));
const isNameAgain = ({ kind, text }: JsonNode, name: string): boolean =>
  kind === 'leaf' && text === name && text.length >= SHORTEST_NAME_CHARS;

class Printer {
  private readonly pieces: string[] = [];
  private readonly keys: number[] = [];
  private readonly tables: number[] = [];
  private readonly known = new Map<JsonNode, RecordTable | undefined>();
  private readonly lengths = new Map<JsonNode, number>();
  private length = 0;

  finish(): Records {
    return { text: this.pieces.join(''), keys: this.keys, tables: this.tables };
  }

  raw(line: string): void {
    this.put(line);
    this.put('\n');
  }

  /** A node on one line, or on several when it is long. */
  print(node: JsonNode, name: string): void {
    if (name.length + this.inlineChars(node) <= LONGEST_RECORD_CHARS) {
      this.name(name);
      if (node.kind === 'leaf') this.put(node.text);
      else this.members(node);
      this.put('\n');
    } else if (this.tableFor(node) !== undefined) this.printTable(this.tableFor(node)!, name);
    else if (node.kind === 'leaf') {
      this.name(name);
      // Its line breaks and quotes are no longer escaped: what begins behind one is seen now.
      const text = redactSecrets(node.text);
      this.raw(text.includes('\n') ? `\n${text}` : text);
    } else this.printMembers(node, name);
  }

  printLeaves(node: JsonNode, name: string): void {
    if (isBare(node)) return;
    if (node.kind === 'leaf') {
      this.name(name);
      this.raw(redactSecrets(node.text));
    }
    for (const child of node.children) {
      if (node.kind === 'list' && child.kind === 'object') this.print(child, '');
      else this.printLeaves(child, node.kind === 'list' ? name : child.key);
    }
  }

  /** Short members share a line; long ones, and the records of a list, begin their own. The name stands on the first line. */
  private printMembers(node: JsonNode, name: string): void {
    let chars = 0;
    let left = name;
    for (const child of node.children) {
      if (isIdle(child, node)) continue;
      const own = child.key.length + this.inlineChars(child) + MARK_CHARS;
      const isApart = own > LONGEST_RECORD_CHARS || (node.kind === 'list' && child.kind !== 'leaf');
      const isFull = isApart || chars + own > LONGEST_RECORD_CHARS;
      if (isFull && chars > 0) this.put('\n');
      if (isFull) chars = 0;
      if (isApart) this.print(child, [left, child.key].filter((key) => key !== '').join('.'));
      else {
        if (chars > 0) this.put(', ');
        else this.name(left);
        this.member(child);
        chars += own;
      }
      left = '';
    }
    if (chars > 0) this.put('\n');
  }

  /** The heading on a line, each row on one. A long name has its own: no heading is cut. */
  private printTable(table: RecordTable, name: string): void {
    const isLong = name.length + table.columns.join(CELL_MARK).length > LONGEST_RECORD_CHARS - MARK_CHARS;
    if (isLong) this.name(name);
    if (isLong) this.put('\n');
    this.tables.push(this.length);
    if (!isLong) this.name(name);
    this.heading(table);
    this.put('\n');
    this.tables.push(this.length);
    for (const row of table.rows) {
      this.put(row.join(CELL_MARK));
      this.put('\n');
    }
    this.tables.push(this.length);
  }

  private heading({ columns }: RecordTable): void {
    this.put('(');
    columns.forEach((column, index) => {
      if (index > 0) this.put(CELL_MARK);
      this.keys.push(this.length, this.length + column.length);
      this.put(column);
    });
    this.put(')');
  }

  /** A heading or a row that is too long for a line makes no table. */
  private tableFor(node: JsonNode): RecordTable | undefined {
    if (node.kind === 'leaf') return undefined;
    if (!this.known.has(node)) {
      const table = tableOf(node);
      const fits = (cells: readonly string[]): boolean => cells.join(CELL_MARK).length <= LONGEST_RECORD_CHARS - MARK_CHARS;
      const isFit = table !== undefined && fits(table.columns) && table.rows.every(fits);
      this.known.set(node, isFit ? table : undefined);
    }
    return this.known.get(node);
  }

  private members(node: JsonNode): void {
    const table = this.tableFor(node);
    if (table !== undefined) {
      this.heading(table);
      this.put(` ${table.rows.map((row) => row.join(CELL_MARK)).join(ROW_MARK)}`);
      return;
    }
    let isFirst = true;
    for (const child of node.children) {
      if (isIdle(child, node)) continue;
      if (!isFirst) this.put(', ');
      isFirst = false;
      this.member(child);
    }
  }

  private member(node: JsonNode): void {
    this.name(node.key);
    if (node.kind === 'leaf') this.put(node.text);
    else {
      this.put(node.kind === 'list' ? '[' : '{');
      this.members(node);
      this.put(node.kind === 'list' ? ']' : '}');
    }
  }

  /** What a node needs on one line; infinite when it cannot stand on one. */
  private inlineChars(node: JsonNode): number {
    const known = this.lengths.get(node);
    if (known !== undefined) return known;
    let chars = node.text.includes('\n') ? Number.POSITIVE_INFINITY : node.text.length;
    const table = this.tableFor(node);
    if (table !== undefined) chars = tableChars(table);
    else for (const child of node.children) if (!isIdle(child, node)) chars += child.key.length + this.inlineChars(child) + MARK_CHARS;
    this.lengths.set(node, chars);
    return chars;
  }

  private name(key: string): void {
    if (key === '') return;
    this.keys.push(this.length, this.length + key.length);
    this.put(`${key.replaceAll('\n', ' ')}: `);
  }

  private put(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}

function tableChars({ columns, rows }: RecordTable): number {
  const sum = (cells: readonly string[]): number => cells.reduce((chars, cell) => chars + cell.length + CELL_MARK.length, 0);
  return rows.reduce((chars, row) => chars + sum(row), sum(columns));
}
