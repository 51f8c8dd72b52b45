// Providers that fail at random, processes that come and go, and deaths between any two effects: what must hold of every request, error and record.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { UllageError } from '../../src/index.ts';
import type { Store } from '../../src/ports/store.ts';
import { manualClock, memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { makeConversation, messagesOf } from '../support/conversation.ts';
import { apiError, eventsOf, fakeProvider, overflowError } from '../support/provider.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { grown, makeWorld } from '../support/recovery.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** The most requests one send may cost: the first, three passes, three lowered outputs, one each for media and reasoning. */
const MOST_REQUESTS = 9;

function randomError(api: Api, random: Random, tokens: number): unknown {
  const errors: (() => unknown)[] = [
    () => overflowError(api, { limit: Math.max(300, Math.floor(tokens * 0.8)), actual: tokens }),
    () => overflowError(api),
    () => apiError(413, 'Request body too large'),
    () => apiError(400, 'Could not process image'),
    () => apiError(400, 'Invalid `signature` in `thinking` block. The block is bound to a different conversation.'),
    () => apiError(400, 'max_tokens is too large'),
    () => apiError(429, `Request too large for m on tokens per min (TPM): Limit ${Math.floor(tokens / 2)}, Requested ${tokens}.`),
    () => apiError(429, 'Rate limit reached for requests per minute'),
    () => apiError(401, 'invalid x-api-key'),
    () => apiError(400, 'Error'),
    () => apiError(500, 'Internal server error'),
    () => new TypeError('fetch failed'),
  ];
  return random.pick(errors)();
}

async function playOne(api: Api, seed: number): Promise<void> {
  const random = seededRandom(seed * 31);
  const world = makeWorld({ api, summarizer: scriptedSummarizer(), models: { window: 20_000, maxOutputTokens: 1_000 } });
  const conversation = makeConversation(api, seed);
  let session = await world.open().session('k');
  for (let turn = 0; turn < 14; turn++) {
    conversation.grow({ steps: random.int(1, 3), resultWords: random.int(10, 300) });
    if (random.next() < 0.3) session = await world.open().session('k');
    const thrown: unknown[] = [];
    const provider = fakeProvider(api, ({ tokens }) => {
      if (random.next() > 0.6) return undefined;
      const error = randomError(api, random, tokens);
      thrown.push(error);
      throw error;
    });
    const body = conversation.ask();
    const isStream = random.next() < 0.3;
    const call = async (given: unknown) => {
      const response = await provider.call(given);
      if (!isStream) return response;
      return (async function* () {
        yield* eventsOf(api, provider.received.at(-1)!.tokens);
      })();
    };
    try {
      const answer = await session.send(body, call);
      if (isStream) for await (const _ of answer as AsyncIterable<unknown>);
    } catch (error) {
      const own = UllageError.is(error) ? error.cause : error;
      expect(own).toBe(thrown.at(-1));
    }
    expect(provider.received.length).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(new Set(provider.received.map(({ text }) => text)).size).toBe(provider.received.length);
    for (const { text } of provider.received) expect(codecFor(api).validate(text)).toEqual([]);
    await world.clock.advance(random.int(1, 90) * 1_000);
  }
  const exported = messagesOf(JSON.parse(await session.export()));
  expect(exported).toEqual(conversation.messages.slice(0, -1));
  for (const outcome of await session.outcomes({ limit: 100 })) {
    if (outcome.exhausted) expect(outcome.status).not.toBe('deferred');
  }
}

describe.each(APIS)('a provider that fails at random, in %s', (api) => {
  it.each(SEEDS)(
    'seed %i: few, different and valid requests; the provider’s own error or one that holds it; nothing lost',
    async (seed) => {
      await playOne(api, seed);
    },
  );
});

const EFFECTS: ReadonlySet<string> = new Set([
  'appendEntries',
  'followRequest',
  'touchConversation',
  'swapGuard',
  'commitCompaction',
  'recordOutcome',
  'recordObservation',
  'indexEntries',
]);

/** The same store as a process sees it that dies right before or after its n-th effect: no call comes back any more. */
function dyingView(store: Store, at: number, when: 'before' | 'after') {
  let effects = 0;
  let die = (): void => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = () => new Promise<never>(() => die());
  const view = new Proxy(store, {
    get(target, name) {
      const command = Reflect.get(target, name) as unknown;
      if (typeof command !== 'function') return command;
      return async (...given: unknown[]) => {
        if (effects >= at) return never();
        const isEffect = EFFECTS.has(String(name));
        if (isEffect && ++effects === at && when === 'before') return never();
        const result: unknown = await command.apply(target, given);
        return isEffect && effects === at ? never() : result;
      };
    },
  });
  return { view, died, effects: () => effects };
}

describe('death between any two effects of a recovery (Law 1)', () => {
  const scenarios: [string, (received: { tokens: number; text: string; sizeBytes: number }) => void][] = [
    [
      'an overflow with numbers',
      ({ tokens }) => {
        if (tokens > 10_000) throw overflowError('openai-chat', { limit: 10_000, actual: tokens });
      },
    ],
    [
      'an overflow without numbers',
      ({ tokens }) => {
        if (tokens > 10_000) throw overflowError('openai-chat');
      },
    ],
    [
      'too many bytes',
      ({ sizeBytes }) => {
        if (sizeBytes > 60_000) throw apiError(413, 'Request body too large');
      },
    ],
  ];

  it.each(scenarios)('%s: the next process decides the same and sends the same', async (_, refuse) => {
    const body = grown('openai-chat').ask();
    const run = async (at: number, when: 'before' | 'after') => {
      const clock = manualClock(0);
      let names = 0;
      const world = makeWorld({ api: 'openai-chat', clock, store: memoryStore(), newId: () => `id${String(names++).padStart(6, '0')}` });
      const provider = fakeProvider('openai-chat', (received) => void refuse(received));
      const { view, died, effects } = dyingView(world.store as Store, at, when);
      const first = world.open({ store: view }).session('k');
      const sent = first.then((session) => session.send(body, provider.call));
      await Promise.race([sent, died]);
      await clock.advance(61_000);
      const session = await world.open().session('k');
      const before = provider.received.length;
      await session.send(body, provider.call);
      const guard = await session.guard();
      const exported = messagesOf(JSON.parse(await session.export()));
      return { effects: effects(), requests: provider.received.length - before, last: provider.received.at(-1)!, guard, exported };
    };
    const whole = await run(Number.POSITIVE_INFINITY, 'after');
    expect(whole.effects).toBeGreaterThan(4);
    for (let at = 1; at <= whole.effects; at++) {
      for (const when of ['before', 'after'] as const) {
        const died = await run(at, when);
        expect(died.requests).toBeLessThanOrEqual(4);
        expect(died.exported).toEqual(whole.exported);
        expect(died.guard).toEqual(whole.guard);
        const [mine, other] = [died.last, whole.last].map(({ body: sent }) => messagesOf(sent).length);
        expect(mine).toBe(other);
      }
    }
  });
});
