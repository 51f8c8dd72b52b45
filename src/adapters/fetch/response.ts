// An exchange's result as a Response whose body flows as it is asked for.
import type { ExchangeResult, UpstreamResponse } from '../exchange/exchange.ts';
import { OWN_PREFIX, reportHeaders } from '../exchange/report-headers.ts';

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Headers of a body that the fetch below has decoded. */
const CODED = new Set(['content-encoding', 'content-length', 'transfer-encoding']);

/** What the fetch below answered, as an exchange reads it. */
export function upstreamResponseOf(response: Response): UpstreamResponse {
  const isCoded = response.headers.has('content-encoding');
  const headers = [...response.headers].filter(([name]) => !(isCoded && CODED.has(name)) && !name.startsWith(OWN_PREFIX));
  return { status: response.status, headers, body: response.body ?? nothing() };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** `last` is the response whose bytes these are. */
export function responseOf({ response, report }: ExchangeResult, last: Response | undefined): Response {
  const headers = new Headers(response.headers.map(([name, value]): [string, string] => [name, value]));
  for (const [name, value] of reportHeaders(report)) headers.set(name, value);
  const body = BODILESS.has(response.status) ? null : flowing(response.body);
  const built = new Response(body, { status: response.status, statusText: last?.statusText, headers });
  // SDKs log it; a Response that is built has none.
  for (const name of ['url', 'redirected'] as const) if (last) Object.defineProperty(built, name, { value: last[name] });
  return built;
}

/** One chunk for each that comes, none before it is asked for. */
function flowing(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
