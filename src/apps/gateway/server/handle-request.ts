// One request from its head to its end: whom it asks, who may, whether there is room, and what is told when something stands in the way.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from '../../../core/transcript/entry.ts';
import type { Access } from '../access/access.ts';
import { GatewayFault, RETRY_AFTER_S } from '../fault.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { handleModel } from '../proxy/handle-model.ts';
import { handlePass } from '../proxy/handle-pass.ts';
import { refuse } from '../proxy/refuse.ts';
import { tellFault } from '../proxy/tell-fault.ts';
import { hasBody, watchUpload } from '../proxy/watch-upload.ts';
import { type Route, routeOf } from '../route.ts';
import { type InFlight, shuttingDown } from './in-flight.ts';

export interface RequestHandling {
  readonly gateway: GatewayContext;
  readonly access: Access;
  readonly inFlight: InFlight;
  /** Answers for our own API. */
  readonly own: (request: IncomingMessage, response: ServerResponse, tenant: string) => Promise<void>;
}

/** Health is asked by whoever watches the process, who has no token; it tells nothing of a session. */
const OPEN_PATH = /^\/(?:healthz|readyz)(?:\?|$)/;

/** Throws nothing. */
export async function handleRequest(handling: RequestHandling, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { gateway } = handling;
  // The request lets go of its socket when its body was read.
  const { method = 'GET', url = '/', headers, socket } = request;
  // What cannot be written any more is seen by 'close'; without a listener it would end the process.
  response.on('error', () => {});
  const route = routeOf({ method, target: url, headers });
  const api = apiOf(route);
  try {
    await dispatch(handling, route, { request, response });
  } catch (error) {
    // A client that left hears nothing any more.
    if (response.destroyed || socket.destroyed) return;
    const told = tellFault(gateway, error, 'upstream' in route ? route.upstream : undefined);
    if (api !== 'own') gateway.metrics.countRequest(route.kind === 'model' ? route.api : 'pass', told.status);
    refuse({ request, response }, api === 'own' ? undefined : api, told);
  }
}

/** The API whose shape an error takes. */
function apiOf(route: Route): Api | 'own' {
  if (route.kind === 'model') return route.api;
  if (route.kind === 'pass') return route.upstream === 'anthropic' ? 'anthropic' : 'openai-chat';
  return 'own';
}

interface Pair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function dispatch(handling: RequestHandling, route: Route, { request, response }: Pair): Promise<void> {
  const { gateway, access, inFlight } = handling;
  const isOwn = route.kind === 'own';
  const tenant = isOwn && OPEN_PATH.test(request.url ?? '') ? '' : access.tenantOf(request, isOwn);
  if (isOwn) return answerOwn(handling, { request, response }, tenant);
  if (route.kind === 'hello') return hello(response);
  if (route.kind === 'bad') throw badPath();
  if (request.headers.upgrade?.toLowerCase() === 'websocket') throw upgradeRefused();
  if ((request.headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') throw codingUnknown();
  const flight = inFlight.begin(request, response);
  if (flight === undefined) throw inFlight.isClosing ? shuttingDown() : overloaded(inFlight.limit);
  const { signal, abort } = flight;
  const incoming = { request, response, tenant, signal, abort };
  try {
    if (route.kind === 'pass') await handlePass(gateway, incoming, route);
    else await handleModel(gateway, incoming, route);
  } finally {
    flight.end();
  }
}

/** Its bodies are short: a client that stops inside one is cut off. */
async function answerOwn({ gateway, own }: RequestHandling, { request, response }: Pair, tenant: string): Promise<void> {
  const stopWatching = hasBody(request) ? watchUpload(request, gateway.limits.requestIdleMs, () => request.destroy()) : undefined;
  await own(request, response, tenant).finally(stopWatching);
}

/** Some clients look whether anybody is there before they ask. */
function hello(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"ullage":"ok"}');
}

function badPath(): GatewayFault {
  return new GatewayFault('bad_path', {
    status: 400,
    message: 'the path of the request cannot be read.',
    hint: 'A session in it is percent-encoded: /s/my%20session/v1/messages.',
  });
}

/** Clients that would rather speak over a WebSocket fall back to HTTP at once on this. Other upgrades (h2c) may be passed over. */
function upgradeRefused(): GatewayFault {
  return new GatewayFault('upgrade_refused', {
    status: 426,
    message: 'this gateway speaks HTTP alone, no WebSocket.',
    hint: 'Send the request by HTTP.',
  });
}

/** Such a coding ends here (it is of one connection), and passing its bytes on as the body would change what they say. */
function codingUnknown(): GatewayFault {
  return new GatewayFault('malformed_request', {
    status: 501,
    message: 'the transfer-encoding of the request is not known here.',
    hint: 'Send the body in chunks alone, and name a compression as content-encoding.',
  });
}

function overloaded(limit: number): GatewayFault {
  return new GatewayFault('overloaded', {
    status: 503,
    message: `${limit} requests are under way, the most that this gateway takes at once.`,
    hint: 'Try again shortly.',
    retryAfterS: RETRY_AFTER_S,
  });
}
