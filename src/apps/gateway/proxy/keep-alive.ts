// Signs of life for a client that streams and waits for a compaction of ours, as its API sends them.
import type { ServerResponse } from 'node:http';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import { eventText } from './event-text.ts';
import { flatHeaders } from './reply.ts';

export interface KeepAliveOptions {
  readonly api: Api;
  readonly response: ServerResponse;
  /** The client's body. */
  readonly body: Uint8Array;
  readonly clock: Clock;
  readonly everyMs: number;
}

const STREAM_HEADERS: HeaderList = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  ['cache-control', 'no-cache'],
];

export class KeepAlive {
  /** The head is sent: what comes now is a part of a stream. */
  hasBegun = false;
  private readonly options: KeepAliveOptions;
  private waiting: AbortController | undefined;
  private count = 0;

  constructor(options: KeepAliveOptions) {
    this.options = options;
  }

  /** For `onPhase` of an exchange. */
  phase(phase: 'ours' | 'upstream'): void {
    if (phase === 'upstream') this.stop();
    else if (!this.waiting) void this.run();
  }

  stop(): void {
    this.waiting?.abort();
    this.waiting = undefined;
  }

  private async run(): Promise<void> {
    const waiting = new AbortController();
    this.waiting = waiting;
    const { clock, everyMs, response } = this.options;
    for (;;) {
      await clock.wait(everyMs, waiting.signal).catch(() => undefined);
      if (waiting.signal.aborted || response.destroyed) return;
      if (!this.begin()) return;
      response.write(signOfLife(this.options.api, this.count++));
    }
  }

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
