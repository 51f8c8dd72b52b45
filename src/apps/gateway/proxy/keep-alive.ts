// Signs of life for a client that streams and waits for a compaction of ours, as its API sends them.
import type { ServerResponse } from 'node:http';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { scanMembers } from '../../../wire/json/members.ts';
import { skipSpace } from '../../../wire/json/scan.ts';
import { eventText } from './event-text.ts';
import type { KeepAliveQueue } from './keep-alive-queue.ts';
import { flatHeaders } from './reply.ts';

export interface KeepAliveOptions {
  readonly api: Api;
  readonly response: ServerResponse;
  /** The client's body. */
  readonly body: Uint8Array;
  readonly queue: KeepAliveQueue;
}

const STREAM_HEADERS: HeaderList = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  ['cache-control', 'no-cache'],
];

export class KeepAlive {
  /** The head is sent: what comes now is a part of a stream. */
  hasBegun = false;
  private readonly options: KeepAliveOptions;
  private count = 0;
  private isOver = false;

  constructor(options: KeepAliveOptions) {
    this.options = options;
  }

  /** For `onPhase` of an exchange. */
  phase(phase: 'ours' | 'upstream'): void {
    if (phase === 'upstream') this.options.queue.remove(this.sign);
    else if (!this.isOver) this.options.queue.add(this.sign);
  }

  /** The answer is written by someone else from now on: no sign comes any more, whatever is still told of phases. */
  end(): void {
    this.isOver = true;
    this.options.queue.remove(this.sign);
  }

  private readonly sign = (): boolean => {
    const { response, api } = this.options;
    if (this.isOver || response.destroyed || response.writableEnded || !this.begin()) return false;
    response.write(signOfLife(api, this.count++));
    return true;
  };

  /** False for a client that waits for one whole answer. */
  private begin(): boolean {
    if (this.hasBegun) return true;
    const { response, body } = this.options;
    if (response.headersSent || !asksForStream(body)) return false;
    response.writeHead(200, flatHeaders(STREAM_HEADERS));
    this.hasBegun = true;
    return true;
  }
}

function asksForStream(body: Uint8Array): boolean {
  try {
    const text = new TextDecoder().decode(body);
    const stream = scanMembers(text, skipSpace(text, 0)).get('stream');
    return stream !== undefined && text.slice(stream.start, stream.end) === 'true';
  } catch {
    return false;
  }
}

function signOfLife(api: Api, count: number): string {
  if (api === 'anthropic') return 'event: ping\ndata: {"type":"ping"}\n\n';
  if (api === 'openai-chat') return ': ullage is compacting\n\n';
  const response = { id: 'resp_ullage_waiting', object: 'response', status: 'in_progress', output: [] };
  const event = (type: string, number: number) => eventText(type, { type, sequence_number: number, response });
  // OpenAI's SDKs take no other event as the first.
  return count === 0 ? event('response.created', 0) + event('response.in_progress', 1) : event('response.in_progress', count + 1);
}
