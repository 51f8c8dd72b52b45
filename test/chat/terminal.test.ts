// `ullage chat` as a process: talks, compacts, previews, undoes, pins, searches, survives a kill.
import { expect, it } from 'vitest';
import { strictProvider } from '../../src/testkit/index.ts';
import { runUllage, setting } from './support.ts';

it('chats, compacts, previews, undoes, pins, searches, and survives a kill -9', async () => {
  const provider = await strictProvider({
    window: 32_000,
    answer: ({ number }) => `Answer ${number}. ${'It goes on and on. '.repeat(80)}End ${number}.`,
  });
  const given = setting({ url: `${provider.url}/v1` });
  let chat = runUllage(['chat', '--session', 'one', '--config', given.config], given);
  for (let turn = 1; turn <= 12; turn++) {
    chat.say(`Question ${turn} about the port 8${turn}43`);
    await chat.until(`End ${turn}.`);
  }
  chat.say('/status');
  await chat.until('Automatic compaction: ready');
  chat.say('/pin Never push to main');
  await chat.until('Pinned');
  chat.say('/compact preview');
  await chat.until('Nothing was changed. /compact does it.');
  chat.say('/compact');
  await chat.until('Compacted: ');
  chat.say('/undo');
  await chat.until('Undone: ');
  chat.say('/search port 8343');
  await chat.until('about the port 8343');
  provider.hold();
  chat.say('Question 13, interrupted');
  await provider.until(({ body }) => JSON.stringify(body).includes('interrupted'));
  await chat.kill();
  provider.release();
  chat = runUllage(['chat', '--session', 'one', '--config', given.config], given);
  const at = await chat.until('Answer ');
  chat.say('/pins');
  await chat.until('1. Never push to main', at);
  expect(await chat.end()).toBe(0);
  const last = JSON.stringify(provider.requests.at(-1)!.body);
  expect(last).toContain('Never push to main');
  expect(last.match(/interrupted/g)).toHaveLength(1);
  await provider.close();
});
