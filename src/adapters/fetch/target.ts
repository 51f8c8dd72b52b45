// What a fetch is asked for: which API and which of its doors, by method and path alone.
import type { Api } from '../../core/transcript/entry.ts';
import type { ExchangeKind } from '../exchange/exchange.ts';

export interface Target {
  readonly url: URL;
  readonly api: Api;
  readonly kind: ExchangeKind;
}

/** Paths end so whatever stands before: a version, a deployment, a gateway's own prefix. */
const DOORS: readonly (readonly [path: string, api: Api, kind: ExchangeKind])[] = [
  ['/chat/completions', 'openai-chat', 'generate'],
  ['/responses', 'openai-responses', 'generate'],
  ['/messages', 'anthropic', 'generate'],
  ['/messages/count_tokens', 'anthropic', 'count-tokens'],
];

/** Messages of an assistant's thread are added one by one, not sent to a model. */
const THREAD_MESSAGES = /\/threads\/[^/]+\/messages$/;

/** undefined for all that is none of ours. */
export function targetOf(input: string | URL | Request, init: RequestInit | undefined): Target | undefined {
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  if (method.toUpperCase() !== 'POST') return undefined;
  const url = urlOf(input);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const door = DOORS.find(([suffix]) => path.endsWith(suffix));
  if (!url || !door || THREAD_MESSAGES.test(path)) return undefined;
  return { url, api: door[1], kind: door[2] };
}

function urlOf(input: string | URL | Request): URL | undefined {
  try {
    return new URL(input instanceof Request ? input.url : input);
  } catch {
    // The fetch below says what is wrong with it.
    return undefined;
  }
}
