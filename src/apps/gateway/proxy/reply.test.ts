// Answers that node:http refuses to write.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import { reply } from './reply.ts';

test.each<[string, number, HeaderList]>([
  ['status', 99, []],
  ['header value', 200, [['x-odd', 'a\u0001b']]],
  ['header name', 200, [['x odd', 'a']]],
])('a %s that cannot be written is a 502 for the caller to tell, and the upstream’s body is closed', async (_, status, headers) => {
  let isClosed = false;
  const body: AsyncIterableIterator<Uint8Array> = {
    next: () => new Promise(() => {}),
    return: async () => {
      isClosed = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => body,
  };
  const seen: unknown[] = [];
  const server = createServer(async (_request, response) => {
    await reply(response, { status, headers, body }, { headers: [], stallMs: 1_000 }).catch((error: unknown) => seen.push(error));
    response.writeHead(502).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  expect(answer.status).toBe(502);
  expect(seen).toMatchObject([{ code: 'upstream_unreachable', status: 502 }]);
  expect(isClosed).toBe(true);
});
