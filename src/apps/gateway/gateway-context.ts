// What every request of a gateway is given.
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from './metrics.ts';
import type { GatewayLimits } from './options.ts';
import type { KeepAliveQueue } from './proxy/keep-alive-queue.ts';
import type { Slots } from './proxy/slots.ts';
import type { UpstreamName } from './route.ts';
import type { CompactionEvents } from './sessions/compaction-events.ts';
import type { SessionPool } from './sessions/session-pool.ts';
import type { StoreState } from './sessions/store-state.ts';
import type { RequestScope } from './summary/request-scope.ts';
import type { BaseUrl } from './upstream/base-url.ts';
import type { Connections } from './upstream/dispatcher.ts';

export interface GatewayContext {
  readonly limits: GatewayLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly upstreams: Readonly<Record<UpstreamName, BaseUrl>>;
  readonly connections: Connections;
  readonly slots: Slots;
  readonly keepAlives: KeepAliveQueue;
  readonly pool: SessionPool;
  readonly events: CompactionEvents;
  readonly storeState: StoreState;
  readonly metrics: Metrics;
  /** The request that a summary may be billed to. */
  readonly scope: RequestScope;
}
