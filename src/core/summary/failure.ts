// Names the failure of a summarizer call by the structure of its error: name, status, code. Never by its wording.

export type SummarizerFailure = 'timeout' | 'rate' | 'auth' | 'overflow' | 'refusal' | 'empty' | 'truncated' | 'network' | 'other';

const BY_STATUS: Readonly<Record<number, SummarizerFailure>> = {
  401: 'auth',
  402: 'auth',
  403: 'auth',
  408: 'timeout',
  413: 'overflow',
  429: 'rate',
  500: 'network',
  502: 'network',
  503: 'rate',
  504: 'timeout',
  529: 'rate',
};

const BY_NAME: Readonly<Record<string, SummarizerFailure>> = {
  AbortError: 'timeout',
  TimeoutError: 'timeout',
  APIConnectionTimeoutError: 'timeout',
  APIUserAbortError: 'timeout',
  APIConnectionError: 'network',
  FetchError: 'network',
  RateLimitError: 'rate',
  AuthenticationError: 'auth',
  PermissionDeniedError: 'auth',
  PermissionError: 'auth',
};

const BY_CODE: Readonly<Record<string, SummarizerFailure>> = {
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ECONNREFUSED: 'network',
  ECONNRESET: 'network',
  ENOTFOUND: 'network',
  EAI_AGAIN: 'network',
  EPIPE: 'network',
  EHOSTUNREACH: 'network',
  ENETUNREACH: 'network',
  UND_ERR_SOCKET: 'network',
  rate_limit_exceeded: 'rate',
  rate_limit_error: 'rate',
  overloaded_error: 'rate',
  insufficient_quota: 'rate',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  context_length_exceeded: 'overflow',
  context_window_exceeded: 'overflow',
  request_too_large: 'overflow',
  content_filter: 'refusal',
  content_policy_violation: 'refusal',
  refusal: 'refusal',
  empty: 'empty',
  truncated: 'truncated',
};

const DEEPEST_CAUSE = 5;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function lookUp(table: Readonly<Record<string, SummarizerFailure>>, key: unknown): SummarizerFailure | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The class that one error object says by itself. */
function ownFailure(error: Fields): SummarizerFailure | undefined {
  const body = fieldsOf(error.error);
  const inner = fieldsOf(body?.error) ?? body;
  for (const key of [error.code, error.type, error.reason, inner?.code, inner?.type]) {
    const known = lookUp(BY_CODE, key);
    if (known !== undefined) return known;
  }
  for (const status of [error.status, error.statusCode, fieldsOf(error.response)?.status]) {
    if (typeof status === 'number' && BY_STATUS[status] !== undefined) return BY_STATUS[status];
  }
  return lookUp(BY_NAME, error.name);
}

/** The class of a failed call. Looks through causes, so that a wrapped network error is one. */
export function classifySummarizerFailure(error: unknown): SummarizerFailure {
  let current: unknown = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
    const fields = fieldsOf(current);
    if (fields === undefined) break;
    const known = ownFailure(fields);
    if (known !== undefined) return known;
    current = fields.cause;
  }
  return 'other';
}
