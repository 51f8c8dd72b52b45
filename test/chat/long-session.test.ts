// The short form; long-session.crash.ts plays 2,000 turns.
import { expect, it, vi } from 'vitest';
import { playLongSession, WINDOW } from './long-session.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

it('150 turns in a window of 32,000 tokens: never over it, and no compaction is useless', async () => {
  const { tokens, notices } = await playLongSession(150);
  expect(tokens.length).toBe(150);
  expect(Math.max(...tokens)).toBeLessThan(WINDOW);
  expect(notices.length).toBeGreaterThan(0);
  for (const notice of notices) expect(notice).toMatch(/^ℹ️ Compacted at the threshold/);
});
