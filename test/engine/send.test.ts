// send: one call for all. Whole responses, streams, early errors, abandoned streams, errors that are not ours, signals.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { UllageError } from '../../src/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, encodeAsk } from '../support/conversation.ts';
import { answerOf, apiError, eventsOf, overflowError, windowedProvider } from '../support/provider.ts';
import { failureOf, grown, makeWorld } from '../support/recovery.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const hello = (api: Api) => bodyOf(api, encodeAsk(api, 'hi'));

/** A stream as an SDK gives it: iterable once, with a controller beside it. */
class FakeStream {
  readonly controller = new AbortController();
  closed = 0;
  private readonly events: readonly (object | Error)[];
  constructor(events: readonly (object | Error)[]) {
    this.events = events;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    try {
      for (const event of this.events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    } finally {
      this.closed++;
    }
  }
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function measuredTokens(world: ReturnType<typeof makeWorld>, api: Api): Promise<number | undefined> {
  const session = await world.open().session('k');
  const { context } = await session.prepare(hello(api));
  return context.kind === 'measured' ? context.tokens : undefined;
}

describe.each(APIS)('send in %s', (api) => {
  it('gives the response as it is, and its usage is the next size, also in another process (F05)', async () => {
    const world = makeWorld({ api });
    const response = answerOf(api, 4_321);
    const session = await world.open().session('k');
    expect(await session.send(hello(api), async () => response)).toBe(response);
    await session.guard();
    expect(await measuredTokens(world, api)).toBe(4_321);
  });

  it('gives the very same stream with every event, and reads its usage as it flies by (F05)', async () => {
    const world = makeWorld({ api });
    const events = eventsOf(api, 4_321);
    const stream = new FakeStream(events);
    const session = await world.open().session('k');
    const got = await session.send(hello(api), async () => stream);
    expect(got).toBe(stream);
    expect(await measuredTokens(world, api)).toBeUndefined();
    expect(await collect(got)).toEqual(events);
    await session.guard();
    expect(await measuredTokens(world, api)).toBe(4_321);
    expect(stream.closed).toBe(1);
  });

  it('recovers an error that the stream throws before its first words, and closes nothing twice (F22)', async () => {
    const world = makeWorld({ api });
    const preface = eventsOf(api, 1).slice(0, 1);
    const streams = [
      new FakeStream([...preface, overflowError(api, { limit: 10_000, actual: 20_000 })]),
      new FakeStream(eventsOf(api, 3_000)),
    ];
    let calls = 0;
    const got = await (await world.open().session('k')).send(grown(api).ask(), async () => streams[calls++]!);
    expect(calls).toBe(2);
    expect(got).toBe(streams[1]);
    expect(await collect(got)).toEqual(eventsOf(api, 3_000));
    expect(streams.map(({ closed }) => closed)).toEqual([1, 1]);
  });

  it('recovers an error event inside a stream, too; what is not recovered reaches the caller as the event it was (F22, B159)', async () => {
    const world = makeWorld({ api });
    const failure = {
      anthropic: { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 20000 tokens > 10000 maximum' } },
      'openai-chat': { error: { code: 'context_length_exceeded', message: "This model's maximum context length is 10000 tokens." } },
      'openai-responses': { type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'too long' } } },
    }[api];
    const failing = new FakeStream([...eventsOf(api, 1).slice(0, 1), failure]);
    const streams = [failing, new FakeStream(eventsOf(api, 3_000))];
    let calls = 0;
    const session = await world.open().session('k');
    await collect(await session.send(grown(api).ask(), async () => streams[calls++]!));
    expect(calls).toBe(2);
    expect(failing.closed).toBe(1);
    const refusal = {
      anthropic: { type: 'error', error: { type: 'overloaded_error' } },
      'openai-chat': { error: { code: 429, message: 'slow down' } },
      'openai-responses': { type: 'error', code: 'server_error' },
    }[api];
    const events = [...eventsOf(api, 1).slice(0, 1), refusal];
    expect(await collect(await session.send(hello(api), async () => new FakeStream(events)))).toEqual(events);
  });

  it('sends text for text, bytes for bytes, an object for an object', async () => {
    const session = await makeWorld({ api }).open().session('k');
    const text = JSON.stringify(hello(api));
    const seen: unknown[] = [];
    const call = async (body: unknown) => {
      seen.push(body);
      return answerOf(api, 10);
    };
    const object = hello(api);
    await session.send(text, call);
    await session.send(new TextEncoder().encode(text), call);
    await session.send(object, call);
    expect(seen[0]).toBe(text);
    expect(new TextDecoder().decode(seen[1] as Uint8Array)).toBe(text);
    expect(seen[2]).toBe(object);
  });

  it('asks for valid bodies only, whatever is refused', async () => {
    const provider = windowedProvider(api, 9_000, 'nothing');
    await (await makeWorld({ api }).open().session('k')).send(grown(api, 20).ask(), provider.call);
    for (const { text } of provider.received) expect(codecFor(api).validate(text)).toEqual([]);
  });
});

describe('streams that do not end as they should', () => {
  const api = 'anthropic';

  it('one that the caller leaves early is closed; what it reported so far counts', async () => {
    const world = makeWorld({ api });
    const stream = new FakeStream(eventsOf(api, 4_321));
    const session = await world.open().session('k');
    for await (const _ of await session.send(hello(api), async () => stream)) break;
    expect(stream.closed).toBe(1);
    await session.guard();
    expect(await measuredTokens(world, api)).toBe(4_321);
  });

  it('one that is left before any usage leaves a pending verdict pending; one that ends without usage ends it (O1)', async () => {
    const world = makeWorld({ api: 'openai-chat', policy: { threshold: 12_000, target: 6_000, tailTokens: 2_000 } });
    const session = await world.open().session('k');
    const conversation = grown('openai-chat', 10);
    const events = eventsOf('openai-chat', 1).slice(0, -1);
    for await (const _ of await session.send(conversation.ask(), async () => new FakeStream(events))) break;
    expect(await session.guard()).toMatchObject({ state: 'pending' });
    await collect(await session.send(conversation.ask(), async () => new FakeStream(events)));
    expect(await session.guard()).toMatchObject({ state: 'clear' });
  });

  it('an error in its middle is the caller’s, and is not recovered behind its back', async () => {
    const error = overflowError(api, { limit: 10_000, actual: 20_000 });
    const stream = new FakeStream([...eventsOf(api, 4_321).slice(0, 3), error]);
    let calls = 0;
    const got = await (await makeWorld({ api }).open().session('k')).send(grown(api).ask(), async () => {
      calls++;
      return stream;
    });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const event of got) seen.push(event);
    };
    expect(await failureOf(read())).toBe(error);
    expect(seen).toHaveLength(3);
    expect(calls).toBe(1);
    expect(stream.closed).toBe(1);
  });

