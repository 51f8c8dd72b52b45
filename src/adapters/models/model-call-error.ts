// A call of a model that failed: status, code and class by structure, so that a path cools for the right reason. Never holds a credential.
import type { ErrorClass } from '../../core/provider-error.ts';
import { redactSecrets } from '../../core/summary/redact.ts';
import { classifyError } from '../../wire/errors/classify.ts';

/** The code that names a class to whoever reads errors by structure. */
const CODE_OF: Readonly<Partial<Record<ErrorClass['kind'], string>>> = {
  overflow: 'context_length_exceeded',
  'suspected-overflow': 'context_length_exceeded',
  payload: 'request_too_large',
  'single-request-over-rate': 'rate_limit_exceeded',
  rate: 'rate_limit_exceeded',
  auth: 'authentication_error',
  policy: 'content_filter',
};

const LONGEST_TEXT_CHARS = 300;

/** What a provider said, as it came. */
export interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface ErrorFacts {
  readonly status?: number;
  readonly code?: string;
  readonly usage?: unknown;
  readonly answer?: ProviderAnswer;
}

export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** What the provider counted before it failed, in its own form. */
  readonly usage: unknown;
  readonly #answer: ProviderAnswer | undefined;

  constructor(message: string, { status, code, usage, answer }: ErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.usage = usage;
    this.#answer = answer;
  }

  /** Private: it is judged here, and never printed with the error. */
  static answerOf(error: unknown): ProviderAnswer | undefined {
    return error instanceof ModelCallError ? error.#answer : undefined;
  }
}

/** The answer of a provider that is no answer. `place` is host and path. */
export interface RefusedCall extends ProviderAnswer {
  readonly place: string;
  readonly usage?: unknown;
  /** What the request was sent with: some servers repeat it. */
  readonly credentials: readonly string[];
}

export function errorOf({ place, status, body, usage, credentials }: RefusedCall): ModelCallError {
  const answer = { status, body };
  const found = classifyError({ error: answer });
  const told = credentials.reduce((rest, credential) => rest.replaceAll(credential, '[redacted:key]'), found.text);
  const text = redactSecrets(told).slice(0, LONGEST_TEXT_CHARS).toWellFormed();
  const code = CODE_OF[found.kind] ?? found.code;
  // A success that holds an error has no status of its own.
  return new ModelCallError(`${place} answered ${status}: ${text}`, { status: status < 400 ? undefined : status, code, usage, answer });
}
