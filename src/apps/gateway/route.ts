// What a request's path asks for, and whom. Pure: knows no socket and no upstream.
import type { ExchangeKind } from '../../adapters/exchange/exchange.ts';
import type { Api } from '../../core/transcript/entry.ts';

/** An upstream by its family: Chat Completions and Responses share one. `chatgpt` is where Codex goes with a ChatGPT login. */
export type UpstreamName = 'openai' | 'anthropic' | 'chatgpt';

/** A request of one of the three APIs, sent through a session. */
export interface ModelRoute {
  readonly kind: 'model';
  readonly api: Api;
  readonly exchange: ExchangeKind;
  readonly upstream: UpstreamName;
  /** From the API's root, with the query: `/v1/messages?beta=true`. */
  readonly path: string;
  /** From a `/s/<session>/` prefix. */
  readonly pathSession?: string;
}

/** Anything else is streamed through as it is. */
interface PassRoute {
  readonly kind: 'pass';
  readonly upstream: UpstreamName;
  readonly path: string;
}

export type Route =
  | ModelRoute
  | PassRoute
  /** Our own API, metrics and health. */
  | { readonly kind: 'own' }
  /** Somebody looks whether there is a server. */
  | { readonly kind: 'hello' }
  /** The path cannot be read. */
  | { readonly kind: 'bad' };

export interface RouteInput {
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

const MODEL_PATHS: Readonly<Record<string, Pick<ModelRoute, 'api' | 'exchange'>>> = {
  '/v1/chat/completions': { api: 'openai-chat', exchange: 'generate' },
  '/v1/responses': { api: 'openai-responses', exchange: 'generate' },
  '/v1/messages': { api: 'anthropic', exchange: 'generate' },
  '/v1/messages/count_tokens': { api: 'anthropic', exchange: 'count-tokens' },
};

const OWN_PATHS = new Set(['/metrics', '/healthz', '/readyz']);
const SESSION_PREFIX = /^\/s\/([^/?]+)(.*)$/s;

/** Decides once for a request. */
export function routeOf({ method, target, headers }: RouteInput): Route {
  const path = pathOf(target);
  if (path === undefined) return { kind: 'bad' };
  const [bare = ''] = path.split('?', 1);
  if (OWN_PATHS.has(bare) || bare === '/ullage' || bare.startsWith('/ullage/')) return { kind: 'own' };
  const prefix = SESSION_PREFIX.exec(path);
  const pathSession = prefix ? decoded(prefix[1] ?? '') : undefined;
  if (prefix && pathSession === undefined) return { kind: 'bad' };
  return inner(method, { path: prefix ? rooted(prefix[2] ?? '') : path, pathSession, headers });
}

function inner(method: string, at: { path: string; pathSession?: string; headers: RouteInput['headers'] }): Route {
  const path = versioned(at.path);
  const [bare = '', query] = split(path);
  if (bare === '/' && (method === 'GET' || method === 'HEAD')) return { kind: 'hello' };
  const model = method === 'POST' ? MODEL_PATHS[bare] : undefined;
  if (!model) return { kind: 'pass', upstream: upstreamOf(bare, at.headers), path };
  return {
    kind: 'model',
    ...model,
    upstream: model.api === 'anthropic' ? 'anthropic' : openaiOf(at.headers),
    path: `${bare}${query}`,
    pathSession: at.pathSession,
  };
}

/** The path of a request target, which some clients write as a whole URL; one leading slash. */
function pathOf(target: string): string | undefined {
  if (target.startsWith('/')) return rooted(target);
  if (!/^https?:\/\//i.test(target)) return undefined;
  const start = target.indexOf('/', target.indexOf('//') + 2);
  return start < 0 ? '/' : rooted(target.slice(start));
}

function rooted(path: string): string {
  return `/${path.replace(/^\/+/, '')}`;
}

function split(path: string): [bare: string, query: string] {
  const mark = path.indexOf('?');
  return mark < 0 ? [path, ''] : [path.slice(0, mark), path.slice(mark)];
}

/** A base URL without /v1 leads SDKs to `/chat/completions`: the same door. */
function versioned(path: string): string {
  const [bare] = split(path);
  return MODEL_PATHS[`/v1${bare}`] ? `/v1${path}` : path;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

const ANTHROPIC_PATH = /^\/v1\/(?:messages|complete)(?:\/|$)/;

function upstreamOf(bare: string, headers: RouteInput['headers']): UpstreamName {
  const isAnthropic = headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined || ANTHROPIC_PATH.test(bare);
  return isAnthropic ? 'anthropic' : openaiOf(headers);
}

/** A ChatGPT login is no account of the API: its requests name it. */
function openaiOf(headers: RouteInput['headers']): UpstreamName {
  return headers['chatgpt-account-id'] === undefined ? 'openai' : 'chatgpt';
}