  it('a generator can be asked directly, and one without a return method is left alone', async () => {
    const session = await makeWorld({ api }).open().session('k');
    const events = eventsOf(api, 10);
    async function* generate() {
      yield* events;
    }
    const generator = await session.send(hello(api), async () => generate());
    expect([(await generator.next()).value, (await generator.next()).value]).toEqual(events.slice(0, 2));
    expect((await generator.return(undefined)).done).toBe(true);
    let index = 0;
    const bare = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: index >= events.length, value: events[index++] }) }) };
    for await (const _ of await session.send(hello(api), async () => bare)) break;
  });

  it('an SDK’s stream can still be split in two', async () => {
    const session = await makeWorld({ api }).open().session('k');
    class SplittableStream {
      private isConsumed = false;
      readonly iterator: () => AsyncIterator<unknown>;
      constructor(iterator: () => AsyncIterator<unknown>) {
        this.iterator = () => {
          if (this.isConsumed) throw new Error('Cannot iterate over a consumed stream.');
          this.isConsumed = true;
          return iterator();
        };
      }
      [Symbol.asyncIterator](): AsyncIterator<unknown> {
        return this.iterator();
      }
      tee(): AsyncIterator<unknown> {
        return this.iterator();
      }
    }
    const events = eventsOf(api, 10);
    const stream = new SplittableStream(() => new FakeStream(events)[Symbol.asyncIterator]());
    const half = (await session.send(hello(api), async () => stream)).tee();
    const seen: unknown[] = [];
    for (let result = await half.next(); !result.done; result = await half.next()) seen.push(result.value);
    expect(seen).toEqual(events);
  });

  it('a web stream is not locked for the caller', async () => {
    const session = await makeWorld({ api }).open().session('k');
    const web = new ReadableStream({
      start(controller) {
        controller.enqueue('x');
        controller.close();
      },
    });
    const got = await session.send(hello(api), async () => web);
    expect(got.locked).toBe(false);
    expect(await got.getReader().read()).toEqual({ done: false, value: 'x' });
  });

  it('a provider that only pings does not look dead for ever', async () => {
    const session = await makeWorld({ api }).open().session('k');
    let pings = 0;
    async function* ping() {
      while (pings < 500) {
        pings++;
        yield { type: 'ping' };
      }
    }
    const got = await session.send(hello(api), async () => ping());
    expect(pings).toBeLessThan(100);
    expect(await collect(got)).toHaveLength(500);
  });
});

