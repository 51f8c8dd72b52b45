// What the provider remembers of a request, and how much of it. Credentials are kept as digests only.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Api } from '../../core/transcript/entry.ts';
import { isObject, type JsonObject } from '../../wire/rules.ts';
import type { Endpoint } from './route.ts';

/** One request as the strict provider got it. The last four members are filled in while it is answered. */
export interface ProviderRequest {
  /** Place among everything received, from 0. Stays true when older requests have been forgotten. */
  readonly index: number;
  /** Place among the requests for an answer of the model, from 1: what `Fault.at` counts. undefined for all others. */
  readonly number?: number;
  /** undefined for what is no path of the three APIs. */
  readonly api?: Api;
  readonly kind: ProviderRequestKind;
  readonly method: string;
  /** As it came, query string included; the value of a parameter `key` is its `credentialDigest`. */
  readonly path: string;
  /** Names in lower case. The value of a header that carries a credential is its `credentialDigest`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, byte for byte. Empty when it was over `maxBodyBytes`. */
  readonly bytes: Uint8Array;
  /** The parsed body; `{}` when it is no JSON object. */
  readonly body: JsonObject;
  /** `body.model`, or ''. */
  readonly model: string;
  readonly isStream: boolean;
  /** Input tokens by the provider's own count; 0 for a request that breaks a rule, and for one without a body. */
  readonly tokens: number;
  /** Of `tokens`, those read from the prefix cache. 0 for a refused request. */
  readonly cachedTokens: number;
  /** Status of the answer; undefined until it has begun, and when the connection was reset before it. */
  readonly status?: number;
  /** How the answer ended: `undefined` while it runs, `aborted` when the client went away first. */
  readonly end?: 'sent' | 'cut' | 'aborted';
}

/** What was asked for. */
export type ProviderRequestKind = 'generate' | 'count-tokens' | 'compact' | 'models' | 'other';

/** Headers whose values are never kept. */
const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
]);

const CREDENTIAL_PARAMETER = /([?&](?:api[-_]?)?key=)([^&]*)/gi;

/**
 * What `ProviderRequest.headers` holds in place of a credential: `digest:` and the first 16 hex digits of its SHA-256. A test compares it with
 * the digest of the value it expects (`Bearer sk-…` for `authorization`: the whole header value).
 */
export function credentialDigest(value: string): string {
  return `digest:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
}

/** All headers, lists joined, credentials as digests. */
function safeHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const safe: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    safe[name] = CREDENTIAL_HEADERS.has(name) ? credentialDigest(text) : text;
  }
  return safe;
}

/** What identifies the account of a request; '' when it brought no credential. */
export function credentialOf({ headers }: Pick<ProviderRequest, 'headers'>): string {
  return headers.authorization ?? headers['x-api-key'] ?? headers['api-key'] ?? '';
}

/** The same request while it is being answered. */
export type OpenRequest = { -readonly [K in keyof ProviderRequest]: ProviderRequest[K] };

interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  readonly endpoint: Endpoint;
}

/** The requests received, the oldest forgotten first. */
export interface RequestLog {
  readonly list: readonly ProviderRequest[];
  add(arrived: Arrived): OpenRequest;
}

interface LogLimits {
  readonly maxRequests: number;
  readonly maxTotalBytes: number;
}

/** A log that keeps the newest requests within its limits; the newest one always. */
export function createRequestLog(limits: LogLimits): RequestLog {
  const list: OpenRequest[] = [];
  let received = 0;
  let generated = 0;
  let totalBytes = 0;
  return {
    list,
    add(arrived) {
      const { endpoint, bytes, method, path } = arrived;
      const body = parseBody(bytes);
      const request: OpenRequest = {
        index: received,
        ...(endpoint.kind === 'generate' ? { number: generated + 1 } : {}),
        ...(endpoint.api === undefined ? {} : { api: endpoint.api }),
        kind: endpoint.kind,
        method,
        path: path.replace(CREDENTIAL_PARAMETER, (_, name: string, value: string) => `${name}${credentialDigest(value)}`),
        headers: safeHeaders(arrived.headers),
        bytes,
        body,
        model: typeof body.model === 'string' ? body.model : '',
        isStream: body.stream === true,
        tokens: 0,
        cachedTokens: 0,
      };
      received += 1;
      if (endpoint.kind === 'generate') generated += 1;
      list.push(request);
      totalBytes += bytes.length;
      while (list.length > 1 && (list.length > limits.maxRequests || totalBytes > limits.maxTotalBytes)) {
        totalBytes -= list.shift()!.bytes.length;
      }
      return request;
    },
  };
}

function parseBody(bytes: Uint8Array): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
