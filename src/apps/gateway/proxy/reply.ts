// Writes an answer to a client: bytes as they come, one write a chunk, waiting for a client that is slow, cutting where the upstream cut.
import type { ServerResponse } from 'node:http';
import type { HeaderList, UpstreamResponse } from '../../../adapters/exchange/exchange.ts';
import { GatewayFault } from '../fault.ts';
import { responseHeaders } from '../upstream/headers.ts';

export interface ReplyOptions {
  /** Ours, besides the upstream's. */
  readonly headers: HeaderList;
  /** Longest wait for a client to take what it was sent, milliseconds. */
  readonly stallMs: number;
}

/** Status, headers and body of the upstream. A body that is cut cuts the connection: the client sees what it would have seen without us. */
export async function reply(response: ServerResponse, answer: UpstreamResponse, options: ReplyOptions): Promise<void> {
  const { status, body } = answer;
  try {
    response.writeHead(status, flatHeaders([...responseHeaders(answer.headers), ...options.headers]));
  } catch (cause) {
    await body[Symbol.asyncIterator]().return?.();
    throw unwritable(cause);
  }
  await writeBody(response, body, options.stallMs);
}

/** Clients differ in what they take; what cannot be written at all is not passed on in part. */
function unwritable(cause: unknown): GatewayFault {
  return new GatewayFault('upstream_unreachable', {
    status: 502,
    message: 'the status or a header of the upstream\u2019s answer cannot be passed on by HTTP.',
    hint: 'Look at what the upstream answers, or at the proxy before it.',
    cause,
  });
}

/** Ends the response. The head must have been written. */
export async function writeBody(response: ServerResponse, body: AsyncIterable<Uint8Array>, stallMs: number): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  let isOver = false;
  // A head does not wait for a body that is slow to come.
  const flush = setImmediate(() => response.flushHeaders());
  try {
    for (;;) {
      const result = await iterator.next();
      clearImmediate(flush);
      if (result.done) {
        isOver = true;
        break;
      }
      if (response.destroyed) break;
      if (!response.write(result.value)) await drained(response, stallMs);
    }
  } catch {
    isOver = true;
    response.destroy();
  } finally {
    clearImmediate(flush);
    if (!isOver) await iterator.return?.();
  }
  if (!response.destroyed) response.end();
}

/** Resolves when the client took what was written, left, or was given up. */
function drained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), stallMs);
    response.on('drain', settle).on('close', settle);
  });
}

/** For writeHead: raw names and values, repeats kept. */
export function flatHeaders(headers: HeaderList): string[] {
  return headers.flat();
}