describe('whose error it is', () => {
  it('a fault of the store after the answer does not cost the caller the answer (Law 9)', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    const session = await world.open().session('k');
    const response = answerOf('openai-chat', 10);
    for (const error of [new UllageError('store_unavailable', 'down'), new TypeError('a bug')]) {
      world.store.loadConversation = () => Promise.reject(error);
      expect(await session.send(hello('openai-chat'), async () => response)).toBe(response);
    }
  });

  it('a fault of ours in the recovery does not hide the provider’s error', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    const session = await world.open().session('k');
    const error = overflowError('openai-chat', { limit: 10_000, actual: 20_000 });
    world.store.calibrations = () => Promise.reject(new TypeError('a bug'));
    expect(await failureOf(session.send(grown('openai-chat').ask(), () => Promise.reject(error)))).toBe(error);
  });

  it('a body that is no request fails before anything is called', async () => {
    const session = await makeWorld({ api: 'openai-chat' }).open().session('k');
    let calls = 0;
    const call = async () => void calls++;
    expect(await failureOf(session.send('{"model":"m"}', call))).toMatchObject({ code: 'transcript_invalid' });
    expect(calls).toBe(0);
  });

  it('a response with an error inside goes to the caller as it came, once nothing can be done', async () => {
    const session = await makeWorld({ api: 'openai-chat' }).open().session('k');
    const response = { error: { code: 429, message: 'Rate limit reached for requests per minute' } };
    expect(await session.send(hello('openai-chat'), async () => response)).toBe(response);
    const overflow = {
      error: {
        code: 400,
        message: "This model's maximum context length is 10000 tokens. However, your messages resulted in 20000 tokens.",
      },
    };
    const responses = [overflow, answerOf('openai-chat', 5_000)];
    let calls = 0;
    expect(await session.send(grown('openai-chat').ask(), async () => responses[calls++]!)).toBe(responses[1]);
  });
});

describe('signals', () => {
  it('reach the call; an aborted one sends nothing', async () => {
    const session = await makeWorld({ api: 'openai-chat' }).open().session('k');
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    await session.send(
      hello('openai-chat'),
      async (_, { signal }) => {
        seen = signal;
        return answerOf('openai-chat', 10);
      },
      { signal: controller.signal },
    );
    expect(seen).toBe(controller.signal);
    const reason = new Error('the user left');
    controller.abort(reason);
    let calls = 0;
    const call = async () => void calls++;
    expect(await failureOf(session.send(hello('openai-chat'), call, { signal: controller.signal }))).toBe(reason);
    expect(calls).toBe(0);
  });

  it('an abort during the call is no suspected overflow: its error is thrown and nothing is compacted', async () => {
    const session = await makeWorld({ api: 'openai-chat', models: { window: 26_000, maxOutputTokens: 1_000 } })
      .open()
      .session('k');
    const controller = new AbortController();
    const error = Object.assign(new Error('terminated'), { name: 'TypeError' });
    let calls = 0;
    const call = async () => {
      calls++;
      controller.abort();
      throw error;
    };
    expect(await failureOf(session.send(grown('openai-chat', 9).ask(), call, { signal: controller.signal }))).toBe(error);
    expect(calls).toBe(1);
    expect(await session.outcomes()).toEqual([]);
  });

  it('an abort during the recovery sends no second request', async () => {
    const world = makeWorld({ api: 'openai-chat' });
    const controller = new AbortController();
    const reason = new Error('the user left');
    const summarizer = async () => {
      controller.abort(reason);
      return { text: '## Goal\nMend.\n\n## Done\n1. Read.\n', finishReason: 'stop' };
    };
    const session = await world.open({ summarizer }).session('k');
    let calls = 0;
    const call = async () => {
      calls++;
      throw overflowError('openai-chat', { limit: 10_000, actual: 20_000 });
    };
    expect(await failureOf(session.send(grown('openai-chat').ask(), call, { signal: controller.signal }))).toBe(reason);
    expect(calls).toBe(1);
  });

  it('the same error without an abort is suspected once', async () => {
    const session = await makeWorld({ api: 'openai-chat', models: { window: 26_000, maxOutputTokens: 1_000 } })
      .open()
      .session('k');
    let calls = 0;
    const call = async () => {
      if (calls++ === 0) throw apiError(undefined, 'terminated');
      return answerOf('openai-chat', 5_000);
    };
    await session.send(grown('openai-chat', 9).ask(), call);
    expect(calls).toBe(2);
  });
});
