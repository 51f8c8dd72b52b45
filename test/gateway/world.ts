// Gateways, providers and plain upstreams of a test, all on loopback and all closed after it; and a client that sees bytes.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { createGateway, type Gateway } from '../../src/apps/gateway/gateway.ts';
import type { GatewayOptions } from '../../src/apps/gateway/options.ts';
import type { Log } from '../../src/ports/log.ts';
import { memoryStore, type StrictProvider, type StrictProviderOptions, strictProvider } from '../../src/testkit/index.ts';

export interface GatewayWorld {
  readonly gateway: Gateway;
  readonly lines: string[];
}

export interface PlainUpstream {
  readonly url: string;
  /** As they came: head line, headers, body. */
  readonly seen: {
    readonly method: string;
    readonly url: string;
    readonly rawHeaders: readonly string[];
    readonly body: Buffer;
    isAborted: boolean;
  }[];
}

export interface World {
  provider(options?: StrictProviderOptions): Promise<StrictProvider>;
  /** Answers as the function says, after the whole body was read. */
  plain(answer: (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) => void): Promise<PlainUpstream>;
  /** A socket that does as it is told. */
  socket(onConnection: (socket: net.Socket) => void): Promise<string>;
  start(upstream: string, options?: Partial<GatewayOptions>): Promise<GatewayWorld>;
}

/** To be called once in a test file. */
export function useWorld(): World {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    async provider(options = {}) {
      const provider = await strictProvider(options);
      closers.push(() => provider.close());
      return provider;
    },
    async plain(answer) {
      const seen: PlainUpstream['seen'] = [];
      const server = http.createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of request) chunks.push(chunk as Buffer);
        } catch {
          return;
        }
        const body = Buffer.concat(chunks);
        const entry = { method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders, body, isAborted: false };
        seen.push(entry);
        response.on('close', () => (entry.isAborted = !response.writableFinished));
        answer(request, response, body);
      });
      const url = await listening(server);
      closers.push(() => closed(server));
      return { url, seen };
    },
    async socket(onConnection) {
      const sockets = new Set<net.Socket>();
      const server = net.createServer((socket) => {
        sockets.add(socket.on('error', () => {}));
        onConnection(socket);
      });
      closers.push(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      });
      return listening(server);
    },
    async start(upstream, options = {}) {
      const lines: string[] = [];
      const log: Log = { write: (level, message, fields = {}) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`) };
      const gateway = await createGateway({
        store: memoryStore(),
        port: 0,
        upstreamOpenai: upstream,
        upstreamAnthropic: upstream,
        log,
        ...options,
        limits: { shutdownMs: 1_000, ...options.limits },
      });
      closers.push(() => gateway.close());
      return { gateway, lines };
    },
  };
}

async function listening(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: http.Server): Promise<unknown> {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return done;
}

export interface Sent {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  /** In the sizes in which they came. */
  readonly chunks: readonly Buffer[];
  readonly text: string;
  /** The connection ended inside the body. */
  readonly isCut: boolean;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** One request by node:http, without any of fetch's own headers. */
export function send(url: string, { method = 'POST', headers = {}, body }: SendOptions = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = http.request(url, { method, headers: { ...type, ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      const settle = (isCut: boolean) => {
        const { statusCode: status = 0, headers: got, rawHeaders } = response;
        resolve({ status, headers: got, rawHeaders, chunks, text: Buffer.concat(chunks).toString('utf8'), isCut });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => settle(false));
      response.on('error', () => settle(true));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Bytes out, all that comes back as text, until the other side closes. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

export function post(gateway: Gateway, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  return send(gateway.url + path, { body: typeof body === 'string' ? body : JSON.stringify(body), headers });
}

export async function get(gateway: Gateway, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
  return send(gateway.url + path, { method: 'GET', headers });
}
