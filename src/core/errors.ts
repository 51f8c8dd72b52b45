// The one error class and its catalogue. A message names the option or value, the limit, and the next step.

interface ErrorKind {
  /** HTTP status when the gateway reports it. */
  readonly status: number;
  /** Exit status of the command line. */
  readonly exitCode: number;
  /** True when the same call can succeed later without a change. */
  readonly retryable: boolean;
  /** What a person can do next. */
  readonly hint: string;
}

const kind = (status: number, exitCode: number, hint: string): ErrorKind => ({ status, exitCode, retryable: false, hint });
const passing = (status: number, exitCode: number, hint: string): ErrorKind => ({ status, exitCode, retryable: true, hint });

/** Every code of this project. A test pins the list: a code is never renamed. */
export const ERROR_CATALOGUE = {
  option_invalid: kind(400, 2, 'Correct the option named in the message.'),
  usage_invalid: kind(400, 2, 'See `ullage --help`.'),
  transcript_invalid: kind(400, 65, 'Check the file or body at the place named in the message.'),
  format_unknown: kind(400, 65, 'Name the format with --format, or pass a supported transcript.'),
  input_too_large: kind(413, 65, 'Split the input, or raise the limit named in the message.'),
  context_window_exceeded: kind(400, 78, 'Nothing more can be compacted: start a continuation or use a model with a larger window.'),
  floor_exceeds_window: kind(400, 78, 'Shorten the largest contributors named in the message; no compaction can.'),
  payload_too_large: kind(413, 78, 'Remove images or files from the request.'),
  message_limit_unreachable: kind(400, 75, 'Raise messageLimit: whole steps cannot be split further.'),
  output_cap: kind(400, 70, 'Lower the requested output tokens.'),
  compaction_deferred: passing(503, 75, 'Try again after the time in the outcome.'),
  provider_error: kind(502, 70, 'See the cause: it is the provider’s own error, unchanged.'),
  store_unavailable: passing(503, 69, 'Check that the database exists, is writable and is not held by another program.'),
  store_newer: kind(500, 69, 'Upgrade ullage: the database was written by a newer version.'),
  store_corrupt: kind(500, 69, 'Restore the database from a backup, or move it away to start anew.'),
  output_failed: kind(500, 70, 'Check the path, its permissions, and the room on the disk.'),
  operation_conflict: kind(409, 70, 'Use a new operation id for a different body.'),
  session_not_found: kind(404, 65, 'List the sessions with `ullage sessions list`.'),
  handle_not_found: kind(404, 65, 'Handles are printed by search and in compacted requests.'),
  not_stored: kind(404, 65, 'This store keeps no message texts (storage: none).'),
  pin_too_large: kind(400, 2, 'Shorten the pin, or remove another one.'),
  nothing_to_undo: kind(409, 65, 'There is no fold or prune in this conversation.'),
  cancelled: passing(499, 75, 'The caller’s signal ended the wait.'),
  internal: kind(500, 70, 'This is a fault in ullage: please report it.'),
} as const satisfies Record<string, ErrorKind>;

/** A code of {@link ERROR_CATALOGUE}. Codes are compared, texts are not. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

const BRAND = Symbol.for('ullage.error');

/**
 * Every error this package throws. Compare with {@link UllageError.is}, which also works across copies of the package.
 *
 * @example
 * ```ts
 * try { await session.pin('x'.repeat(100_000)); }
 * catch (error) { if (UllageError.is(error) && error.code === 'pin_too_large') console.error(error.hint); }
 * ```
 */
export class UllageError extends Error {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Exit status of the command line. */
  readonly exitCode: number;
  readonly retryable: boolean;
  readonly hint: string;
  /** Numbers and names behind the message, for programs. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; hint?: string; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const entry = ERROR_CATALOGUE[code];
    this.name = 'UllageError';
    this.code = code;
    this.status = entry.status;
    this.exitCode = entry.exitCode;
    this.retryable = entry.retryable;
    this.hint = options.hint ?? entry.hint;
    this.details = options.details ?? {};
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an error of this package, also one from another installed copy. */
  static is(value: unknown): value is UllageError {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true;
  }
}
