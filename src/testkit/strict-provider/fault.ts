// What a provider can be told to do wrong. Data only; faults.ts plays it.
import type { Api } from '../../core/transcript/entry.ts';

/**
 * Which requests a fault meets. A fault is played on requests for an answer that break no rule of their API; it comes before the limits of the model.
 */
export interface FaultTiming {
  /**
   * The n-th request for an answer (1 is the first; `ProviderRequest.number`), several of them, or `always`. Default: once, on the next request that no other fault
   * without `at` has taken; so a script without any `at` is played one fault per request, in order.
   */
  readonly at?: number | readonly number[] | 'always';
  /** Only requests of this API. */
  readonly api?: Api;
  /** Only requests with this model. */
  readonly model?: string;
}

/**
 * How an error reaches the client: as an HTTP status (the default, and what a request without `stream` always gets), as the first event of a
 * stream with status 200, or in such a stream after half of the answer.
 */
export interface FaultPlace {
  readonly as?: 'status' | 'first-event' | 'after-content';
}

/** The input is said to be over the window, whatever it has. */
export interface OverflowFault extends FaultPlace {
  readonly type: 'overflow';
  /** Print limit and size. Default true; the Responses API never does. */
  readonly numbers?: boolean;
  /** The limit to print, in tokens. Default: the model's window, or one less than the request has when it is under it. */
  readonly limitTokens?: number;
}

/** Input and asked output together are said to be over the window. */
export interface OutputCapFault extends FaultPlace {
  readonly type: 'output-cap';
  /** Output tokens that would still fit. Default: half of what was asked for. */
  readonly availableTokens?: number;
}

/** 413: too many bytes, with the API's words, or as a proxy in front of it without a body. */
export interface TooLargeFault {
  readonly type: 'too-large';
  /** Default `api`. */
  readonly body?: 'api' | 'none';
}

/** One request is over the tokens a minute allows: retrying unchanged never works. */
export interface RequestOverRateFault {
  readonly type: 'request-over-rate';
  /** Default 429 (OpenAI); Groq sends 413. */
  readonly status?: 429 | 413;
  /** Tokens per minute. Default: half of the request. */
  readonly limitTokens?: number;
}

/** 429: too many requests. */
export interface RateLimitFault extends FaultPlace {
  readonly type: 'rate-limit';
  /** Default 1; `null` sends no `retry-after`. */
  readonly retryAfterSeconds?: number | null;
}

/** The server failed, or is overloaded (Anthropic: 529). */
export interface ServerErrorFault extends FaultPlace {
  readonly type: 'server-error';
  /** Default 500. */
  readonly status?: number;
}

/** The credential is refused. */
export interface AuthFault {
  readonly type: 'auth';
  /** Default 401. */
  readonly status?: 401 | 403;
}

/** An image in the request is refused. */
export interface MediaFault {
  readonly type: 'media';
  /** Default `bytes`: over 5 MB; `pixels`: over 8000 on a side; `unreadable`. */
  readonly reason?: 'bytes' | 'pixels' | 'unreadable';
}

/** Anthropic's refusal of a thinking block that belongs to another conversation; a request without thinking is let through. */
export interface SignatureFault {
  readonly type: 'signature';
}

/** A gateway in front answers with a page. */
export interface HtmlFault {
  readonly type: 'html';
  /** Default 502. */
  readonly status?: number;
}

/** Any status, body and headers. */
export interface StatusFault {
  readonly type: 'status';
  readonly status: number;
  /** Sent as JSON; a string as it is. Default: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Silent truncation, as Ollama does it: what does not fit is dropped from the front, and the usage says `limitTokens`. */
export interface TruncateFault {
  readonly type: 'truncate';
  /** Default: the model's window. */
  readonly limitTokens?: number;
}

/** An answer with status 200 that says nothing. */
export interface EmptyFault {
  readonly type: 'empty';
  /** Default `answer`: a proper answer without content; `stream`: a stream without any event; `body`: no body at all. */
  readonly what?: 'answer' | 'stream' | 'body';
  /** Of an `answer`. Default `stop`; with `length` and an input near the window it is a hidden overflow. */
  readonly finishReason?: string;
}

/** Waits, measured by the provider's clock. */
export interface SlowFault {
  readonly type: 'slow';
  /** Before status and headers, in milliseconds. Default 0. */
  readonly headersMs?: number;
  /** Between headers and first byte of the body, in milliseconds. Default 0. */
  readonly firstByteMs?: number;
  /** Between two events of a stream, in milliseconds. Default 0. */
  readonly eventMs?: number;
}

/** The connection ends too early. */
export interface CutFault {
  readonly type: 'cut';
  /** Events sent before. Default: half of them. Of a whole body half of the bytes are sent. */
  readonly afterEvents?: number;
  /** Default `close`: the connection is closed in the middle; `end`: the stream ends properly, without its last events. */
  readonly how?: 'close' | 'end';
}

/** The connection is reset before a status is sent. */
export interface ResetFault {
  readonly type: 'reset';
}

/** Usage is not what it should be; the bill is not changed by it. */
export interface UsageFault {
  readonly type: 'usage';
  /**
   * `missing`: no such member; `null`; `zero`: all counts 0; `cumulative`: the sum over all answers so far, as some relays report it.
   */
  readonly usage: 'missing' | 'null' | 'zero' | 'cumulative';
}

/** One thing that goes wrong, and when. */
export type Fault = FaultTiming &
  (
    | OverflowFault
    | OutputCapFault
    | TooLargeFault
    | RequestOverRateFault
    | RateLimitFault
    | ServerErrorFault
    | AuthFault
    | MediaFault
    | SignatureFault
    | HtmlFault
    | StatusFault
    | TruncateFault
    | EmptyFault
    | SlowFault
    | CutFault
    | ResetFault
    | UsageFault
  );
