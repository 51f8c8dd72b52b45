// Stub texts: what stands in place of a pruned result, image or long argument, and how to get the whole again.
import { type CallPart, entryHandle, type MediaPart, type ResultPart } from '../transcript/entry.ts';
import { capHeadTail, headOf, omission, tailOf } from './cap.ts';
import { isJson } from './json-tree.ts';
import { LINE, type LineTable } from './line-table.ts';
import { printArguments } from './records.ts';
import type { Repeat } from './repeats.ts';
import { readTarget } from './repeats.ts';
import type { Scope } from './scope.ts';
import { SHAPE } from './terms.ts';

const SALIENT_TOKENS = 90;
const MOST_ERROR_LINES = 2;
const MOST_LINES = 4;
const TARGET_CHARS = 60;
const EXIT_REACH_CHARS = 400;
const EXIT_CODE = /exit(?:ed with)?(?: code| status)?[:= ]{1,3}(-?\d{1,5})\b/i;

export interface StubSubject {
  readonly result: ResultPart;
  readonly call?: CallPart;
  readonly table?: LineTable;
  /** Printed only where handles can be opened. */
  readonly handle?: string;
  readonly repeat?: Repeat;
}

/** The text in place of a result. */
export function resultStub(subject: StubSubject): string {
  const { result, call, table, repeat } = subject;
  const about = [`${(call?.name ?? 'result') || 'result'}${call === undefined ? '' : targetOf(call)}`];
  const lineCount = table?.count ?? 0;
  about.push(`${result.text.length} characters${lineCount > 1 ? `, ${lineCount} lines` : ''}`);
  const exit = exitCode(result.text);
  if (exit !== undefined) about.push(`exit code ${exit}`);
  else if (result.isError === true) about.push('an error');
  if (result.media.length > 0) about.push(`${result.media.length} ${result.media[0]!.mediaKind} left out`);
  const head = `[${about.join('; ')}; ${reasonOf(subject)}]`;
  if (repeat !== undefined || table === undefined) return head;
  return [head, ...salientLines(table)].join('\n');
}

function reasonOf({ repeat, handle, call }: StubSubject): string {
  const where = handle === undefined ? '' : `; whole in ${handle}`;
  if (repeat === 'identical') return `the same text stands further down${where}`;
  if (repeat === 'superseded') return `read again further down${where}`;
  if (handle !== undefined) return `shortened${where}`;
  const isRead = call !== undefined && readTarget(call) !== undefined;
  return isRead ? 'shortened; reading it again gives the whole' : 'shortened; the same call would give it again';
}

function targetOf(call: CallPart): string {
  const [first] = printArguments(call.argumentsText).text.split('\n', 1);
  if (first === undefined || first === '') return '';
  const text = first.trim();
  if (text.length <= TARGET_CHARS) return ` ${text}`;
  // Of a path the end tells it from others.
  const isPath = text.includes('/') && !text.includes(' ');
  return isPath ? ` …${tailOf(text, TARGET_CHARS)}` : ` ${headOf(text, TARGET_CHARS)}…`;
}

function exitCode(text: string): string | undefined {
  return (EXIT_CODE.exec(text.slice(0, EXIT_REACH_CHARS)) ?? EXIT_CODE.exec(text.slice(-EXIT_REACH_CHARS)))?.[1];
}

/** Error lines first, then the lines that name most for their length; printed in their order, a row with its heading. */
function salientLines(table: LineTable): string[] {
  const chosen = new Set<number>();
  let left = SALIENT_TOKENS;
  const take = (line: number): void => {
    const needed = [line, headingOf(table, line)].filter((one) => one >= 0 && !chosen.has(one));
    const tokens = needed.reduce((sum, one) => sum + table.tokensOf(one), 0);
    if (chosen.size >= MOST_LINES || tokens > left) return;
    for (const one of needed) chosen.add(one);
    left -= tokens;
  };
  for (let line = 0; line < table.count && chosen.size < MOST_ERROR_LINES; line += 1) {
    if (table.has(line, LINE.tellsFailure)) take(line);
  }
  for (const line of richestLines(table)) take(line);
  return [...chosen].sort((a, b) => a - b).map((line) => table.line(line));
}

