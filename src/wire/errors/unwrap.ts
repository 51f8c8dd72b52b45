// From any shape of an error to plain facts: status, codes, the provider's own text, numbers. Follows a fixed list of names (never
// the request inside an error), JSON inside text, and events of a stream. Pure; never throws.
import { isObject, type JsonObject, parseJson } from '../rules.ts';
import { codeOf, retryAfterOf, statusOf, statusOfText } from './unwrap-fields.ts';

/** What an error says once its wrappers are off. */
export interface ErrorFacts {
  readonly status?: number;
  /** Codes, types and exception names, outermost first, as the provider wrote them. */
  readonly codes: readonly string[];
  /** At most 8,000 characters. */
  readonly text: string;
  /** `n_prompt_tokens` and `n_ctx` of llama.cpp. */
  readonly promptTokens?: number;
  readonly contextTokens?: number;
  readonly retryAfterMs?: number;
}

interface Walk {
  readonly statuses: number[];
  readonly codes: string[];
  readonly texts: string[];
  readonly numbers: Map<string, number>;
  readonly seen: Set<unknown>;
  retryAfterMs: number | undefined;
  /** Values that may still be visited: bounds cyclic and hostile objects. */
  budget: number;
}

const MAX_VALUES = 300;
const MAX_DEPTH = 12;
/** Real errors say what they mean at the front; the rest may be an echo of the prompt. */
const MAX_TEXT_CHARS = 8_000;
const MAX_PARSED_CHARS = 1_000_000;

/** Names that hold a message. */
const TEXT_KEYS = ['message', 'msg', 'Message', 'status_msg', 'error_description', 'detail', 'reasonPhrase', 'statusText'] as const;
/** Names that hold a nested error. A request kept in an error (`requestBodyValues`, `config`) is not among them. */
const NESTED_KEYS = [
  'error',
  'body',
  'responseBody',
  'data',
  'response',
  'details',
  'metadata',
  'raw',
  'base_resp',
  'lastError',
  'cause',
] as const;
/** Bedrock's exceptions inside an event stream. */
const STREAM_EXCEPTIONS = ['validationException', 'throttlingException', 'modelStreamErrorException'] as const;

/** Takes an error apart. */
export function unwrapError(error: unknown): ErrorFacts {
  const walk: Walk = {
    statuses: [],
    codes: [],
    texts: [],
    numbers: new Map(),
    seen: new Set(),
    retryAfterMs: undefined,
    budget: MAX_VALUES,
  };
  visit(error, walk, 0);
  const text = walk.texts.join('\n').slice(0, MAX_TEXT_CHARS);
  return {
    status: walk.statuses[0],
    codes: walk.codes,
    text,
    promptTokens: walk.numbers.get('n_prompt_tokens'),
    contextTokens: walk.numbers.get('n_ctx'),
    retryAfterMs: walk.retryAfterMs,
  };
}

function visit(value: unknown, walk: Walk, depth: number): void {
  if (depth > MAX_DEPTH || walk.budget-- <= 0) return;
  if (typeof value === 'string') visitText(value, walk, depth);
  if (typeof value !== 'object' || value === null || walk.seen.has(value)) return;
  walk.seen.add(value);
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 10)) visit(item, walk, depth + 1);
    return;
  }
  visitFields(value as JsonObject, walk);
  for (const key of TEXT_KEYS) visit(read(value, key), walk, depth + 1);
  for (const key of NESTED_KEYS) visit(read(value, key), walk, depth + 1);
  for (const key of STREAM_EXCEPTIONS) visit(read(value, key), walk, depth + 1);
  const errors = read(value, 'errors');
  if (Array.isArray(errors)) visit(errors.at(-1), walk, depth + 1);
}

function visitFields(holder: JsonObject, walk: Walk): void {
  const field = (key: string) => read(holder, key);
  const status = statusOf(field);
  if (status !== undefined) walk.statuses.push(status);
  for (const key of ['code', 'error_code', 'type', 'status', '__type', 'name', 'lc_error_code', 'status_code']) {
    const code = codeOf(field(key));
    if (code !== undefined && !walk.codes.includes(code)) walk.codes.push(code);
  }
  for (const key of ['n_prompt_tokens', 'n_ctx']) {
    const number = field(key);
    if (typeof number === 'number' && number > 0) walk.numbers.set(key, number);
  }
  walk.retryAfterMs ??= retryAfterOf(field);
}

function visitText(text: string, walk: Walk, depth: number): void {
  const status = statusOfText(text);
  if (status !== undefined) walk.statuses.push(status);
  if (/^\s*(?:event|data|id|retry)?:/.test(text)) {
    visitEvents(text, walk, depth);
    return;
  }
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  const inner = start >= 0 && end > start && text.length <= MAX_PARSED_CHARS ? parseJson(text.slice(start, end + 1))?.value : undefined;
  addText(isObject(inner) ? wrapperOf(text.slice(0, start)) : text, walk);
  visit(inner, walk, depth + 1);
}

/** What stands before JSON ("litellm.BadRequestError: AnthropicException - b'"), without its joints. */
function wrapperOf(prefix: string): string {
  let end = prefix.length;
  while (end > 0 && ' \n\t-:[(\'"'.includes(prefix[end - 1]!)) end--;
  return prefix.slice(0, end);
}

/** Only events that are errors are read: the others hold what the model wrote. */
function visitEvents(text: string, walk: Walk, depth: number): void {
  for (const line of text.split('\n')) {
    if (!line.startsWith('data:') || !/error|failed/.test(line)) continue;
    const event = parseJson(line.slice('data:'.length))?.value;
    if (!isObject(event)) continue;
    const isFailure = event.type === 'error' || event.type === 'response.failed' || (event.error !== undefined && event.error !== null);
    if (isFailure) visit(event, walk, depth + 1);
  }
}

function addText(text: string, walk: Walk): void {
  const clean = text
    .replace(/^\s*[45]\d\d\b(?!,)\s*/, '')
    .trim()
    .slice(0, MAX_TEXT_CHARS);
  if (clean !== '' && !walk.texts.some((known) => known.includes(clean))) walk.texts.push(clean);
}

function read(holder: object, key: string): unknown {
  try {
    return (holder as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
