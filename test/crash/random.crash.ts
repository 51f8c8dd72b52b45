// For a minute: a child is killed at a random moment, again and again on the same file, then one is left to finish (F24, Law 1).
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { messagesOf } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { bodies, factsOf, LATER_MS, makeWorld, storedMessages } from './world.ts';

const MINUTE_MS = 60_000;
const KILLS_PER_FILE = 4;

const world = makeWorld();
afterAll(() => world.remove());

it('killed at random moments, nothing is lost, duplicated or covered twice, and the last process decides like the first', async () => {
  const random = seededRandom(20_261_130);
  const controlStartedAt = performance.now();
  const control = world.run(path.join(world.folder, 'control.db'), { clockStart: 0 });
  const wholeRunMs = performance.now() - controlStartedAt;
  const untilMs = performance.now() + MINUTE_MS;
  let files = 0;
  while (performance.now() < untilMs) {
    const file = path.join(world.folder, `random-${files++}.db`);
    for (let kill = 0; kill < KILLS_PER_FILE; kill++) {
      const child = world.start(file, { clockStart: kill * LATER_MS });
      const killing = setTimeout(() => child.kill('SIGKILL'), random.int(Math.floor(wholeRunMs * 0.4), Math.ceil(wholeRunMs)));
      await once(child, 'exit');
      clearTimeout(killing);
    }
    const last = world.run(file, { clockStart: (KILLS_PER_FILE + 1) * LATER_MS });
    expect(await storedMessages(file)).toEqual(messagesOf(bodies.at(-1)).slice(1));
    expect({ files, ...factsOf(last.result!) }).toEqual({ files, ...factsOf(control.result!) });
  }
  expect(files).toBeGreaterThan(1);
});
