// How the tests of the strict provider talk to it: over real HTTP, without any SDK.
import type { Api } from '../../../core/transcript/entry.ts';
import type { StrictProviderOptions } from '../options.ts';
import { type StrictProvider, strictProvider } from '../strict-provider.ts';

export type Json = Record<string, unknown>;

/** Starts providers and closes them all. */
export function providers(): { start(options?: StrictProviderOptions): Promise<StrictProvider>; close(): Promise<void> } {
  const running: StrictProvider[] = [];
  return {
    async start(options = {}) {
      const provider = await strictProvider(options);
      running.push(provider);
      return provider;
    },
    async close() {
      for (const provider of running.splice(0)) await provider.close();
    },
  };
}

export const PATHS: Readonly<Record<Api, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
};

/** A request of an API with these messages; what is given replaces or adds members. */
export function bodyOf(api: Api, messages: unknown = 'Hello.', more: Json = {}): Json {
  const list = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
  if (api === 'openai-responses') return { model: 'm', input: list, ...more };
  return { model: 'm', messages: list, ...(api === 'anthropic' ? { max_tokens: 100 } : {}), ...more };
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: Json;
  /** The data of each event; `[DONE]` as it is. */
  readonly events: readonly Json[];
}

/** Posts a body and reads the answer to its end. */
export async function post(provider: StrictProvider, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Got> {
  const response = await fetch(provider.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed(text) as Json,
    events: isStream ? dataOf(text).map((data) => parsed(data) as Json) : [],
  };
}

/** Asks an API for an answer. */
export function ask(provider: StrictProvider, api: Api, messages?: unknown, more?: Json): Promise<Got> {
  return post(provider, PATHS[api], bodyOf(api, messages, more));
}

function dataOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message of an error in any of the shapes. */
export function messageOf({ body, events }: Pick<Got, 'body' | 'events'>): string | undefined {
  const holder = [body, ...events].find((one) => (one?.error ?? (one?.response as Json | undefined)?.error) != null);
  const error = (holder?.error ?? (holder?.response as Json | undefined)?.error) as Json | undefined;
  return error?.message as string | undefined;
}
