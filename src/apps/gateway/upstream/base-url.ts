// The base URL of an upstream, and how a path of its API is joined to it.
import { UllageError } from '../../../core/errors.ts';

export interface BaseUrl {
  /** As a person named it, without a slash at its end; names the upstream in messages, and the route of what is learnt about its models. */
  readonly text: string;
  readonly origin: string;
  /** Without a slash at its end. */
  readonly path: string;
  /** With its question mark, or ''. */
  readonly query: string;
}

/** A version of an API as a part of a path (v1, v1beta, v4), or a server that is known to have none. */
const WHOLE_PATH = /\/v\d+[a-z0-9]*(?:\/|$)|\/backend-api\/codex$/;

/** Throws option_invalid for what is no HTTP URL, and for one that holds a password: it would be logged. */
export function parseBaseUrl(option: string, text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UllageError('option_invalid', `${option} ${JSON.stringify(text)}: expected a URL such as http://127.0.0.1:11434/v1.`);
  if (url.username !== '' || url.password !== '')
    throw new UllageError('option_invalid', `${option}: the URL holds a user name or password; clients send their own credentials.`);
  const path = url.pathname.replace(/\/+$/, '');
  return { text: `${url.origin}${path}`, origin: url.origin, path, query: url.search };
}

/** A base that holds a version is whole: the API's own `/v1` is left away. */
export function joinPath(base: BaseUrl, path: string): string {
  const rest = WHOLE_PATH.test(base.path) ? path.replace(/^\/v1(?=\/|\?|$)/, '') : path;
  const joined = `${base.path}${rest}`;
  if (base.query === '') return joined;
  return joined.includes('?') ? `${joined}&${base.query.slice(1)}` : `${joined}${base.query}`;
}
