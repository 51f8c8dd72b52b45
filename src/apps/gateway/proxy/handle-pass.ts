// A request that is none of ours: streamed through, both ways, byte for byte.
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import { reportHeaders } from '../../../adapters/exchange/report-headers.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { UpstreamName } from '../route.ts';
import { joinPath } from '../upstream/base-url.ts';
import { pairsOf, requestHeaders } from '../upstream/headers.ts';
import { sendUpstream } from '../upstream/send.ts';
import type { Incoming } from './incoming.ts';
import { reply } from './reply.ts';
import { tooSlow } from './too-slow.ts';
import { hasBody, watchUpload } from './watch-upload.ts';

interface Passing {
  readonly upstream: UpstreamName;
  readonly path: string;
  /** Why a request of a model API is not read here. */
  readonly leftAlone?: string;
}

/** Throws what the network throws before the answer begins. */
export async function handlePass(gateway: GatewayContext, incoming: Incoming, { upstream, path, leftAlone }: Passing): Promise<void> {
  const { request, response, abort } = incoming;
  const base = gateway.upstreams[upstream];
  const headers = requestHeaders(pairsOf(request.rawHeaders), { isStreamedThrough: true });
  const isUpload = hasBody(request);
  const { requestIdleMs } = gateway.limits;
  const stopWatching = isUpload ? watchUpload(request, requestIdleMs, () => abort(tooSlow(requestIdleMs))) : undefined;
  try {
    const answer = await sendUpstream({
      dispatcher: gateway.connections.for(base.origin),
      origin: base.origin,
      path: joinPath(base, path),
      method: request.method ?? 'GET',
      headers,
      body: isUpload ? request : null,
      signal: incoming.signal,
    });
    gateway.metrics.countRequest('pass', answer.status);
    const own: HeaderList = leftAlone === undefined ? [] : ownHeaders(leftAlone);
    await reply(response, answer, { headers: own, stallMs: gateway.limits.clientStallMs });
  } finally {
    stopWatching?.();
  }
}

function ownHeaders(leftAlone: string): HeaderList {
  return reportHeaders({ sessionKey: '', leftAlone, calls: 1 }).filter(([name]) => name === 'x-ullage-outcome');
}
