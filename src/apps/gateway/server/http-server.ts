// The listening socket: limits of heads and connections, and what is told to what is no HTTP request of ours.
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { UllageError } from '../../../core/errors.ts';
import { type FaultCode, faultBody } from '../fault.ts';
import type { GatewayLimits } from '../options.ts';

export function createHttpServer(limits: Pick<GatewayLimits, 'maxHeaderBytes' | 'requestIdleMs'>): Server {
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestIdleMs,
    // Bodies are watched by their pauses: a large one may take long.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(limits.requestIdleMs, CHECK_MS),
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseMalformed(error.code, socket));
  return server;
}

const CHECK_MS = 5_000;
/** Longer than clients keep idle connections: they close first. */
const KEEP_ALIVE_MS = 75_000;

/** Resolves with the port. Throws option_invalid when the address cannot be had. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, port, host)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenError(cause: NodeJS.ErrnoException, port: number, host: string): UllageError {
  const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : `it cannot be listened on (${cause.code ?? cause.message})`;
  return new UllageError('option_invalid', `--port ${port} of ${host}: ${why}.`, {
    cause,
    hint: 'Name another port with --port; 0 takes any free one.',
  });
}

interface Refusal {
  readonly code: FaultCode;
  readonly message: string;
  readonly hint: string;
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { code: 'malformed_request', message: 'what came is not an HTTP request.', hint: 'Use http://, not https://, for this address.' },
  408: { code: 'body_too_slow', message: 'the head of the request came too slowly.', hint: 'Send it again.' },
  431: { code: 'header_too_large', message: 'the head of the request is too large.', hint: 'Send fewer or shorter headers.' },
};

function refuseMalformed(code: string | undefined, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuseSocket(socket, code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400);
}

/** Nothing is known of what was asked: the shape is that of our own API, which OpenAI's clients read as well. */
function refuseSocket(socket: Duplex, status: number): void {
  const body = JSON.stringify(faultBody(undefined, { status, ...REFUSALS[status]! }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => (socket as Socket).destroySoon?.());
}
