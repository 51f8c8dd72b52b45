// One POST and what comes back: events of a stream, or one JSON document. No redirect is followed, no more is read than allowed.
import { createParser } from 'eventsource-parser';
import { type Dispatcher, request } from 'undici';
import { errorOf, ModelCallError } from './model-call-error.ts';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** One event of a stream, or the whole answer of a server that does not stream. */
export interface Received {
  readonly kind: 'event' | 'whole';
  readonly value: unknown;
}

const LARGEST_ERROR_BYTES = 65_536;
const END_OF_STREAM = '[DONE]';

/** Host and path: what may be told of an address. */
export const placeOf = (url: URL): string => `${url.host}${url.pathname}`;

export async function* postForEvents(post: Post): AsyncGenerator<Received> {
  const { url, headers, body, signal, dispatcher, idleTimeoutMs } = post;
  const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
  const response = await request(url, { method: 'POST', headers, body: JSON.stringify(body), signal, dispatcher, ...timeouts });
  const { statusCode: status } = response;
  if (status < 200 || status > 299) throw await failureOf(post, response);
  const type = String(response.headers['content-type'] ?? '');
  if (type.includes('text/event-stream')) yield* eventsOf(post, response.body);
  else yield { kind: 'whole', value: parsed(post, await textOf(post, response.body)) };
}

async function failureOf(post: Post, response: Dispatcher.ResponseData): Promise<ModelCallError> {
  const { statusCode: status, body } = response;
  const place = placeOf(post.url);
  if (status < 400) {
    // An answer that nobody reads ends with an error that nobody needs.
    body.on('error', () => {}).destroy();
    return new ModelCallError(`${place} answered with a redirect (${status}), which is not followed: name the final address.`, {
      status,
      code: 'redirect_refused',
    });
  }
  const text = await textOf({ ...post, maxResponseBytes: LARGEST_ERROR_BYTES }, body).catch(() => '');
  return errorOf({ place, status, body: jsonOf(text) ?? text, credentials: credentialsOf(post) });
}

const NO_CREDENTIALS: ReadonlySet<string> = new Set(['content-type', 'accept', 'anthropic-version', 'anthropic-beta', 'user-agent']);

/** What a server must not be quoted with, whatever it looks like. */
export function credentialsOf({ headers }: Post): readonly string[] {
  const values = Object.entries(headers).filter(([name]) => !NO_CREDENTIALS.has(name));
  return values.map(([, value]) => value.split(' ').at(-1)!).filter((value) => value.length >= 4);
}

async function* eventsOf(post: Post, body: AsyncIterable<Uint8Array>): AsyncGenerator<Received> {
  const ready: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void ready.push(data) });
  const decoder = new TextDecoder();
  for await (const chunk of limited(post, body)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const data of ready.splice(0)) {
      if (data === END_OF_STREAM) return;
      yield { kind: 'event', value: parsed(post, data) };
    }
  }
  // Some servers end without the empty line behind the last event; an event that was cut is none.
  parser.feed('\n\n');
  for (const data of ready) {
    const value = jsonOf(data);
    if (value !== undefined) yield { kind: 'event', value };
  }
}

async function textOf(post: Post, body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of limited(post, body)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* limited({ url, maxResponseBytes }: Post, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxResponseBytes)
      throw new ModelCallError(`${placeOf(url)} sent more than ${maxResponseBytes} bytes.`, { code: 'response_too_large' });
    yield chunk;
  }
}

function parsed({ url }: Post, text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new ModelCallError(`${placeOf(url)} answered with something that is not JSON.`, { code: 'not_json' });
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
