// Which path asks for what. Paths are taken with or without /v1, with a query string, and below any prefix a base URL may have.
import type { Api } from '../../core/transcript/entry.ts';
import type { ProviderRequestKind } from './request.ts';

export interface Endpoint {
  readonly kind: ProviderRequestKind;
  readonly api?: Api;
  /** The method the path takes. */
  readonly method: 'GET' | 'POST' | 'HEAD';
}

const ENDPOINTS: readonly (readonly [path: string, endpoint: Endpoint])[] = [
  ['/chat/completions', { kind: 'generate', api: 'openai-chat', method: 'POST' }],
  ['/responses', { kind: 'generate', api: 'openai-responses', method: 'POST' }],
  ['/responses/compact', { kind: 'compact', api: 'openai-responses', method: 'POST' }],
  ['/messages', { kind: 'generate', api: 'anthropic', method: 'POST' }],
  ['/messages/count_tokens', { kind: 'count-tokens', api: 'anthropic', method: 'POST' }],
  ['/models', { kind: 'models', method: 'GET' }],
];

const UNKNOWN: Endpoint = { kind: 'other', method: 'HEAD' };

/** The endpoint of a request; a wrong method or path is `other`. */
export function routeOf(method: string, path: string): Endpoint {
  const plain = path.split('?', 1)[0]!.replace(/\/+$/, '');
  const found = ENDPOINTS.find(([end, endpoint]) => plain.endsWith(end) && endpoint.method === method);
  return found?.[1] ?? UNKNOWN;
}
