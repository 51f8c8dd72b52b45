// A child process is killed between every two effects of its work; the next process goes on as if nothing had happened (F24, Law 1).
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messagesOf } from '../support/conversation.ts';
import { bodies, factsOf, LATER_MS, makeWorld, storedMessages } from './world.ts';

const world = makeWorld();
afterAll(() => world.remove());

describe('killed between every two effects', () => {
  const control = world.run(path.join(world.folder, 'control.db'), { clockStart: 0 });

  it('the control run compacts once and carries the pin', () => {
    expect(control.result!.log.filter((entry) => entry.status === 'compacted')).toHaveLength(1);
    expect(factsOf(control.result!)).toMatchObject({ pins: 1, asks: 1, isCompacted: true });
  });

  // Killed after effect n is killed before effect n + 1: nothing stands between them.
  it('after the n-th effect, for every n: nothing lost, nothing twice, the next decision is the same (F24)', async () => {
    let kills = 0;
    for (let dieAfter = 1; ; dieAfter++) {
      const file = path.join(world.folder, `${dieAfter}.db`);
      if (!world.run(file, { clockStart: 0, dieAfter }).wasKilled) break;
      kills++;
      const again = world.run(file, { clockStart: LATER_MS });
      expect(await storedMessages(file)).toEqual(messagesOf(bodies.at(-1)).slice(1));
      expect({ dieAfter, ...factsOf(again.result!) }).toEqual({ dieAfter, ...factsOf(control.result!) });
    }
    expect(kills).toBeGreaterThan(10);
  }, 400_000);
});
