// The inspection as a person reads it, at the width of the terminal.
import { OWN_SUMMARIES } from '../formats/index.ts';
import type { Colors } from '../terminal/colors.ts';
import { formatCount, formatShare } from '../terminal/numbers.ts';
import { sparkline } from '../terminal/sparkline.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { cutMiddle, cutText, toSingleLine, wrapText } from '../terminal/text-width.ts';
import type { Inspection } from './report.ts';

export interface RenderOptions {
  readonly width: number;
  readonly colors: Colors;
}

const INDENT = '  ';
const BAR_CHARS = 16;
const COLUMNS_BESIDE_LABEL = 40;

/** All lines of the report. */
export function renderInspection(report: Inspection, options: RenderOptions): string[] {
  const { tokens, counts } = report;
  const { bold } = options.colors;
  const sizes = [
    plural(counts.messages, 'message'),
    plural(counts.turns, 'turn'),
    plural(counts.steps, 'step'),
    plural(counts.calls, 'call'),
  ];
  const lines = [
    bold(cutMiddle(toSingleLine(report.file), options.width)),
    `${report.format}, ${report.model === undefined ? 'model unknown' : toSingleLine(report.model)}`,
    `about ${bold(formatCount(tokens.total))} tokens: ${sizes.join(', ')}`,
    ...[...windowLines(report), ...unseenLines(report)].flatMap((line) => wrapText(line, options.width, INDENT)),
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
  return [
    `${formatShare(window.share)} of ${window.isKnown ? "the model's window" : 'a window'} of ${formatCount(window.tokens)}, ${room}`,
  ];
}

function unseenLines({ unseen, tokens, notes }: Inspection): string[] {
  const lines: string[] = [];
  const hasCompacted = notes.some((note) => note.what === OWN_SUMMARIES);
  if (unseen !== undefined) lines.push(`not in the file, but sent besides: the agent's own ${unseen}`);
  if (tokens.measured !== undefined) {
    const after = hasCompacted ? ", after the agent's own compaction" : '';
    lines.push(`the provider measured ${formatCount(tokens.measured)} for the newest request in the file${after}`);
  }
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
  const rows = report.largest.map((part) => [`#${part.message}`, part.kind, formatCount(part.tokens), labelCell(part, options.width)]);
  const columns = [right('message'), { title: 'kind' }, right('tokens'), { title: 'what', isFlexible: true }];
  return renderBlock({ title: 'Largest parts', columns, rows }, options);
}

/** Of a text the beginning says most, of a call with a path the end: the table cuts the middle of what is still too long. */
function labelCell({ kind, label }: Inspection['largest'][number], width: number): string {
  return kind.startsWith('tool') ? label : cutText(label, width - COLUMNS_BESIDE_LABEL);
}

function preambleTable(report: Inspection, options: RenderOptions): string[] {
  const rows = report.preamble.map((piece) => [piece.name, formatCount(piece.tokens)]);
  return renderBlock({ title: 'Preamble', columns: [{ title: 'piece', isFlexible: true }, right('tokens')], rows }, options);
}

function closingLines(report: Inspection, options: RenderOptions): string[] {
  const { turns, duplicates, counts, notes, prune, violations } = report;
  const { bold, dim } = options.colors;
  const facts: (readonly [string, string])[] = [];
  if (duplicates.count > 0) {
    facts.push([
      'Duplicates',
      `${plural(duplicates.count, 'result')} said the same as a later one: ${formatCount(duplicates.tokens)} tokens`,
    ]);
  }
  if (counts.openCalls > 0) facts.push(['Open calls', `${plural(counts.openCalls, 'call')} without a result`]);
  // A call without a result is named above; what reads this transcript mends it.
  const broken = violations.first.find((violation) => !violation.rule.endsWith('/tool-result-missing'));
  if (broken !== undefined) {
    facts.push([
      'Broken rules',
      `${formatCount(violations.count)} of ${report.api}, such as: ${cutText(toSingleLine(broken.message), options.width)}`,
    ]);
  }
  const gain = formatShare(prune.tokens / Math.max(1, report.tokens.total));
  facts.push([
    'A prune',
    `would free about ${formatCount(prune.tokens)} tokens (${gain}): ${plural(prune.parts, 'old part')} become short stubs`,
  ]);
  const lines =
    turns.length > 1
      ? [
          `${bold('Turns')} ${sparkline(
            turns.map(({ tokens }) => tokens),
            options.width - 'Turns '.length,
          )}`,
        ]
      : [];
  for (const [title, text] of facts) {
    const [first = '', ...rest] = wrapText(`${title} ${text}`, options.width, INDENT);
    lines.push(bold(title) + first.slice(title.length), ...rest);
  }
  const left = notes.map(({ count, what }) => `${what} ${formatCount(count)}`).join(', ');
  if (left !== '') lines.push(...wrapText(`Not taken from the file: ${left}`, options.width, INDENT).map((line) => dim(line)));
  return lines;
}
