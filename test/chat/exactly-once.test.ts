// The short form; exactly-once.crash.ts plays 50 chats.
import { expect, it, vi } from 'vitest';
import { playOnce } from './exactly-once.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

it('answers every update once and in order over two kill -9 of the bot (F24)', async () => {
  const { answers, expected, empty } = await playOnce({ chats: 8, updates: 5, killAt: [8, 24], bots: 1 });
  expect(answers).toEqual(expected);
  expect(empty).toBeLessThanOrEqual(2 * 8);
});

it('two bots on one store answer nothing twice, also when one is killed (F26)', async () => {
  const { answers, expected } = await playOnce({ chats: 6, updates: 5, killAt: [10], bots: 2 });
  expect(answers).toEqual(expected);
});
