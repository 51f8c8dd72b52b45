// Why there is no answer, for the person who waits for one; and what the turn may do about it.
import { UllageError } from '../../../index.ts';

export interface Failure {
  /** A sentence for people. */
  readonly text: string;
  /** The same call may succeed later. */
  readonly isPassing: boolean;
  /** The provider refuses what is in the request; its words. */
  readonly refusal?: string;
  /** They speak of pictures. */
  readonly isAboutImages?: boolean;
  /** The provider's own wish, milliseconds. */
  readonly retryAfterMs?: number;
  /** The conversation cannot go on as it is; the cause, as the end of a sentence. */
  readonly exhaustion?: string;
}

interface CallError {
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly message: string;
}

const EXHAUSTION: Readonly<Record<string, string>> = {
  context_window_exceeded: 'it is longer than the window of the model, and nothing more can be compacted',
  payload_too_large: 'it has more bytes than the provider takes, and nothing more can be left out',
};

/** `redact` takes secrets out of what a provider says. */
export function describeFailure(error: unknown, redact: (text: string) => string): Failure {
  if (UllageError.is(error)) return describeOwn(error, redact);
  if (!(error instanceof Error)) {
    const said = redact(firstLine(eventText(error)));
    return { text: `The model broke its answer off: ${said}`, isPassing: true, ...refusalOfImages(said) };
  }
  const call = callErrorOf(error);
  if (call === undefined) return { text: `The model could not be asked: ${redact(firstLine(error))}.`, isPassing: isNetwork(error) };
  const { statusCode, isRetryable, responseHeaders, message } = call;
  const said = redact(firstLine(message));
  if (statusCode === undefined) return { text: 'The model cannot be reached at the moment.', isPassing: true };
  if (statusCode === 401 || statusCode === 403)
    return { text: `The provider refuses the key of this bot (${statusCode}). Its operator has to look at it.`, isPassing: false };
  if (statusCode === 429)
    return { text: 'The provider takes no more requests at the moment.', isPassing: true, retryAfterMs: retryAfter(responseHeaders) };
  if (statusCode >= 500 || isRetryable)
    return {
      text: `The model is not available at the moment (${statusCode}).`,
      isPassing: true,
      retryAfterMs: retryAfter(responseHeaders),
      ...refusalOfImages(said),
    };
  return { text: `The provider refuses the request (${statusCode}): ${said}`, isPassing: false, refusal: said, ...refusalOfImages(said) };
}

const IMAGE_WORDS = /\b(?:images?|multi-?modal|vision|mmproj)\b/i;

/** Some servers of models without eyes call it a fault of their own. */
function refusalOfImages(said: string): Pick<Failure, 'refusal' | 'isAboutImages'> {
  return IMAGE_WORDS.test(said) ? { refusal: said, isAboutImages: true } : {};
}

function describeOwn(error: UllageError, redact: (text: string) => string): Failure {
  const exhaustion = EXHAUSTION[error.code];
  if (exhaustion !== undefined) return { text: `The conversation cannot go on: ${exhaustion}.`, isPassing: false, exhaustion };
  switch (error.code) {
    case 'floor_exceeds_window':
      // A continuation has the same system prompt, tools and pins: it would not fit either.
      return { text: `What cannot be compacted does not fit the window of the model. ${redact(error.message)}`, isPassing: false };
    case 'compaction_deferred':
      return { text: 'The conversation is being compacted elsewhere; it stays as it is.', isPassing: true };
    case 'store_unavailable':
      return { text: 'The store of this bot cannot be reached at the moment.', isPassing: true };
    default:
      return { text: redact(error.message), isPassing: error.retryable };
  }
}

/** An error that came as an event of the stream, in the provider's own shape: at its beginning or in the middle it is no refusal. */
function eventText(event: unknown): string {
  if (typeof event !== 'object' || event === null) return String(event);
  const { message, error } = event as { readonly message?: unknown; readonly error?: unknown };
  if (typeof message === 'string') return message;
  return error === undefined ? JSON.stringify(event) : eventText(error);
}

/** Errors of the SDK are known by their members: another copy of it may be installed. */
function callErrorOf(error: unknown): CallError | undefined {
  if (!(error instanceof Error) || error.name !== 'AI_APICallError') return undefined;
  return error as unknown as CallError;
}

function isNetwork(error: unknown): boolean {
  return error instanceof TypeError || typeof (error as NodeJS.ErrnoException | undefined)?.code === 'string';
}

const LONGEST_QUOTE_CHARS = 300;

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.slice(0, LONGEST_QUOTE_CHARS).toWellFormed();
}

function retryAfter(headers: CallError['responseHeaders']): number | undefined {
  const seconds = Number(headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : undefined;
}
