import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function scripted(isTerminal: boolean) {
  const written: string[] = [];
  let nowMs = 0;
  const progress = createProgress({ write: (text) => written.push(text), isTerminal, now: () => nowMs });
  return { written, progress, at: (ms: number) => (nowMs = ms) };
}

test('nothing is drawn in the first second, then at most ten times a second, and it is taken away', () => {
  const { written, progress, at } = scripted(true);
  for (let ms = 0; ms <= 2000; ms += 10) {
    at(ms);
    progress.update('reading', ms, 2000);
  }
  expect(written).toHaveLength(11);
  expect(written[0]).toContain('reading 50 %');
  progress.clear();
  progress.clear();
  expect(written).toHaveLength(12);
});

test('what is not a terminal sees nothing', () => {
  const { written, progress, at } = scripted(false);
  at(5000);
  progress.update('reading');
  progress.clear();
  expect(written).toEqual([]);
});