/** The heading of a row; −1 for other lines. */
function headingOf(table: LineTable, line: number): number {
  let at = table.has(line, LINE.row) ? line : -1;
  while (at >= 0 && !table.has(at, LINE.heading)) at -= 1;
  return at;
}

/** The few lines with most names per token. */
function richestLines(table: LineTable): readonly number[] {
  const best: { line: number; value: number }[] = [];
  for (let line = 0; line < table.count; line += 1) {
    if (table.has(line, LINE.heading)) continue;
    let names = 0;
    for (let term = table.termFrom(line); term < table.termFrom(line + 1); term += 1) {
      if (table.shape(term) >= SHAPE.name) names += 1;
    }
    const value = names / (table.tokensOf(line) + 4);
    const worst = best[best.length - 1];
    if (best.length === MOST_LINES && worst !== undefined && value <= worst.value) continue;
    best.push({ line, value });
    best.sort((a, b) => b.value - a.value || a.line - b.line);
    if (best.length > MOST_LINES) best.pop();
  }
  return best.map(({ line }) => line);
}

/** The text in place of an image, file or sound. */
export function mediaStub(media: MediaPart, handle: string | undefined): string {
  const pixels = media.widthPx === undefined || media.heightPx === undefined ? '' : `, ${media.widthPx}×${media.heightPx} pixels`;
  const where = handle === undefined ? '' : `; whole in ${handle}`;
  return `[${media.mediaKind} left out: ${media.sizeBytes} bytes${pixels}${where}]`;
}

const LONGEST_LEAF_CHARS = 480;
const LEAF_HEAD_CHARS = 200;
const LEAF_TAIL_CHARS = 80;

/** JSON arguments with their long string values shortened; everything else keeps its bytes. undefined = nothing to shorten, or no JSON. */
export function shortenArguments(argumentsText: string, handle: string | undefined): string | undefined {
  if (argumentsText.length <= LONGEST_LEAF_CHARS || !isJson(argumentsText)) return undefined;
  const pieces: string[] = [];
  let copied = 0;
  for (let open = argumentsText.indexOf('"'); open >= 0; ) {
    const end = endOfString(argumentsText, open);
    if (end - open > LONGEST_LEAF_CHARS && !isKey(argumentsText, end)) {
      const value = String(JSON.parse(argumentsText.slice(open, end)));
      pieces.push(argumentsText.slice(copied, open), JSON.stringify(shortenedLeaf(value, handle)));
      copied = end;
    }
    open = argumentsText.indexOf('"', end);
  }
  if (copied === 0) return undefined;
  const shortened = pieces.join('') + argumentsText.slice(copied);
  return shortened.length < argumentsText.length ? shortened : undefined;
}

function shortenedLeaf(value: string, handle: string | undefined): string {
  if (value.length <= LEAF_HEAD_CHARS + LEAF_TAIL_CHARS) return value;
  const head = headOf(value, LEAF_HEAD_CHARS);
  const tail = tailOf(value, LEAF_TAIL_CHARS);
  return `${head} ${omission(value.length - head.length - tail.length, handle)} ${tail}`;
}

/** Behind the closing quote of the string that opens at `open`. */
function endOfString(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length && json.charCodeAt(at) !== 34) at += json.charCodeAt(at) === 92 ? 2 : 1;
  return at + 1;
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (at < json.length && ' \n\r\t'.includes(json[at]!)) at += 1;
  return json[at] === ':';
}

/** The text of a capped result, with how to get the rest. */
export function cappedText(
  scope: Scope,
  place: { readonly position: number; readonly part: number; readonly text: string },
  budgetTokens: number,
): string {
  const handle = entryHandle(scope.entries[place.position]!.chain, place.part);
  return capHeadTail(place.text, budgetTokens, (omitted) => omission(omitted, scope.canOpenHandles ? handle : undefined));
}
