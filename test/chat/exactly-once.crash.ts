// 50 chats with 20 updates each, at once: three kill -9 of one bot, and of two bots on one store.
import { expect, it } from 'vitest';
import { playOnce } from './exactly-once.ts';

const SIZE = { chats: 50, updates: 20 };

it.each([
  { ...SIZE, killAt: [150, 450, 750], bots: 1 },
  { ...SIZE, killAt: [150, 450, 750], bots: 2 },
])('1,000 updates, $bots bot(s), three kills', async (options) => {
  const { answers, expected, empty, durationMs, modelCalls } = await playOnce(options);
  console.log(
    `${options.bots} bot(s): ${durationMs} ms, ${modelCalls} model calls for 1,000 updates, ${empty} empty messages left by crashes`,
  );
  expect(answers).toEqual(expected);
  expect(empty).toBeLessThanOrEqual(options.killAt.length * SIZE.chats);
});
