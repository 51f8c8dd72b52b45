// The three forms in which an upstream answers, as `session.send` is given them. Each keeps the provider's exact bytes.
import { type ClosableBody, type ReadBytes, readBytes, replay } from './closable-body.ts';
import type { HeaderList, UpstreamResponse } from './exchange.ts';
import type { StreamItem } from './stream-items.ts';

/** A response whose body can be ended. */
export interface ClosableResponse extends UpstreamResponse {
  readonly body: ClosableBody;
}

/** Errors are short; of a longer one the rest is passed on unread. */
const ERROR_LIMIT_BYTES = 1024 * 1024;
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;

/** A status of 400 or more. Its message is empty: the provider's words are in `body`, and nothing of ours shall be read in their place. */
export class HttpFailure extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or as text. */
  readonly body: unknown;
  readonly response: ClosableResponse;

  constructor(response: ClosableResponse, body: unknown) {
    super('');
    this.status = response.status;
    this.headers = Object.fromEntries(response.headers);
    this.body = body;
    this.response = response;
  }
}

/** A response that came in one piece, or that is none of ours to read. */
export class WholeAnswer {
  /** Parsed JSON; undefined when it is none. */
  readonly body: unknown;
  readonly response: ClosableResponse;

  constructor(response: ClosableResponse, body: unknown) {
    this.response = response;
    this.body = body;
  }
}

/** A stream of events. `session.send` puts its own iteration in the place of this one. */
export class AnswerStream implements AsyncIterable<StreamItem> {
  readonly response: ClosableResponse;
  private readonly items: AsyncIterator<StreamItem>;

  constructor(response: ClosableResponse, items: AsyncIterator<StreamItem>) {
    this.response = response;
    this.items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamItem> {
    return this.items;
  }
}

export async function readFailure(response: ClosableResponse): Promise<HttpFailure> {
  const read = await readBytes(response.body, ERROR_LIMIT_BYTES);
  return new HttpFailure(replayed(response, read), parsedBody(response.headers, read));
}

export async function readWhole(response: ClosableResponse): Promise<WholeAnswer> {
  const read = await readBytes(response.body, ANSWER_LIMIT_BYTES);
  return new WholeAnswer(replayed(response, read), read.isWhole ? jsonOf(response.headers, read) : undefined);
}

function replayed(response: ClosableResponse, read: ReadBytes): ClosableResponse {
  const { status, headers } = response;
  return { status, headers, body: replay(read, response.body) };
}

function parsedBody(headers: HeaderList, read: ReadBytes): unknown {
  return jsonOf(headers, read) ?? textOf(headers, read);
}

function jsonOf(headers: HeaderList, read: ReadBytes): unknown {
  try {
    return JSON.parse(textOf(headers, read)) as unknown;
  } catch {
    return undefined;
  }
}

/** A body that is still encoded says nothing to us. */
function textOf(headers: HeaderList, { pieces, sizeBytes }: ReadBytes): string {
  if (isEncoded(headers)) return '';
  return new TextDecoder().decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, sizeBytes));
}

export function isEncoded(headers: HeaderList): boolean {
  const coding = headerOf(headers, 'content-encoding');
  return coding !== undefined && coding.trim() !== '' && coding.trim().toLowerCase() !== 'identity';
}

/** The first value of this name. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key === name)?.[1];
}
