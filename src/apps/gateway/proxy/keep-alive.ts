// Signs of life for a client that streams and waits for a compaction of ours, as its API sends them.
import type { ServerResponse } from 'node:http';
import type { HeaderList } from '../../../adapters/exchange/exchange.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import { scanMembers } from '../../../wire/json/members.ts';
import { skipSpace } from '../../../wire/json/scan.ts';
import { memberValue } from '../../../wire/member-value.ts';
import { eventText } from './event-text.ts';
import type { KeepAliveQueue } from './keep-alive-queue.ts';
import { flatHeaders } from './reply.ts';

export interface KeepAliveOptions {
  readonly api: Api;
  readonly response: ServerResponse;
  /** The client's body. */
  readonly body: Uint8Array;
  readonly queue: KeepAliveQueue;
  readonly clock: Clock;
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
  private model = '';
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
    response.write(signOfLife(api, { count: this.count++, model: this.model, atMs: this.options.clock.now() }));
    return true;
  };

  /** False for a client that waits for one whole answer. */
  private begin(): boolean {
    if (this.hasBegun) return true;
    const { response, body } = this.options;
    const asked = response.headersSent ? undefined : askedFor(body);
    if (!asked?.isStream) return false;
    this.model = asked.model;
    response.writeHead(200, flatHeaders(STREAM_HEADERS));
    this.hasBegun = true;
    return true;
  }
}

/** undefined for a body that is no object. */
function askedFor(body: Uint8Array): { readonly isStream: boolean; readonly model: string } | undefined {
  try {
    const text = new TextDecoder().decode(body);
    const members = scanMembers(text, skipSpace(text, 0));
    const stream = members.get('stream');
    const isStream = stream !== undefined && text.slice(stream.start, stream.end) === 'true';
    return { isStream, model: String(memberValue(text, members.get('model'))) };
  } catch {
    return undefined;
  }
}

interface Sign {
  /** Of those before it. */
  readonly count: number;
  readonly model: string;
  readonly atMs: number;
}

function signOfLife(api: Api, { count, model, atMs }: Sign): string {
  if (api === 'anthropic') return 'event: ping\ndata: {"type":"ping"}\n\n';
  if (api === 'openai-chat') return ': ullage is compacting\n\n';
  const created = { id: 'resp_ullage_waiting', object: 'response', created_at: Math.floor(atMs / 1000), model };
  const response = { ...created, status: 'in_progress', output: [] };
  const event = (type: string, number: number) => eventText(type, { type, sequence_number: number, response });
  // OpenAI's SDKs take no other event as the first; the AI SDK wants a model and a time in it.
  return count === 0 ? event('response.created', 0) + event('response.in_progress', 1) : event('response.in_progress', count + 1);
}
