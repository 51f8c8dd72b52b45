// A streamed response as the parsed events that the library reads, and back as the bytes that the SDK reads.
import { EventSourceParserStream } from 'eventsource-parser/stream';

interface Raw {
  readonly event: string | undefined;
  readonly data: string;
}

const END_MARK = '[DONE]';

/** Events of one response. Each keeps its own text, so that nothing is lost on the way through. */
export class EventStream implements AsyncIterable<object> {
  readonly #body: ReadableStream<Uint8Array>;
  readonly #raws = new WeakMap<object, Raw>();

  constructor(body: ReadableStream<Uint8Array>) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<object> {
    const decoded = this.#body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>);
    for await (const { event, data } of decoded.pipeThrough(new EventSourceParserStream()) as unknown as AsyncIterable<Raw>) {
      if (data === END_MARK) continue;
      const parsed = parse(data);
      this.#raws.set(parsed, { event, data });
      yield parsed;
    }
  }

  /** Asks for one event at a time: whoever reads slowly slows the provider down. */
  toResponse(): Response {
    const encoder = new TextEncoder();
    const events = this[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await events.next();
        if (done) return controller.close();
        const { event, data } = this.#raws.get(value)!;
        controller.enqueue(encoder.encode(`${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`));
      },
      cancel: async () => {
        await events.return?.(undefined);
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }
}

function parse(data: string): object {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : { value };
  } catch {
    return { value: data };
  }
}
