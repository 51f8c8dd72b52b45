// Which headers go on, either way: those of one connection, and our own, do not.
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import { OWN_PREFIX } from '../../../adapters/exchange/report-headers.ts';

/** Of one connection (RFC 9110, 7.6.1), and what the next hop writes itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

const WRITTEN_ANEW = new Set(['host', 'content-length', 'expect']);

/** Pairs of `rawHeaders` of node:http, names in lower case. */
export function pairsOf(raw: readonly string[]): HeaderList {
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index]!.toLowerCase(), raw[index + 1]!]);
  return list;
}

/** What goes upstream of a client's headers. Of a body that is streamed through, its length as well. */
export function requestHeaders(given: HeaderList, options: { readonly isStreamedThrough: boolean }): HeaderList {
  const dropped = namedByConnection(given);
  const kept = given.filter(([name]) => {
    if (options.isStreamedThrough && name === 'content-length') return true;
    return !HOP_BY_HOP.has(name) && !WRITTEN_ANEW.has(name) && !dropped.has(name) && !name.startsWith(OWN_PREFIX);
  });
  if (options.isStreamedThrough) return kept;
  // What we read must not be compressed.
  return [...kept.filter(([name]) => name !== 'accept-encoding'), ['accept-encoding', 'identity']];
}

/** What goes back to the client of an upstream's headers. */
export function responseHeaders(given: HeaderList): HeaderList {
  const dropped = namedByConnection(given);
  return given.filter(([name]) => !HOP_BY_HOP.has(name) && !dropped.has(name) && !name.startsWith(OWN_PREFIX));
}

const NONE: ReadonlySet<string> = new Set();

/** Nearly always it names nothing but how the connection goes on. */
function namedByConnection(headers: HeaderList): ReadonlySet<string> {
  const values = headers.filter(([name, value]) => name === 'connection' && value !== 'keep-alive' && value !== 'close');
  if (values.length === 0) return NONE;
  return new Set(values.flatMap(([, value]) => value.split(',')).map((name) => name.trim().toLowerCase()));
}
