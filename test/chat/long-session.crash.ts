// 2,000 turns at a window of 32,000 tokens.
import { expect, it } from 'vitest';
import { playLongSession, WINDOW } from './long-session.ts';

const TURNS = 2_000;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

it('2,000 turns: never over the window, size flat, work for an answer small, no compaction useless', async () => {
  const { tokens, workMs, notices } = await playLongSession(TURNS);
  const tenth = (index: number, of: readonly number[]) => of.slice((index * TURNS) / 10, ((index + 1) * TURNS) / 10);
  for (let index = 0; index < 10; index++)
    console.log(
      `turns ${index * 200 + 1}–${(index + 1) * 200}: median ${Math.round(median(tenth(index, tokens)))} tokens, most ${Math.max(...tenth(index, tokens))}, work ${Math.round(median(tenth(index, workMs)))} ms`,
    );
  console.log(`${notices.length} compactions`);
  expect(tokens.length).toBe(TURNS);
  expect(Math.max(...tokens)).toBeLessThan(WINDOW);
  for (const notice of notices) expect(notice).toMatch(/^ℹ️ Compacted at the threshold/);
  expect(median(tenth(9, workMs)) - median(tenth(1, workMs))).toBeLessThan(150);
  expect(median(tenth(9, tokens)) / median(tenth(2, tokens))).toBeLessThan(1.25);
});
