// What is sent back: a whole body or the events of a stream.

/** One server-sent event. */
export interface StreamEvent {
  readonly event?: string;
  /** Written as JSON; a string as it is. */
  readonly data: unknown;
}

/** An answer before it is written to a socket. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Either a body … */
  readonly body?: string;
  /** … or events. */
  readonly events?: readonly StreamEvent[];
}

/** A body of JSON. */
export function jsonReply(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** A stream of events. */
export function eventReply(events: readonly StreamEvent[], headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers }, events };
}

/** An event as it goes over the wire. */
export function eventText({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
