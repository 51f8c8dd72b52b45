// What a gateway refuses or cannot do: status, code, one sentence, the next step; told in the shape of the API that was called.
import { UllageError } from '../../core/errors.ts';
import type { Api } from '../../core/transcript/entry.ts';

/** Codes are stable; texts are not. */
export type FaultCode =
  | 'bad_path'
  | 'body_too_large'
  | 'body_too_slow'
  | 'forbidden_host'
  | 'forbidden_origin'
  | 'header_too_large'
  | 'json_required'
  | 'malformed_request'
  | 'not_found'
  | 'overloaded'
  | 'shutting_down'
  | 'token_required'
  | 'upgrade_refused'
  | 'upstream_timeout'
  | 'upstream_unreachable';

/** Thrown on the way of a request; never holds what the request said. */
export class GatewayFault extends Error {
  readonly status: number;
  readonly code: FaultCode;
  readonly hint: string;
  /** Seconds after which it may be tried again. */
  readonly retryAfterS?: number;

  constructor(code: FaultCode, told: { status: number; message: string; hint: string; retryAfterS?: number; cause?: unknown }) {
    super(told.message, told.cause === undefined ? undefined : { cause: told.cause });
    this.name = 'GatewayFault';
    this.code = code;
    this.status = told.status;
    this.hint = told.hint;
    this.retryAfterS = told.retryAfterS;
  }
}

/** What a person or program is told of any error. */
export interface ToldFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly retryAfterS?: number;
}

/** A fault of ours is told as one, without its inner workings. */
export function toldFault(error: unknown): ToldFault {
  if (error instanceof GatewayFault) {
    const { status, code, message, hint, retryAfterS } = error;
    return { status, code, message, hint, retryAfterS };
  }
  const known = UllageError.is(error) ? error : new UllageError('internal', 'The gateway failed on this request; its log says where.');
  const { status, code, message, hint, retryable } = known;
  return { status, code, message, hint, retryAfterS: retryable ? RETRY_AFTER_S : undefined };
}

/** When nothing better is known, seconds. */
export const RETRY_AFTER_S = 2;

/** The error as a body of this API; of our own API when there is none. */
export function faultBody(api: Api | undefined, fault: ToldFault): Record<string, unknown> {
  const { code, hint } = fault;
  const message = `ullage: ${fault.message}`;
  if (api === undefined) return { error: { code, message: fault.message, hint } };
  if (api === 'anthropic') return { type: 'error', error: { type: anthropicType(fault.status), message: `${message} ${hint}` } };
  const type = fault.status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: `${message} ${hint}`, type, param: null, code } };
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  503: 'overloaded_error',
  504: 'timeout_error',
};

function anthropicType(status: number): string {
  return ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}
