// A gateway: put together, listening, and ended in order. The programmatic door of `ullage serve` and `ullage run`.
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { systemClock } from '../../adapters/system/index.ts';
import type { Log } from '../../ports/log.ts';
import { createAccess } from './access/access.ts';
import type { GatewayContext } from './gateway-context.ts';
import { createMetrics } from './metrics.ts';
import {
  checkListening,
  completeLimits,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DEFAULT_UPSTREAM_ANTHROPIC,
  DEFAULT_UPSTREAM_OPENAI,
  type GatewayOptions,
  isLoopback,
  UPSTREAM_CHATGPT,
} from './options.ts';
import { createOwnApi, type OwnApiOptions } from './own-api/own-api.ts';
import { createKeepAliveQueue } from './proxy/keep-alive-queue.ts';
import { Slots } from './proxy/slots.ts';
import { tellFault } from './proxy/tell-fault.ts';
import { keepRetention } from './retention.ts';
import { closerOf, type GatewayParts } from './server/close.ts';
import { handleRequest, type RequestHandling } from './server/handle-request.ts';
import { createHttpServer, listen } from './server/http-server.ts';
import { InFlight } from './server/in-flight.ts';
import { CompactionEvents, type CompactionTotals, EVERY_TENANT } from './sessions/compaction-events.ts';
import { SessionPool } from './sessions/session-pool.ts';
import { createStoreState } from './sessions/store-state.ts';
import { createRequestScope, NO_SCOPE } from './summary/request-scope.ts';
import { parseSummarizer, usesRequest } from './summary/summarizer.ts';
import { parseBaseUrl } from './upstream/base-url.ts';
import { createConnections } from './upstream/dispatcher.ts';

/** Since the start. */
export interface GatewayTotals extends CompactionTotals {
  /** Requests of model APIs and others that were passed on. */
  readonly requests: number;
}

/** A gateway that listens. */
export interface Gateway {
  /** Without a slash at its end, such as http://127.0.0.1:4747. */
  readonly url: string;
  readonly port: number;
  totals(): GatewayTotals;
  /** Takes no more requests, lets those under way end (at most `limits.shutdownMs`), and closes the store. Again: ends at once. */
  close(): Promise<void>;
}

/**
 * Starts a gateway. Throws option_invalid, and what opening the store throws (store_unavailable, store_corrupt, store_newer): then nothing listens.
 */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { store, port = DEFAULT_PORT, retentionMs } = options;
  const host = bare(options.host ?? DEFAULT_HOST);
  const parts = partsOf(options);
  await store.open();
  const boundPort = await listen(parts.server, port, host).catch(async (error: unknown) => {
    await Promise.all([parts.gateway.connections.close(), store.close()]);
    throw error;
  });
  const { gateway, server, inFlight, tenants, closing } = parts;
  // Such as too many open files: those that are connected go on.
  server.on('error', (error) => gateway.log.write('error', 'A connection could not be taken.', { error: error.message }));
  if (retentionMs !== undefined) void keepRetention({ ...gateway, store, tenants, retentionMs, signal: closing.signal });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    totals: () => ({ requests: inFlight.total, ...gateway.events.totals }),
    close: closerOf(parts, store),
  };
}

/** An IPv6 address as URLs have it, without its brackets. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Everything but the listening. Throws option_invalid. */
function partsOf(options: GatewayOptions): GatewayParts {
  checkListening(options);
  const closing = new AbortController();
  const gateway = contextOf(options, closing.signal);
  const { inFlight } = gateway;
  const access = createAccess({
    tokens: options.tokens ?? [],
    hosts: options.allowedHosts ?? [],
    origins: options.allowedOrigins ?? [],
    isPublic: !isLoopback(options.host ?? DEFAULT_HOST),
  });
  const onError = (error: unknown) => void tellFault(gateway, error);
  const own = ownListener({ ...gateway, store: options.store, closing: closing.signal, onError });
  const server = createHttpServer(gateway.limits);
  server.on('request', (request, response) => void handleRequest({ gateway, access, inFlight, own }, request, response));
  return { gateway, server, inFlight, tenants: access.tenants, closing };
}

function contextOf(options: GatewayOptions, closing: AbortSignal): GatewayContext & { readonly inFlight: InFlight } {
  const { store, clock = systemClock, log = SILENT } = options;
  const limits = completeLimits(options.limits);
  const upstreams = {
    openai: parseBaseUrl('--upstream-openai', options.upstreamOpenai ?? DEFAULT_UPSTREAM_OPENAI),
    anthropic: parseBaseUrl('--upstream-anthropic', options.upstreamAnthropic ?? DEFAULT_UPSTREAM_ANTHROPIC),
    chatgpt: parseBaseUrl('--upstream-openai', options.upstreamOpenai ?? UPSTREAM_CHATGPT),
  };
  const { summarizer: named = 'none', summarizerKey: key } = options;
  const scope = usesRequest(named) ? createRequestScope() : NO_SCOPE;
  const summarizer = parseSummarizer(named, { scope, key });
  const events = new CompactionEvents();
  const storeState = createStoreState(store, log);
  const pool = new SessionPool({
    store,
    limits,
    engine: { models: options.models, policy: options.policy, clock, log, summarizer },
    routeOf: (api) => upstreams[api === 'anthropic' ? 'anthropic' : 'openai'].text,
    onEngine: (tenant, ullage) => events.follow(tenant, ullage),
  });
  const inFlight = new InFlight(limits.maxInFlight);
  const metrics = createMetrics({
    inFlight: () => inFlight.count,
    sessions: () => pool.size,
    isStoreUp: () => storeState.fault === undefined,
  });
  events.listen(EVERY_TENANT, (event) => metrics.countEvent(event));
  const connections = createConnections(limits, options.proxies);
  const slots = new Slots(limits.maxLargeBodies, limits.requestIdleMs);
  const keepAlives = createKeepAliveQueue(clock, limits.keepAliveMs, closing);
  return { limits, clock, log, upstreams, connections, slots, keepAlives, pool, events, storeState, metrics, scope, inFlight };
}

const SILENT: Log = { write: () => {} };

/** Hono for our own API: the tenant was decided before. */
function ownListener(options: OwnApiOptions): RequestHandling['own'] {
  const app = createOwnApi(options);
  const tenants = new WeakMap<object, string>();
  const listener = getRequestListener((request, env) => app.fetch(request, { tenant: tenants.get((env as HttpBindings).incoming) ?? '' }), {
    overrideGlobalObjects: false,
  });
  return (request, response, tenant) => {
    tenants.set(request, tenant);
    return listener(request, response);
  };
}
