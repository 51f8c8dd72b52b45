// Connections to the upstreams: kept alive, with time limits; by way of a proxy where one is set.
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { type GatewayLimits, isLoopback } from '../options.ts';

/** URLs of HTTP proxies, as in the usual environment variables. */
export interface ProxyAddresses {
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are called directly, separated by commas. */
  readonly none?: string;
}

export interface Connections {
  /** The one for this origin. */
  for(origin: string): Dispatcher;
  close(): Promise<void>;
}

/** How long an idle connection is kept: well below the minute after which servers close theirs. */
const KEEP_ALIVE_MS = 20_000;

export function createConnections(
  limits: Pick<GatewayLimits, 'connectMs' | 'upstreamHeadMs' | 'upstreamIdleMs'>,
  proxies: ProxyAddresses = {},
): Connections {
  const options: Agent.Options = {
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.upstreamHeadMs,
    bodyTimeout: limits.upstreamIdleMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    allowH2: false,
  };
  const direct = new Agent(options);
  const isProxied = proxies.http !== undefined || proxies.https !== undefined;
  const proxied = isProxied
    ? new EnvHttpProxyAgent({ ...options, httpProxy: proxies.http, httpsProxy: proxies.https, noProxy: proxies.none ?? '' })
    : undefined;
  return {
    for: (origin) => (proxied && !isLoopback(new URL(origin).hostname) ? proxied : direct),
    async close() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}
