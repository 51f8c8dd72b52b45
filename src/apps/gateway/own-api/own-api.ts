// Our own API, metrics and health. Who asks, and for which tenant, was decided before.
import { Hono } from 'hono';
import { faultBody, GatewayFault, RETRY_AFTER_S, toldFault } from '../fault.ts';
import type { Metrics } from '../metrics.ts';
import type { StoreState } from '../sessions/store-state.ts';
import type { OwnApiContext, OwnEnv } from './environment.ts';
import { liveEvents, MOST_LISTENERS } from './live-events.ts';
import { sessionRoutes } from './session-routes.ts';

export interface OwnApiOptions extends OwnApiContext {
  readonly metrics: Metrics;
  readonly storeState: StoreState;
  /** Told of what is a fault of ours. */
  readonly onError: (error: unknown) => void;
}

export function createOwnApi(options: OwnApiOptions): Hono<OwnEnv> {
  const { metrics, storeState, events, closing, onError } = options;
  const app = new Hono<OwnEnv>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const isStoreUp = await storeState.probe();
    const isReady = isStoreUp && !closing.aborted;
    return c.json(
      { status: isReady ? 'ok' : 'unavailable', store: isStoreUp ? 'ok' : 'unavailable', isClosing: closing.aborted },
      isReady ? 200 : 503,
    );
  });
  app.get('/metrics', async (c) => {
    const { text, contentType } = await metrics.render();
    return c.body(text, 200, { 'content-type': contentType });
  });
  app.get('/ullage/v1/events', (c) => {
    const { tenant } = c.env;
    if (events.countListeners(tenant) >= MOST_LISTENERS) throw tooManyListeners();
    return c.body(liveEvents(events, tenant, closing), 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  });
  app.route('/ullage/v1/sessions', sessionRoutes(options));
  app.notFound((c) => c.json(faultBody(undefined, toldFault(noSuchPath(c.req.path))), 404));
  app.onError((error, c) => {
    const told = toldFault(error);
    if (told.code === 'internal') onError(error);
    const headers = told.retryAfterS === undefined ? undefined : { 'retry-after': String(told.retryAfterS) };
    return c.json(faultBody(undefined, told), told.status as 400, headers);
  });
  return app;
}

function tooManyListeners(): GatewayFault {
  return new GatewayFault('overloaded', {
    status: 503,
    message: `${MOST_LISTENERS} readers listen to events already.`,
    hint: 'Close one of them.',
    retryAfterS: RETRY_AFTER_S,
  });
}

function noSuchPath(path: string): GatewayFault {
  return new GatewayFault('not_found', {
    status: 404,
    message: `there is no ${JSON.stringify(path.slice(0, 200))} here, or not by this method.`,
    hint: 'Sessions are under /ullage/v1/sessions.',
  });
}
