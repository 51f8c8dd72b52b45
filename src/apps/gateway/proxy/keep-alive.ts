// Signs of life for a client that streams and waits for a compaction of ours, as its API sends them.
import type { ServerResponse } from 'node:http';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
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

  constructor(options: KeepAliveOptions) {
    this.options = options;
  }

  /** For `onPhase` of an exchange. */
  phase(phase: 'ours' | 'upstream'): void {
    if (phase === 'upstream') this.stop();
    else this.options.queue.add(this.sign);
  }

  stop(): void {
    this.options.queue.remove(this.sign);
  }

  private readonly sign = (): boolean => {
    const { response, api } = this.options;
    if (response.destroyed || !this.begin()) return false;
    response.write(signOfLife(api, this.count++));
    return true;
  };

  /** False for a client that waits for one whole answer. */
  private begin(): boolean {
    if (this.hasBegun) return true;
    if (!asksForStream(this.options.body)) return false;
    this.options.response.writeHead(200, flatHeaders(STREAM_HEADERS));
    this.hasBegun = true;
    return true;
  }
}

function asksForStream(body: Uint8Array): boolean {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof parsed === 'object' && parsed !== null && (parsed as { readonly stream?: unknown }).stream === true;
  } catch {
    return false;
  }
}

function signOfLife(api: Api, count: number): string {
  if (api === 'anthropic') return 'event: ping\ndata: {"type":"ping"}\n\n';
  if (api === 'openai-chat') return ': ullage is compacting\n\n';
  const response = { id: 'resp_ullage_waiting', object: 'response', status: 'in_progress', output: [] };
  return eventText('response.in_progress', { type: 'response.in_progress', sequence_number: count, response });
}
