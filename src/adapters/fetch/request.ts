// A fetch's request taken apart: its body as bytes, its headers, and the same request with another body.
import type { HeaderList } from '../exchange/exchange.ts';
import { SESSION_HEADER } from '../exchange/session-key.ts';

export interface FetchRequest {
  readonly body: Uint8Array;
  readonly headers: HeaderList;
  readonly signal?: AbortSignal;
  /** The request for the fetch below. */
  with(body: Uint8Array, signal: AbortSignal): RequestInit;
}

/** undefined when it has no body, or one that is a form. A body that is a stream is read to its end. */
export async function readRequest(input: string | URL | Request, init: RequestInit | undefined): Promise<FetchRequest | undefined> {
  const request = input instanceof Request ? input : undefined;
  const given = init?.body ?? request?.body;
  if (given === null || given === undefined || given instanceof FormData || given instanceof URLSearchParams) return undefined;
  const headers = new Headers(init?.headers ?? request?.headers);
  const body = await bytesOf(given);
  const signal = init?.signal ?? request?.signal ?? undefined;
  return {
    body,
    headers: [...headers],
    signal,
    with: (sent, until) => ({
      ...(request && membersOf(request)),
      ...init,
      headers: ownHeaders(headers, init?.headers),
      body: sent,
      signal: until,
    }),
  };
}

async function bytesOf(body: NonNullable<RequestInit['body']>): Promise<Uint8Array> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** What a Request says besides its address and body. */
function membersOf({ method, redirect, credentials, integrity, keepalive, referrerPolicy }: Request): RequestInit {
  return { method, redirect, credentials, integrity, keepalive, referrerPolicy };
}

/** Of the body's length another one may be true now, and our own header goes no further. */
const KEPT_BACK = ['content-length', SESSION_HEADER] as const;

/** The caller's own object where nothing of it is kept back. */
function ownHeaders(headers: Headers, given: RequestInit['headers']): RequestInit['headers'] {
  if (given !== undefined && !KEPT_BACK.some((name) => headers.has(name))) return given;
  const kept = new Headers(headers);
  for (const name of KEPT_BACK) kept.delete(name);
  return kept;
}
