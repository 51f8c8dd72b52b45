// What the demo says, section by section.
import type { Inspection } from '../inspect/report.ts';
import { renderPromises } from '../replay/promise-text.ts';
import type { KeptPromise } from '../replay/restart-promises.ts';
import { sizeLine } from '../replay/size-lines.ts';
import { plural } from '../shared/plural.ts';
import type { Colors } from '../terminal/colors.ts';
import { formatCount, formatDuration, formatShare } from '../terminal/numbers.ts';
import { cutText, toSingleLine, wrapText } from '../terminal/text-width.ts';
import { DEMO_WINDOW, type PlayedExample } from './play-example.ts';
import { summaryExcerpt } from './summary-excerpt.ts';

export interface DemoTextOptions {
  readonly width: number;
  readonly colors: Colors;
}

const INDENT = '  ';
const LARGEST = 3;
/** Lines that one line of the summary may take. */
const MOST_WRAPPED = 4;

export function introduction({ width, colors }: DemoTextOptions): string[] {
  const what =
    'keeps headroom in the context window of a long-running agent. All of this is played for real, on this machine: no network, no key, no model.';
  return wrapText(`${colors.bold('Ullage')} ${what}`, width);
}

export function inspectSection(report: Inspection, { width, colors }: DemoTextOptions): string[] {
  const results = report.kinds.find(({ kind }) => kind === 'tool results')?.tokens ?? 0;
  const { counts, tokens } = report;
  const sizes = `${formatCount(tokens.total)} tokens in ${plural(counts.messages, 'message')}, ${plural(counts.turns, 'turn')}, ${plural(counts.calls, 'tool call')}; ${formatShare(results / Math.max(1, tokens.total))} are tool results.`;
  const largest = report.largest
    .slice(0, LARGEST)
    .map((part) => `${INDENT}#${part.message} ${cutText(toSingleLine(part.label), width - 24)}, ${formatCount(part.tokens)}`);
  return [
    colors.bold(`1. A coding agent's session  (ullage inspect ${toSingleLine(report.file)})`),
    ...wrapText(sizes, width),
    'The largest:',
    ...largest,
  ];
}

export function replaySection({ play, totals, history }: PlayedExample, { width, colors }: DemoTextOptions): string[] {
  const top = history.peakTokens;
  const barWidth = Math.min(width - 20, play.requests.length);
  const bars = (values: readonly (number | undefined)[]) => sizeLine(values, { width: barWidth, top });
  const { budget } = play;
  const marks = budget && ` Compaction is due at ${formatCount(budget.threshold)} and aims for ${formatCount(budget.target)}.`;
  const compactions = play.requests.flatMap(({ outcome }, index) =>
    outcome?.status === 'compacted'
      ? [
          `${INDENT}request ${index + 1}: ${formatCount(outcome.oldRequestTokens)} → ${formatCount(outcome.newRequestTokens)} tokens, ${outcome.oldMessageCount} → ${outcome.newMessageCount} messages`,
        ]
      : [],
  );
  const cost = totals.costRatio === undefined ? '' : ` at ${totals.costRatio.toFixed(2)} × the cost of never compacting`;
  return [
    colors.bold('2. Request by request, through engine and SQLite  (ullage replay)'),
    ...wrapText(`The window has ${formatCount(DEMO_WINDOW)} tokens, small enough that something happens.${marks ?? ''}`, width),
    `${INDENT}history ${bars(play.requests.map(({ historyTokens }) => historyTokens))} ${formatCount(top)}`,
    `${INDENT}sent    ${bars(play.requests.map(({ sent }) => sent?.tokens))} ${formatCount(totals.largestTokens)} at most`,
    ...compactions,
    ...wrapText(
      `${plural(totals.requests, 'request')} sent${cost}; without it ${totals.never.overWindow} would not have fitted. All keep the rules of their API.`,
      width,
    ),
  ];
}

export function summarySection({ summary }: PlayedExample, { width, colors }: DemoTextOptions): string[] {
  const lines = summaryExcerpt(summary).flatMap((line) => wrapAtMost(toSingleLine(line), width - 4));
  return [
    colors.bold("3. A piece of the summary in the last request: the session's own lines, no model"),
    ...lines.map((line) => colors.dim(`${INDENT}│ `) + line),
  ];
}

function wrapAtMost(text: string, width: number): string[] {
  const lines = wrapText(text, width);
  const cut = lines.slice(MOST_WRAPPED - 1).join(' ');
  return [...lines.slice(0, MOST_WRAPPED - 1), ...(cut === '' ? [] : [cutText(cut, width)])];
}

export function searchSection({ found }: PlayedExample, { width, colors }: DemoTextOptions): string[] {
  const title = colors.bold('4. Nothing is gone  (ullage sessions search, read)');
  if (found === undefined) return [title, 'Every name of the folded part is still in the request.'];
  const words = `“${toSingleLine(found.word)}” is in no message that is sent now. Search finds it in message ${found.position}, and its handle ${found.handle} opens all ${formatCount(found.chars)} characters.`;
  return [title, ...wrapText(words, width)];
}

export interface PlayedPromises {
  readonly title: string;
  readonly story: string;
  readonly promises: readonly KeptPromise[];
}

export function incidentSection({ title, story, promises }: PlayedPromises, options: DemoTextOptions): string[] {
  return [options.colors.bold(title), ...wrapText(story, options.width), ...renderPromises(promises, options)];
}

export function closing(durationMs: number, { width, colors }: DemoTextOptions): string[] {
  const next =
    'Your own sessions: ullage inspect FILE, ullage compact FILE, ullage replay FILE (Claude Code, Codex, Pi, Gemini CLI, OpenAI and Anthropic bodies, …).';
  return wrapText(`${colors.bold('Done')} in ${formatDuration(durationMs)}. ${next}`, width);
}
