// What the network threw on the way to an upstream, in words: which upstream, what happened, what to look at.
import { UllageError } from '../../../core/errors.ts';
import { GatewayFault, RETRY_AFTER_S } from '../fault.ts';

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** What undici's parser says has no code where the first bytes are wrong already. */
const NO_HTTP = 'HPE_INVALID';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved now',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it did not begin to answer in time',
  [NO_HTTP]: 'what it answers is no HTTP',
  UND_ERR_BODY_TIMEOUT: 'it paused too long inside its answer',
};

/** The code of a network error, also of the first of several (addresses that were tried). */
export function networkCode(error: unknown): string | undefined {
  const { code, name, errors } = (error ?? {}) as {
    readonly code?: unknown;
    readonly name?: unknown;
    readonly errors?: readonly unknown[];
  };
  if (typeof code === 'string') return code;
  if (name === 'HTTPParserError') return NO_HTTP;
  return errors?.length ? networkCode(errors[0]) : undefined;
}

/** For errors of the network alone; others are undefined. */
export function networkFault(error: unknown, upstream: string): GatewayFault | undefined {
  if (!(error instanceof Error) || error instanceof GatewayFault || UllageError.is(error)) return undefined;
  const code = networkCode(error);
  if (code === undefined) return undefined;
  const what = WORDS[code] ?? 'the connection failed';
  const isTimeout = TIMEOUTS.has(code);
  return new GatewayFault(isTimeout ? 'upstream_timeout' : 'upstream_unreachable', {
    status: isTimeout ? 504 : 502,
    message: `the upstream ${upstream} cannot be used: ${what} (${code}).`,
    hint: 'Check --upstream-openai or --upstream-anthropic, and the network.',
    retryAfterS: RETRY_AFTER_S,
    cause: error,
  });
}
