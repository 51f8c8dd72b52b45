// A stream of server-sent events, chunk by chunk: the bytes as they came, with the events that became whole with them.
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { ClosableBody } from './closable-body.ts';
import type { UsageCut } from './usage-cut.ts';

/** One chunk for whoever reads and for whoever passes it on. */
export class StreamItem {
  /** As received; empty when the chunk held nothing the caller is to see. */
  readonly bytes: Uint8Array;
  /** Parsed data of the events that end in this chunk. `[DONE]` is none. */
  readonly events: readonly unknown[];

  constructor(bytes: Uint8Array, events: readonly unknown[]) {
    this.bytes = bytes;
    this.events = events;
  }
}

const CR = 0x0d;
const CR_STEP_CHARS = 2_048;

/** Of one event; a longer one is passed on unread, and all behind it. */
const EVENT_LIMIT_CHARS = 64 * 1024 * 1024;

/** Reads events out of chunks that may end anywhere, also inside a character. */
export class EventReader {
  private readonly decoder = new TextDecoder();
  private readonly parser: EventSourceParser;
  private events: unknown[] = [];
  private isLost = false;

  constructor() {
    this.parser = createParser({
      maxBufferSize: EVENT_LIMIT_CHARS,
      onEvent: (message) => void this.take(message),
      onError: ({ type }) => {
        this.isLost ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** `isWhole`: the bytes end with a blank line. One that ends in CR would else be waited on for its LF. */
  read(bytes: Uint8Array, isWhole = false): readonly unknown[] {
    this.events = [];
    if (this.isLost) return this.events;
    this.feed(this.decoder.decode(bytes, { stream: true }));
    if (isWhole && bytes.at(-1) === CR) this.feed('\n');
    return this.events;
  }

  /** The bytes are over: an event whose blank line is missing, if it is whole but for that. */
  end(): readonly unknown[] {
    this.events = [];
    if (!this.isLost) this.feed(`${this.decoder.decode()}\n\n`);
    return this.events.filter((event) => typeof event !== 'string');
  }

  /** With CR as line end the parser looks for each line to the end of what it is given. */
  private feed(text: string): void {
    const step = text.includes('\r') ? CR_STEP_CHARS : Number.POSITIVE_INFINITY;
    for (let start = 0; start < text.length && !this.isLost; start += step) this.parser.feed(text.slice(start, start + step));
  }

  private take(message: EventSourceMessage): void {
    const data = message.data.trim();
    if (data === '' || data === '[DONE]') return;
    this.events.push(named(message.event, parsed(data)));
  }
}

/** What is no JSON is an event all the same. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data;
  }
}

/** Servers that name an error in the `event:` line alone. */
function named(name: string | undefined, event: unknown): unknown {
  if (name !== 'error' || typeof event !== 'object' || event === null || 'type' in event) return event;
  return { ...event, type: 'error' };
}

export interface ItemOptions {
  /** Keeps a usage chunk from the caller that it did not ask for. */
  readonly cut?: UsageCut;
  /** Told of the events of each chunk before anyone else sees them. */
  readonly onEvents?: (events: readonly unknown[]) => void;
}

const NO_BYTES = new Uint8Array();

/** Ending it early ends the body. What is kept back when the body breaks off comes before its error. */
export async function* streamItems(body: ClosableBody, options: ItemOptions = {}): AsyncGenerator<StreamItem> {
  const { cut, onEvents } = options;
  const reader = new EventReader();
  try {
    for await (const bytes of body) {
      const item = cut ? cut.take(bytes) : new StreamItem(bytes, reader.read(bytes));
      onEvents?.(item.events);
      yield item;
    }
  } catch (error) {
    const held = cut?.takeHeld();
    if (held?.length) yield new StreamItem(held, []);
    throw error;
  }
  const rest = cut ? cut.end() : new StreamItem(NO_BYTES, reader.end());
  if (rest.bytes.length + rest.events.length === 0) return;
  onEvents?.(rest.events);
  yield rest;
}
