// Answers a request with an error in the shape of the API that was called, also when its body is still coming.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { faultBody, type ToldFault } from '../fault.ts';
import { flatHeaders } from './reply.ts';

/** How long the rest of a refused body is taken in, milliseconds: a client that is still sending reads the answer only after that. */
const LINGER_MS = 2_000;

/** `api` undefined: our own API's shape. A response that has begun is cut. */
export function refuse(
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  api: Api | undefined,
  fault: ToldFault,
): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(faultBody(api, fault)));
  const isWhole = request.complete;
  const headers: HeaderList = [
    ['content-type', 'application/json; charset=utf-8'],
    ['content-length', String(body.byteLength)],
    ...(fault.retryAfterS === undefined ? [] : [['retry-after', String(fault.retryAfterS)] as const]),
    ...(isWhole ? [] : [['connection', 'close'] as const]),
  ];
  response.writeHead(fault.status, flatHeaders(headers));
  response.write(body);
  if (isWhole) {
    response.end();
    return;
  }
  const timer = setTimeout(() => response.end(), LINGER_MS);
  response.on('close', () => clearTimeout(timer));
  request.on('end', () => response.end()).resume();
}
