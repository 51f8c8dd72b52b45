import { expect, it } from 'vitest';
import { unpin } from './pins.ts';
import type { CommandRun } from './run-command.ts';

it('an /unpin whose process died takes no second pin away', async () => {
  const taken: string[] = [];
  const session = {
    pins: async () => [{ id: 'b', text: 'B' }],
    unpin: async (id: string) => taken.push(id),
  };
  const chat = { db: { read: async () => [] } };
  const run = (isResumed: boolean) => ({ chat, session, words: '1', isResumed }) as unknown as CommandRun;
  expect((await unpin(run(true))).text).toContain('The program ended while it took a pin away');
  expect(taken).toEqual([]);
  await unpin(run(false));
  expect(taken).toEqual(['b']);
});
