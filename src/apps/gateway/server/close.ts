// The end of a gateway: what is under way is finished within a time, and then ended.
import type { Server } from 'node:http';
import type { Store } from '../../../ports/store.ts';
import type { GatewayContext } from '../gateway-context.ts';
import type { InFlight } from './in-flight.ts';

export interface GatewayParts {
  readonly gateway: GatewayContext;
  readonly server: Server;
  readonly inFlight: InFlight;
  readonly tenants: readonly string[];
  /** Aborts when the end begins. */
  readonly closing: AbortController;
}

/** Compactions that nobody waits for any more are given this long, milliseconds; what is cut is taken up again after the next start. */
const ATTEMPTS_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** The first call ends in order, a second one meanwhile at once; both resolve when everything is closed. */
export function closerOf(parts: GatewayParts, store: Store): () => Promise<void> {
  const hurry = new AbortController();
  let ending: Promise<void> | undefined;
  return () => {
    if (ending) hurry.abort();
    ending ??= end(parts, store, hurry.signal);
    return ending;
  };
}

async function end({ gateway, server, inFlight, closing }: GatewayParts, store: Store, hurry: AbortSignal): Promise<void> {
  const { limits, clock, events, connections } = gateway;
  closing.abort();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const drained = new AbortController();
  const late = clock.wait(limits.shutdownMs, AbortSignal.any([hurry, drained.signal])).catch(() => undefined);
  await Promise.race([inFlight.drain(), late]);
  drained.abort();
  inFlight.abortAll();
  for (let waitedMs = 0; events.underWay > 0 && waitedMs < ATTEMPTS_MS && !hurry.aborted; waitedMs += LOOK_EVERY_MS)
    await clock.wait(LOOK_EVERY_MS, hurry).catch(() => undefined);
  server.closeAllConnections();
  await closed;
  await connections.close();
  await store.close();
}
