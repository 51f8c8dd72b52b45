// The end of a gateway: what is under way is finished within a time, and then ended.
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
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
const LOOK_EVERY_MS = 20;
/** For what is ended to tell its client, milliseconds. */
const LAST_WORDS_MS = 500;

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
  const { limits, events, connections } = gateway;
  closing.abort();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await within(inFlight.drain(), limits.shutdownMs, hurry);
  if (inFlight.count > 0) {
    inFlight.abortAll();
    await within(inFlight.drain(), LAST_WORDS_MS, new AbortController().signal);
  }
  for (let waitedMs = 0; events.underWay > 0 && waitedMs < ATTEMPTS_MS && !hurry.aborted; waitedMs += LOOK_EVERY_MS)
    await wait(LOOK_EVERY_MS);
  // Answers just written leave before their connections are closed.
  await wait(LOOK_EVERY_MS);
  server.closeAllConnections();
  await closed;
  await connections.close();
  await store.close();
}

/** Until it resolves, the time is over, or the signal aborts. */
async function within(work: Promise<void>, ms: number, hurry: AbortSignal): Promise<void> {
  const over = new AbortController();
  const late = wait(ms, undefined, { signal: AbortSignal.any([hurry, over.signal]) }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
}
