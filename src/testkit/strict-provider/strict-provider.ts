// A local server that behaves as the three APIs do, and as badly as it is told to.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bill } from './bill.ts';
import { deliver } from './deliver.ts';
import { createGate, type HoldPoint } from './gate.ts';
import type { StrictProviderOptions } from './options.ts';
import { otherReply } from './other-endpoints.ts';
import { refusalReply, tooManyBytes } from './refusal.ts';
import { createRequestLog, type OpenRequest, type ProviderRequest } from './request.ts';
import { type Response, respond } from './respond.ts';
import { routeOf } from './route.ts';
import { createWatch } from './watch.ts';
import { createWorld, type World } from './world.ts';

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
  /**
   * Resolves with the first kept request for which the test holds. Looked at now, and whenever a request has come, an answer begins to wait, or an
   * answer ends; so `until(() => provider.held === 2)` waits for two held answers. Rejects when the provider is closed first.
   */
  until(test: (request: ProviderRequest) => boolean): Promise<ProviderRequest>;
  /** Closes the server and every connection; what is being answered is cut. */
  close(): Promise<void>;
}

const DEFAULT_MAX_BODY_BYTES = 32 * 1_024 * 1_024;
const DEFAULT_MAX_REQUESTS = 1_000;
const DEFAULT_MAX_KEPT_BYTES = 64 * 1_024 * 1_024;

/**
 * Starts a provider on 127.0.0.1. It serves `POST /v1/chat/completions`, `/v1/responses`, `/v1/responses/compact`, `/v1/messages`,
 * `/v1/messages/count_tokens`, `GET /v1/models` and `HEAD /`, whole and streamed, and refuses with the words of the real APIs.
 *
 * Tokens are counted piece by piece (tool, system block, content block or message), each as compact JSON without cache markers, and added
 * up. `context_management` edits that clear tool results or thinking are applied before that; a compaction's own sampling is not told in
 * `usage.iterations`. Rejects with the error of the socket when the port cannot be had.
 *
 * @example
 * ```ts
 * import OpenAI from 'openai';
 * import { strictProvider } from 'ullage/testkit';
 *
 * const provider = await strictProvider({ window: 8_000, script: [{ type: 'overflow', at: 3 }] });
 * const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'any' });
 * await client.chat.completions.create({ model: 'any', messages: [{ role: 'user', content: 'Hello.' }] });
 * console.log(provider.bill().cost, provider.requests.length);
 * await provider.close();
 * ```
 */
export async function strictProvider(options: StrictProviderOptions = {}): Promise<StrictProvider> {
  const world = createWorld(options);
  const watch = createWatch();
  const gate = createGate(watch.look);
  const log = createRequestLog({
    maxRequests: options.maxRequests ?? DEFAULT_MAX_REQUESTS,
    maxTotalBytes: options.maxKeptBytes ?? DEFAULT_MAX_KEPT_BYTES,
  });
  const serve = async (message: IncomingMessage, socket: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = message;
    const endpoint = routeOf(method, path);
    const received = await readBody(message, options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
    if (received === 'gone') return;
    const isTooLarge = received === 'too-large';
    const request = log.add({ method, path, headers, bytes: isTooLarge ? new Uint8Array() : received, endpoint });
    const signal = closing(request, socket, watch.look);
    watch.look();
    const response = isTooLarge ? tooLarge(world, request) : await responseTo(world, request);
    await deliver(response, { clock: world.settings.clock, gate, request, socket, signal, onWait: watch.look });
  };
  const server = createServer((message, socket) => {
    serve(message, socket).catch((error: unknown) => fail(socket, error));
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
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
    until: (test) => watch.until(() => log.list.find(test)),
    async close() {
      watch.end();
      if (!server.listening) return;
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      });
    },
  };
}

/** Longer than clients keep idle connections: one that is closed just when it is used again would be a fault nobody asked for. */
const KEEP_ALIVE_MS = 120_000;

function responseTo(world: World, request: OpenRequest): Promise<Response> {
  if (request.kind === 'generate') return respond(world, request);
  return Promise.resolve({ reply: otherReply(world, request), faults: {} });
}

function tooLarge(world: World, { api }: OpenRequest): Response {
  return { reply: refusalReply(api, tooManyBytes(api), world.nextId()), faults: {} };
}

/** A signal that aborts when the connection closes; how it ended is noted in the request. */
function closing(request: OpenRequest, socket: ServerResponse, onEnd: () => void): AbortSignal {
  const controller = new AbortController();
  socket.once('close', () => {
    request.end ??= 'aborted';
    controller.abort();
    onEnd();
  });
  return controller.signal;
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
