// The inspection as a person reads it, at the width of the terminal.
import type { Colors } from '../terminal/colors.ts';
import { formatCount, formatShare } from '../terminal/numbers.ts';
import { sparkline } from '../terminal/sparkline.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { cutText } from '../terminal/text-width.ts';
import type { Inspection } from './report.ts';

export interface RenderOptions {
  readonly width: number;
  readonly colors: Colors;
}

const INDENT = '  ';
const BAR_CHARS = 16;

/** All lines of the report. */
export function renderInspection(report: Inspection, options: RenderOptions): string[] {
  const { tokens, counts } = report;
  const head = [report.file, report.format, report.model ?? 'model unknown'].join(' · ');
  const { bold } = options.colors;
  const lines = [
    bold(cutText(head, options.width)),
    `about ${bold(formatCount(tokens.total))} tokens: ${plural(counts.messages, 'message')}, ${plural(counts.turns, 'turn')}, ${plural(counts.steps, 'step')}, ${plural(counts.calls, 'call')}`,
    ...windowLines(report),
    ...unseenLines(report),
  ];
  const blocks = [kindTable, toolTable, partTable, preambleTable].map((render) => render(report, options));
  return [...lines, ...blocks.flatMap((block) => (block.length === 0 ? [] : ['', ...block])), '', ...closingLines(report, options)];
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function windowLines({ window }: Inspection): string[] {
  if (window === undefined) return [];
  const room = window.free < 0 ? `${formatCount(-window.free)} too many` : `${formatCount(window.free)} free`;
  return [`${formatShare(window.share)} of a window of ${formatCount(window.tokens)}, ${room}`];
}

function unseenLines({ unseen, tokens }: Inspection): string[] {
  const lines: string[] = [];
  if (unseen !== undefined) lines.push(`not in the file, but sent besides: the agent's own ${unseen}`);
  if (tokens.measured !== undefined) lines.push(`the provider measured ${formatCount(tokens.measured)} for the newest request in the file`);
  return lines;
}

interface Block {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

function renderBlock({ title, columns, rows }: Block, { width, colors }: RenderOptions): string[] {
  if (rows.length === 0) return [];
  return [colors.bold(title), ...renderTable(columns, rows, { width, indent: INDENT, paintHead: colors.dim })];
}

const right = (title: string): Column => ({ title, align: 'right' });

function kindTable(report: Inspection, options: RenderOptions): string[] {
  const total = Math.max(1, report.tokens.total);
  const rows = report.kinds.map(({ kind, parts, tokens }) => {
    const bar = '█'.repeat(Math.round((tokens / total) * BAR_CHARS));
    return [kind, formatCount(parts), formatCount(tokens), formatShare(tokens / total), bar];
  });
  const columns = [{ title: 'kind' }, right('parts'), right('tokens'), right('share'), { title: '' }];
  return renderBlock({ title: 'What fills it', columns, rows }, options);
}

function toolTable(report: Inspection, options: RenderOptions): string[] {
  const rows = report.tools.map((tool) => [
    tool.name,
    formatCount(tool.calls),
    formatCount(tool.callTokens),
    formatCount(tool.resultTokens),
    formatCount(tool.largestResultTokens),
    tool.errors === 0 ? '' : formatCount(tool.errors),
  ]);
  const columns = [{ title: 'tool', isFlexible: true }, right('calls'), right('sent'), right('results'), right('largest'), right('errors')];
  return renderBlock({ title: 'Tools, by tokens', columns, rows }, options);
}

function partTable(report: Inspection, options: RenderOptions): string[] {
  const rows = report.largest.map((part) => [`#${part.message}`, part.kind, formatCount(part.tokens), part.label]);
  const columns = [right('message'), { title: 'kind' }, right('tokens'), { title: 'what', isFlexible: true }];
  return renderBlock({ title: 'Largest parts', columns, rows }, options);
}

function preambleTable(report: Inspection, options: RenderOptions): string[] {
  const rows = report.preamble.map((piece) => [piece.name, formatCount(piece.tokens)]);
  return renderBlock({ title: 'Preamble', columns: [{ title: 'piece', isFlexible: true }, right('tokens')], rows }, options);
}

function closingLines(report: Inspection, options: RenderOptions): string[] {
  const { turns, duplicates, counts, notes } = report;
  const { bold, dim } = options.colors;
  const lines: string[] = [];
  if (turns.length > 1)
    lines.push(
      `${bold('Turns')} ${sparkline(
        turns.map((turn) => turn.tokens),
        options.width - 'Turns '.length,
      )}`,
    );
  if (duplicates.count > 0) {
    const copies = `${plural(duplicates.count, 'result')} said the same as a later one`;
    lines.push(`${bold('Duplicates')} ${copies}: ${formatCount(duplicates.tokens)} tokens`);
  }
  if (counts.openCalls > 0) lines.push(`${bold('Open calls')} ${plural(counts.openCalls, 'call')} without a result`);
  if (notes.length > 0)
    lines.push(dim(`Left out of the file: ${notes.map((note) => `${formatCount(note.count)} ${note.what}`).join(', ')}`));
  return lines.length === 0 ? [dim('No duplicates, no open calls.')] : lines;
}
