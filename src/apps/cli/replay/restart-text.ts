// The incident `restart` as a newcomer reads it.
import type { Colors } from '../terminal/colors.ts';
import { formatCount } from '../terminal/numbers.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { wrapText } from '../terminal/text-width.ts';
import type { Act, ActName, ProcessRecord, RestartStory } from './incident-restart.ts';
import { renderPromises } from './promise-text.ts';
import { HIDDEN_TOKENS, RESTART_POLICY } from './restart-setting.ts';
import type { HandReport, RequestReport } from './restart-task.ts';

export interface IncidentTextOptions {
  readonly width: number;
  readonly colors: Colors;
}

const INDENT = '  ';

const INTRODUCTION = [
  `System prompt and tools took ${formatCount(HIDDEN_TOKENS)} tokens that only the provider's own count showed, and compaction was due at ${formatCount(RESTART_POLICY.threshold)}: no compaction could help. The loop of that day noticed after two, in memory, and forgot it at every restart: each one bought useless summaries again.`,
  'Here every process is real and works on one SQLite file; each one is ended by SIGKILL. Provider, summarizer and clock are scripted.',
];

const TITLES: Record<ActName, string> = {
  same: '1. The floor stands still: the first answer tells it, the rest is arithmetic',
  changing: '2. The floor cannot be learnt, the system prompt is another one each time: the guard',
};

export function renderRestart({ startMs, acts, promises }: RestartStory, options: IncidentTextOptions): string[] {
  const { width, colors } = options;
  return [
    colors.bold('Founding incident 1: restarts, and a floor that no compaction can shrink'),
    ...INTRODUCTION.flatMap((sentence) => wrapText(sentence, width)),
    ...acts.flatMap((act) => ['', colors.bold(TITLES[act.name]), ...renderAct(act, startMs, options)]),
    '',
    colors.bold('What held'),
    ...renderPromises(promises, options),
  ];
}

function renderAct({ processes }: Act, startMs: number, { width, colors }: IncidentTextOptions): string[] {
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    right('process'),
    right('request'),
    right('time'),
    right('estimated'),
    right('measured'),
    { title: 'what happened', isFlexible: true },
  ];
  const rows = processes.flatMap((process) => processRows(process, startMs));
  return renderTable(columns, rows, { width, indent: INDENT, paintHead: colors.dim });
}

function processRows(record: ProcessRecord, startMs: number): string[][] {
  const rows = groupRequests(record.reports.filter((report) => report.type === 'request')).map((group) => requestRow(group, startMs));
  const byHand = record.reports.filter((report) => report.type === 'by-hand').map((report) => handRow(report, startMs));
  const all = [...byHand, ...rows, ...endRows(record)];
  return all.map((row, index) => [index === 0 ? String(record.process) : '', ...row]);
}

/** Requests in a row of which nothing is to be told are one row. */
function groupRequests(requests: readonly RequestReport[]): RequestReport[][] {
  const groups: RequestReport[][] = [];
  for (const request of requests) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.outcome === undefined && request.outcome === undefined) last.push(request);
    else groups.push([request]);
  }
  return groups;
}

function requestRow(group: readonly RequestReport[], startMs: number): string[] {
  const first = group[0]!;
  const last = group.at(-1)!;
  const number = first === last ? String(first.request) : `${first.request}–${last.request}`;
  return [
    number,
    timeOf(first.atMs - startMs),
    formatCount(last.estimatedTokens),
    formatCount(last.measuredTokens),
    wordsOf(last, startMs),
  ];
}

function wordsOf({ outcome, measuredTokens, guard }: RequestReport, startMs: number): string {
  if (outcome === undefined) return measuredTokens < RESTART_POLICY.threshold ? 'sent: below the threshold' : 'sent as it is';
  const { status, reason, retryAtMs } = outcome;
  if (status === 'compacted') return `compacted in vain: strike ${guard.strikes}`;
  if (retryAtMs !== undefined) return `due, but blocked until ${timeOf(retryAtMs - startMs)}`;
  return reason === 'floor_above_target' ? 'due, but the floor is too high' : `due, but ${reason}`;
}

function handRow(report: HandReport, startMs: number): string[] {
  return ['', timeOf(report.atMs - startMs), '', '', 'floor gone; compacted by hand'];
}

function endRows({ reports, guard, guardSeenElsewhere }: ProcessRecord): string[][] {
  const other = guardSeenElsewhere === undefined ? [] : [`another one is told: ${guardSeenElsewhere.decision}`];
  const asked = reports.length === 0 ? [`is told: ${guard.decision}`] : [];
  return [...other, ...asked, 'kill -9'].map((words) => ['', '', '', '', words]);
}

/** Milliseconds → `+2:20`. */
function timeOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `+${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
