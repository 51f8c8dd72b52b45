// A text, parsed once: one JSON value, or lines of JSON. Damage is reported with its line and with what was expected there.
import { UllageError } from '../../../core/errors.ts';
import { lineAndColumn } from '../../../wire/json/damage.ts';
import { skipSpace, skipString, skipValue } from '../../../wire/json/scan.ts';
import { isObject, type Json } from './transcript.ts';

/** One line of a JSONL file. */
export interface JsonLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly value: Json;
}

export interface Document {
  /** What messages call it: a file name, or `standard input`. */
  readonly name: string;
  readonly text: string;
  /** The whole text as one JSON value; undefined for JSONL. */
  readonly value: unknown;
  /** The lines of JSONL; for one JSON object, that object. */
  readonly lines: readonly JsonLine[];
}

/** Lines at the start that are tried to tell JSONL with a damaged line from damaged JSON. */
const PROBED_LINES = 5;
/** Characters of a document's start that are quoted in a message. */
const QUOTED_CHARS = 40;

/** Parses a text. Throws transcript_invalid for what is neither JSON nor JSONL, format_unknown for what does not look like JSON at all. */
export function parseDocument(name: string, text: string): Document {
  const start = skipSpace(text, 0);
  if (start >= text.length) throw new UllageError('transcript_invalid', `${name} is empty: expected a transcript in JSON or JSONL.`);
  if (text[start] !== '{' && text[start] !== '[') throw notJson(name, text.slice(start));
  const whole = tryParse(text);
  if (whole.ok) {
    const lines = isObject(whole.value) ? [{ number: 1, text: text.trim(), value: whole.value }] : [];
    return { name, text, value: whole.value, lines };
  }
  if (!looksLikeLines(text)) throw damage(name, text, 1);
  return { name, text, value: undefined, lines: parseLines(name, text) };
}

function notJson(name: string, text: string): UllageError {
  const quoted = JSON.stringify(text.slice(0, QUOTED_CHARS));
  return new UllageError('format_unknown', `${name}, line 1: expected JSON or JSONL, which begins with { or [, found ${quoted}.`);
}

function tryParse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** Each line with its number, blank ones left out. */
function* eachLine(text: string): Generator<{ number: number; text: string }> {
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const line = text.slice(start, end).trim();
    if (line !== '') yield { number, text: line };
    start = end + 1;
  }
}

function looksLikeLines(text: string): boolean {
  let probed = 0;
  let sound = 0;
  for (const line of eachLine(text)) {
    probed += 1;
    if (line.text.startsWith('{') && line.text.length > 2 && tryParse(line.text).ok) sound += 1;
    if (probed === PROBED_LINES) break;
  }
  return sound > 0;
}

function parseLines(name: string, text: string): JsonLine[] {
  const lines: JsonLine[] = [];
  for (const line of eachLine(text)) {
    const parsed = tryParse(line.text);
    if (!parsed.ok) throw damage(name, line.text, line.number);
    if (!isObject(parsed.value)) {
      throw new UllageError('transcript_invalid', `${name}, line ${line.number}: expected a JSON object, found ${describe(parsed.value)}.`);
    }
    lines.push({ number: line.number, text: line.text, value: parsed.value });
  }
  return lines;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : `a ${typeof value}`;
}

/** Where JSON text breaks, as an error that counts lines from `firstLine`. */
function damage(name: string, text: string, firstLine: number): UllageError {
  const place = (offset: number, expected: string) => {
    const { line, column } = lineAndColumn(text, offset);
    const details = { line: firstLine + line - 1, column };
    const message = `${name}, line ${details.line}, column ${column}: the JSON is damaged: ${expected}.`;
    return new UllageError('transcript_invalid', message, { details });
  };
  try {
    const end = skipSpace(text, skipValue(text, skipSpace(text, 0)));
    if (end < text.length) return place(end, 'expected the end of the text');
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    return place(
      Number(error.details.offset),
      /expected [^\n]*?, (?:found|the text)[^.]*/.exec(error.message)?.[0] ?? 'a value is missing',
    );
  }
  return place(badStringOffset(text), 'this string holds a bare control character or an unknown escape');
}

/** The structure is sound, so it is a string that holds what JSON does not allow. */
function badStringOffset(text: string): number {
  let at = text.indexOf('"');
  while (at >= 0) {
    const end = skipString(text, at);
    if (!tryParse(text.slice(at, end)).ok) return at;
    at = text.indexOf('"', end);
  }
  return 0;
}
