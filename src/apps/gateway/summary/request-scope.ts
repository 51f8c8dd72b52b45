// The request on whose account a summary may be written: known inside that request, and forgotten at its end.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import type { BaseUrl } from '../upstream/base-url.ts';

export interface ScopedRequest {
  readonly api: Api;
  readonly upstream: BaseUrl;
  /** From the API's root: `/v1/messages?beta=true`. */
  readonly path: string;
  /** With the client's own credential. */
  readonly headers: HeaderList;
  /** As the client sent it. */
  readonly body: Uint8Array;
}

export interface RequestScope {
  run<T>(request: ScopedRequest, work: () => Promise<T>): Promise<T>;
  /** undefined outside of a request, and after it: what still runs then has no credential. */
  current(): CurrentRequest | undefined;
}

export interface CurrentRequest extends ScopedRequest {
  /** Aborts when the request is over: what is asked on its account ends with it. */
  readonly over: AbortSignal;
}

/** Nobody asks: tracking costs every promise of the process. */
export const NO_SCOPE: RequestScope = { run: (_, work) => work(), current: () => undefined };

export function createRequestScope(): RequestScope {
  const storage = new AsyncLocalStorage<{ request?: CurrentRequest }>();
  return {
    async run(request, work) {
      const over = new AbortController();
      const holder: { request?: CurrentRequest } = { request: { ...request, over: over.signal } };
      try {
        return await storage.run(holder, work);
      } finally {
        holder.request = undefined;
        over.abort(new Error('The request on whose account the summary was written is over.'));
      }
    },
    current: () => storage.getStore()?.request,
  };
}
