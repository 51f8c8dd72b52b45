// One request to an upstream, and its answer as bytes. Bodies are not read here, and nothing is retried.
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { HeaderList, UpstreamResponse } from '../../../adapters/exchange/exchange.ts';
import { ByteQueue } from './byte-queue.ts';

export interface OutgoingRequest {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | Readable | null;
  readonly signal: AbortSignal;
}

const FIRST_FINAL_STATUS = 200;

/** Resolves with the head. Rejects with what the network threw, or the signal's reason; a cut body throws from its iteration. */
export function sendUpstream(request: OutgoingRequest): Promise<UpstreamResponse> {
  const { dispatcher, origin, path, method, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    let controller: Dispatcher.DispatchController | undefined;
    const abort = () => controller?.abort(asError(signal.reason));
    const bytes = new ByteQueue({
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      cancel: () => controller?.abort(new Error('The reader of the answer left.')),
    });
    const settle = (error?: unknown) => {
      signal.removeEventListener('abort', abort);
      bytes.close(error);
    };
    signal.addEventListener('abort', abort, { once: true });
    const options = { origin, path, method: method as Dispatcher.HttpMethod, headers: headers.flat() as string[], body };
    dispatcher.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) abort();
      },
      onResponseStart(started, status, parsed) {
        if (status < FIRST_FINAL_STATUS) return;
        resolve({ status, headers: headerList(started.rawHeaders, parsed), body: bytes });
      },
      onResponseData: (_, chunk) => bytes.push(chunk),
      onResponseEnd: () => settle(),
      onResponseError(_, error) {
        settle(error);
        reject(signal.aborted ? signal.reason : error);
      },
    });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Bytes of header values are one character each, as node:http writes them. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders'], parsed: ParsedHeaders): HeaderList {
  if (!Array.isArray(raw)) {
    return Object.entries(parsed).flatMap(([name, value = []]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, one]),
    );
  }
  const texts = raw.map((item) => (typeof item === 'string' ? item : item.toString('latin1')));
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < texts.length; index += 2) list.push([texts[index]!.toLowerCase(), texts[index + 1]!]);
  return list;
}
