// Reading one level of an error: its HTTP status, its code, and how long to wait.

type Field = (key: string) => unknown;

/** Types and names that say only that there was an error. */
const GENERIC_CODES: ReadonlySet<string> = new Set([
  'error',
  'Error',
  'object',
  'response.failed',
  'failed',
  'APIError',
  'AI_APICallError',
  'UllageError',
]);

/** A status of 400 to 599 in one of the usual names, or undefined. A 200 around a failed stream says nothing. */
export function statusOf(field: Field): number | undefined {
  const metadata = field('$metadata');
  const nested = typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>).httpStatusCode : undefined;
  for (const value of [field('status'), field('statusCode'), field('httpStatusCode'), field('status_code'), nested, field('code')]) {
    const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === 'number' && status >= 400 && status < 600) return status;
  }
  return undefined;
}

/** A status at the front of a text ("400 {…}", "Error code: 413 - …") or after "status code". */
export function statusOfText(text: string): number | undefined {
  const head = text.slice(0, 300);
  const match = /^\s*(?:HTTP\s+|error:?\s+)?([45]\d\d)\b(?!,)/i.exec(head) ?? /\b(?:error|status)[ _]code:?\s+([45]\d\d)\b/i.exec(head);
  return match ? Number(match[1]) : undefined;
}

/** A telling code: text, or a number that is no HTTP status. */
export function codeOf(value: unknown): string | undefined {
  if (typeof value === 'number' && (value < 100 || value >= 600) && value !== 0) return String(value);
  if (typeof value !== 'string' || value === '' || value.length > 200 || /^[1-5]\d\d$/.test(value) || GENERIC_CODES.has(value))
    return undefined;
  return value;
}

/** From `retry-after-ms`, `retry-after` in seconds (a date needs a clock and is left), or Gemini's `retryDelay`. */
export function retryAfterOf(field: Field): number | undefined {
  const headers = field('headers') ?? field('responseHeaders');
  const milliseconds = Number(headerOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const seconds = Number(headerOf(headers, 'retry-after') ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1_000;
  const delay = field('retryDelay');
  const match = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay) : null;
  return match ? Math.ceil(Number(match[1]) * 1_000) : undefined;
}

/** "Try again in 1m2.5s", "in 350ms": as printed by OpenAI and Groq. */
export function retryAfterOfText(text: string): number | undefined {
  const match = /try again in (?:(\d{1,4})h)?(?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,6})?)(ms|s))?/i.exec(text);
  if (!match) return undefined;
  const [, hours = '0', minutes = '0', rest = '0', unit] = match;
  const milliseconds = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(rest) * (unit === 'ms' ? 1 : 1_000);
  return milliseconds > 0 ? Math.ceil(milliseconds) : undefined;
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  let value: unknown;
  try {
    const get = (headers as { get?: unknown }).get;
    value = typeof get === 'function' ? get.call(headers, name) : (headers as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
  return typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}
