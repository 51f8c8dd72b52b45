// One request of a model API: read, sent through its session, and answered with the upstream's own bytes.
import { bodyText } from '../../../adapters/exchange/body-text.ts';
import type { ExchangeReport, ExchangeResult, HeaderList, Transport, UpstreamResponse } from '../../../adapters/exchange/exchange.ts';
import { reportHeaders } from '../../../adapters/exchange/report-headers.ts';
import { runExchange, sendUntouched } from '../../../adapters/exchange/run-exchange.ts';
import { sessionKeyOf } from '../../../adapters/exchange/session-key.ts';
import { UllageError } from '../../../core/errors.ts';
import type { Session } from '../../../engine/session.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { ModelRoute } from '../route.ts';
import { type BaseUrl, joinPath } from '../upstream/base-url.ts';
import { pairsOf, requestHeaders } from '../upstream/headers.ts';
import { sendUpstream } from '../upstream/send.ts';
import { handlePass } from './handle-pass.ts';
import type { Incoming } from './incoming.ts';
import { KeepAlive } from './keep-alive.ts';
import { lateError } from './late-error.ts';
import { readBody } from './read-body.ts';
import { reply, writeBody } from './reply.ts';
import { tellFault } from './tell-fault.ts';

/** Throws what stands in the way; the caller tells it to the client. */
export async function handleModel(gateway: GatewayContext, incoming: Incoming, route: ModelRoute): Promise<void> {
  const encoding = incoming.request.headers['content-encoding'];
  // What is compressed is not read here: it goes through as it is.
  if (encoding !== undefined && encoding !== 'identity') return handlePass(gateway, incoming, { ...route, leftAlone: 'content_encoding' });
  const { request, response, signal } = incoming;
  const { bytes, release } = await readBody(request, { ...gateway.limits, slots: gateway.slots }, signal);
  const keepAlive = new KeepAlive({ api: route.api, response, body: bytes, queue: gateway.keepAlives, clock: gateway.clock });
  try {
    const result = await exchange(gateway, incoming, { route, body: bytes, keepAlive });
    keepAlive.end();
    release();
    await answer(gateway, incoming, { route, keepAlive, result });
  } catch (error) {
    keepAlive.end();
    if (!keepAlive.hasBegun || response.destroyed) throw error;
    response.end(lateError(route.api, tellFault(gateway, error, route.upstream)));
  } finally {
    release();
  }
}

interface Sent {
  readonly route: ModelRoute;
  readonly body: Uint8Array;
  readonly keepAlive: KeepAlive;
}

async function exchange(gateway: GatewayContext, incoming: Incoming, sent: Sent): Promise<ExchangeResult> {
  const { route, body, keepAlive } = sent;
  const { request, tenant, signal } = incoming;
  const { api } = route;
  const given = pairsOf(request.rawHeaders);
  const upstream = gateway.upstreams[route.upstream];
  const headers = requestHeaders(given, { isStreamedThrough: false });
  const transport = transportTo(gateway, { upstream, path: route.path, headers });
  const text = bodyText(body);
  const { key } = sessionKeyOf({ pathSession: route.pathSession, headers: given, body: text ?? body, api });
  keepAlive.phase('ours');
  const session = await openSession(gateway, { tenant, api, key }, body.byteLength);
  const onPhase = (phase: 'ours' | 'upstream') => keepAlive.phase(phase);
  const asked = { api, kind: route.exchange, body, text, signal, transport, onPhase, log: gateway.log };
  if ('fault' in session) return sendUntouched({ ...asked, sessionKey: key }, session.fault);
  const run = () => runExchange({ ...asked, session });
  return gateway.scope.run({ api, upstream, path: route.path, headers, body }, run);
}

/** With the store gone a request goes on without a session, and says so. */
async function openSession(
  gateway: GatewayContext,
  place: Parameters<GatewayContext['pool']['open']>[0],
  sizeBytes: number,
): Promise<Session | { readonly fault: string }> {
  try {
    return await gateway.pool.open(place, sizeBytes);
  } catch (error) {
    if (UllageError.is(error) && gateway.storeState.noteError(error)) return { fault: error.code };
    throw error;
  }
}

interface Destination {
  readonly upstream: BaseUrl;
  readonly path: string;
  readonly headers: HeaderList;
}

function transportTo({ connections }: GatewayContext, { upstream, path, headers }: Destination): Transport {
  const { origin } = upstream;
  const target = joinPath(upstream, path);
  return ({ body, signal }) =>
    sendUpstream({ dispatcher: connections.for(origin), origin, path: target, method: 'POST', headers, body, signal });
}

interface Given {
  readonly route: ModelRoute;
  readonly keepAlive: KeepAlive;
  readonly result: ExchangeResult;
}

async function answer(gateway: GatewayContext, incoming: Incoming, { route, keepAlive, result }: Given): Promise<void> {
  const { response, report } = result;
  note(gateway, report);
  const { stallMs, client } = { stallMs: gateway.limits.clientStallMs, client: incoming.response };
  gateway.metrics.countRequest(route.api, response.status);
  if (!keepAlive.hasBegun) return reply(client, response, { headers: reportHeaders(report), stallMs });
  if (canBeStream(response)) return writeBody(client, response.body, stallMs);
  client.end(lateError(route.api, { status: response.status, text: await textOf(response.body) }));
}

function note({ storeState, events }: GatewayContext, report: ExchangeReport): void {
  storeState.noteReport(report);
  if (report.outcome) events.settle(report.outcome.attemptId);
}

/** Some servers give their streams another type, or none. */
function canBeStream({ status, headers }: UpstreamResponse): boolean {
  return status < 400 && !headers.some(([name, value]) => name === 'content-type' && /json|html/i.test(value));
}

const ERROR_TEXT_BYTES = 1024 * 1024;

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes > ERROR_TEXT_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
