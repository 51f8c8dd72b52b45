// A model that fails in the middle of its answer: repeated, and told in words.
import { expect, it, vi } from 'vitest';
import { telegramWorld, USER } from './telegram-world.ts';

/** Repeats wait for seconds, on a machine that may be busy. */
const SLOW_MS = 120_000;
vi.setConfig({ testTimeout: SLOW_MS });

it.each(['openai-chat', 'openai-responses', 'anthropic'] as const)(
  '%s: an error within a stream is passing, and the answer comes',
  async (api) => {
    let faults = 2;
    const world = await telegramWorld({
      profile: { api },
      provider: {
        script: () =>
          faults-- > 0 ? { type: 'server-error', status: 503, as: faults === 1 ? 'first-event' : 'after-content' } : undefined,
      },
    });
    world.start();
    world.api.say(USER, 'Hello');
    expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
    expect(world.log()).not.toContain('[object Object]');
  },
);

it.each(['reset', 'cut', 'empty'] as const)('%s: the next try answers', async (type) => {
  let faults = 1;
  const world = await telegramWorld({ provider: { script: () => (faults-- > 0 ? { type } : undefined) } });
  world.start();
  world.api.say(USER, 'Hello');
  expect((await world.untilSaid(USER, 1))[0]).toMatch(type === 'empty' ? /The model gave an empty answer/ : /^Answer to: Hello$/);
});
