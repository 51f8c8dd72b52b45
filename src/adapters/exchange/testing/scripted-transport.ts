// A transport that answers from a script and remembers what it was sent. No socket: chunks are given one by one, as they are asked for.
import type { HeaderList, Transport, UpstreamRequest } from '../exchange.ts';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: HeaderList;
  /** Chunks in order; an error is thrown in its place, 'wait' waits for the end of the request. */
  readonly chunks: readonly (Uint8Array | string | Error | 'wait')[];
}

export interface Sent {
  readonly text: string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface ScriptedTransport {
  readonly transport: Transport;
  readonly sent: Sent[];
  /** Chunks that were asked for, over all calls. */
  readonly given: () => number;
  /** Calls whose body was ended before it was over. */
  readonly closedEarly: () => number;
}

const JSON_TYPE: HeaderList = [['content-type', 'application/json']];
const SSE_TYPE: HeaderList = [['content-type', 'text/event-stream; charset=utf-8']];

export function jsonAnswer(value: unknown, status = 200, headers: HeaderList = []): ScriptedAnswer {
  return { status, headers: [...JSON_TYPE, ...headers], chunks: [typeof value === 'string' ? value : JSON.stringify(value)] };
}

export function sseAnswer(chunks: ScriptedAnswer['chunks']): ScriptedAnswer {
  return { headers: SSE_TYPE, chunks };
}

/** The last answer is given again when the script is over. */
export function scriptedTransport(...answers: readonly (ScriptedAnswer | Error)[]): ScriptedTransport {
  const sent: Sent[] = [];
  let given = 0;
  let closedEarly = 0;
  async function* bodyOf({ chunks }: ScriptedAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let isOver = false;
    try {
      for (const chunk of chunks) {
        if (chunk instanceof Error) {
          isOver = true;
          throw chunk;
        }
        if (chunk === 'wait') await aborted(signal);
        given++;
        yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
      }
      isOver = true;
    } finally {
      if (!isOver) closedEarly++;
    }
  }
  const transport = async ({ body, signal }: UpstreamRequest) => {
    sent.push({ text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body), body, signal });
    const answer = answers[Math.min(sent.length, answers.length) - 1]!;
    if (answer instanceof Error) throw answer;
    return { status: answer.status ?? 200, headers: answer.headers ?? [], body: bodyOf(answer, signal) };
  };
  return { transport, sent, given: () => given, closedEarly: () => closedEarly };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** All chunks of a body. */
export async function chunksOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await chunksOf(body)).toString('utf8');
}
