// What the three validators share: the parsed body, the list of findings, text and JSON checks. Knows no API's rules.
import type { Violation } from './codec.ts';

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What may be asked of a validator beyond the API's own rules. */
export interface ValidateOptions {
  /**
   * Default: the rules of the API itself, nothing else.
   * - `openai`: also the limits of OpenAI's hosted API (id lengths, tool names of at most 64 letters).
   * - `local`: also the rules of strict chat templates and relays (one leading system message, alternation, no empty text,
   *   arguments that are objects, thinking first in an open tool round).
   */
  readonly strict?: 'openai' | 'local';
}

/** Collects violations of one body. */
export interface Findings {
  readonly list: readonly Violation[];
  add(rule: string, path: string, message: string): void;
}

/** More violations than this say nothing new about a body; later ones are dropped. */
const MAX_VIOLATIONS = 1_000;

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is a string, else undefined. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The elements of an array; [] for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True when a text has nothing but white space. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** True when a text parses as JSON. */
export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** The parsed text in a box, or undefined when it is not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Parses a body and runs the rules of one API on it. A body that is no JSON object is one violation. Never throws.
 */
export function checkBody(api: string, bodyText: string, check: (body: JsonObject, findings: Findings) => void): readonly Violation[] {
  const list: Violation[] = [];
  const findings: Findings = {
    list,
    add: (rule, path, message) => {
      if (list.length < MAX_VIOLATIONS) list.push({ rule: `${api}/${rule}`, path, message });
    },
  };
  const body = parseJson(bodyText)?.value;
  if (!isObject(body)) {
    findings.add('json', '', 'The request body is not a valid JSON object.');
    return list;
  }
  check(body, findings);
  if (mayHoldLoneSurrogate(bodyText)) checkSurrogates(body, findings);
  return list;
}

// With the u flag a proper pair is one code point, so only a lone half has the category Surrogate.
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

function mayHoldLoneSurrogate(bodyText: string): boolean {
  return ESCAPED_SURROGATE.test(bodyText) || LONE_SURROGATE.test(bodyText);
}

/** One violation per message or top-level member, so that a damaged transcript stays readable. */
function checkSurrogates(body: JsonObject, findings: Findings): void {
  for (const [key, value] of Object.entries(body)) {
    const items = key === 'messages' || key === 'input' ? listOf(value) : [];
    const pieces: readonly [string, unknown][] = items.length > 0 ? items.map((item, at) => [`${key}.${at}`, item]) : [[key, value]];
    for (const [path, piece] of pieces) {
      const found = findLoneSurrogate(piece, path);
      if (found !== undefined) {
        findings.add(
          'lone-surrogate',
          found,
          'The request body is not valid JSON: no low surrogate in string (text is not well-formed Unicode).',
        );
      }
    }
  }
}

/** The path of the first string that is not well-formed Unicode. Walks with its own stack: hostile nesting cannot exhaust the real one. */
function findLoneSurrogate(root: unknown, rootPath: string): string | undefined {
  const stack: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: rootPath }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, path } = top;
    if (typeof value === 'string' && LONE_SURROGATE.test(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    const children = Object.entries(value);
    for (let at = children.length - 1; at >= 0; at--) {
      const [key, child] = children[at]!;
      if (LONE_SURROGATE.test(key)) return path;
      stack.push({ value: child, path: `${path}.${key}` });
    }
  }
  return undefined;
}
