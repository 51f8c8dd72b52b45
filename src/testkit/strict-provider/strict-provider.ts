// A local server that behaves as the three APIs do, and as badly as it is told to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bill, createAccount } from './bill.ts';
import { deliver } from './deliver.ts';
import { createGate, type HoldPoint } from './gate.ts';
import type { StrictProviderOptions } from './options.ts';
import { createPrefixCache } from './prefix-cache.ts';
import { tooManyBytes } from './refusal.ts';
import type { Reply } from './reply.ts';
import { createRequestLog, type OpenRequest, type ProviderRequest } from './request.ts';
import { compact, countTokens, listModels, notFound, type Response, refusalReply, respond, type World } from './respond.ts';
import { type Endpoint, routeOf } from './route.ts';
import { createScript } from './script.ts';
import { resolveSettings } from './settings.ts';
import { createUsageReport } from './usage-report.ts';

/** A running provider. */
export interface StrictProvider {
  /** `http://127.0.0.1:PORT`, without a path. OpenAI's SDKs want `${url}/v1`, Anthropic's want `url`; both are served with and without `/v1`. */
  readonly url: string;
  /** What was received, oldest first, within the limits of the options. */
  readonly requests: readonly ProviderRequest[];
  /** Tokens and cost of everything answered so far. */
  bill(): Bill;
  /**
   * From now on answers wait: before status and headers, between headers and first byte, or before each further event of a stream.
   * Default: `headers`. Replaces an earlier call; what waits already goes on waiting.
   */
  hold(...points: readonly HoldPoint[]): void;
  /** Lets the first `count` waiting answers go on to their next wait; without a number ends the hold and lets all of them go. */
  release(count?: number): void;
  /** Answers that wait at this moment. */
  readonly held: number;
  /** Resolves with the first kept request for which the test holds, now or when it comes; checked again when an answer begins to wait, and when it ends. */
  until(test: (request: ProviderRequest) => boolean): Promise<ProviderRequest>;
  /** Closes the server and every connection; what is being answered is cut. */
  close(): Promise<void>;
}

const DEFAULT_MAX_BODY_BYTES = 32 * 1_024 * 1_024;
const DEFAULT_MAX_REQUESTS = 1_000;
const DEFAULT_MAX_KEPT_BYTES = 256 * 1_024 * 1_024;

/**
 * Starts a provider on 127.0.0.1. It serves `POST /v1/chat/completions`, `/v1/responses`, `/v1/responses/compact`, `/v1/messages`,
 * `/v1/messages/count_tokens`, `GET /v1/models` and `HEAD /`, whole and streamed, and refuses with the words of the real APIs.
 *
 * Tokens are counted piece by piece (tool, system block, content block or message), each as compact JSON without cache markers, and added
 * up. Rejects with the error of the socket when the port cannot be had.
 *
 * @example
 * ```ts
 * const provider = await strictProvider({ window: 8_000, script: [{ type: 'overflow', at: 3 }] });
 * const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'any' });
 * // …
 * console.log(provider.bill().cost, provider.requests.length);
 * await provider.close();
 * ```
 */
export async function strictProvider(options: StrictProviderOptions = {}): Promise<StrictProvider> {
  const world = createWorld(options);
  const gate = createGate();
  const log = createRequestLog({
    maxRequests: options.maxRequests ?? DEFAULT_MAX_REQUESTS,
    maxTotalBytes: options.maxKeptBytes ?? DEFAULT_MAX_KEPT_BYTES,
  });
  const watchers = new Set<() => void>();
  const notify = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  const serve = async (message: IncomingMessage, socket: ServerResponse): Promise<void> => {
    const aborting = new AbortController();
    const endpoint = routeOf(message.method ?? '', message.url ?? '');
    const received = await readBody(message, options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
    if (received === 'gone') return;
    const bytes = received === 'too-large' ? new Uint8Array() : received;
    const request = log.add({ method: message.method ?? '', path: message.url ?? '', headers: message.headers, bytes, endpoint });
    socket.once('close', () => {
      if (request.end === undefined) request.end = 'aborted';
      aborting.abort();
      notify();
    });
    notify();
    const response =
      received === 'too-large'
        ? { reply: refusalReply(endpoint.api, tooManyBytes(endpoint.api), world.nextId()), faults: {} }
        : await responseTo(world, request, endpoint);
    const delivery = { clock: world.settings.clock, gate, request, socket, signal: aborting.signal };
    const delivered = deliver(response, delivery);
    notify();
    await delivered;
  };
  const server = createServer((message, socket) => {
    serve(message, socket).catch((error: unknown) => fail(socket, error));
  });
  server.requestTimeout = 0;
  await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: log.list,
    bill: world.account.bill,
    hold: (...points) => gate.hold(points.length === 0 ? ['headers'] : points),
    release: gate.release,
    get held() {
      return gate.waiting;
    },
    until: (test) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = log.list.find(test);
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function createWorld(options: StrictProviderOptions): World {
  let ids = 0;
  return {
    settings: resolveSettings(options),
    script: createScript(options.script),
    cache: createPrefixCache(),
    account: createAccount(),
    usage: createUsageReport(),
    nextId() {
      ids += 1;
      return String(ids).padStart(6, '0');
    },
  };
}

async function responseTo(world: World, request: OpenRequest, endpoint: Endpoint): Promise<Response> {
  if (endpoint.kind === 'generate') return respond(world, request);
  return { reply: otherReply(world, request, endpoint), faults: {} };
}

function otherReply(world: World, request: OpenRequest, { kind }: Endpoint): Reply {
  if (kind === 'count-tokens') return countTokens(world, request);
  if (kind === 'compact') return compact(world, request);
  if (kind === 'models') return listModels(world);
  const isProbe = request.method === 'HEAD' && request.path.split('?', 1)[0] === '/';
  return isProbe ? { status: 200, headers: {}, body: '' } : notFound(world, request);
}

/** A script or an answer function that throws: the test sees it as a 500 with its message. */
function fail(socket: ServerResponse, error: unknown): void {
  if (socket.headersSent) {
    socket.destroy();
    return;
  }
  const message = `strictProvider: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  socket.writeHead(500, { 'content-type': 'application/json' });
  socket.end(JSON.stringify({ type: 'error', error: { type: 'test_error', message } }));
}

async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | 'too-large' | 'gone'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Read on to the end: a client that is still sending would see a reset instead of the answer.
      if (size <= maxBytes) chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return size > maxBytes ? 'too-large' : Buffer.concat(chunks);
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
