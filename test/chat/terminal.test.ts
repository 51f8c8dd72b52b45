// `ullage chat` as a process, in a pseudo-terminal and in a pipe: talks, compacts, previews, undoes, pins, searches, survives a kill.
import { expect, it, vi } from 'vitest';
import { strictProvider } from '../../src/testkit/index.ts';
import { HAS_PTY, runInTerminal, runUllage, setting } from './support.ts';

/** Real processes on a machine that may be busy. */
const SLOW_MS = 240_000;
vi.setConfig({ testTimeout: SLOW_MS });

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

it.skipIf(!HAS_PTY)(
  'in a pseudo-terminal (needs util-linux script): prompts, streams, stops at Ctrl-C, survives a kill, leaves at Ctrl-D',
  async () => {
    const provider = await strictProvider({
      window: 32_000,
      answer: ({ number }) => `Answer ${number}. \u001b[31mred\u001b[0m End ${number}.`,
    });
    const given = setting({ url: `${provider.url}/v1` });
    const args = ['chat', '--session', 'one', '--config', given.config];
    let chat = runInTerminal(args, given);
    await chat.until('> ');
    chat.say('Hello');
    await chat.until('End 1.');
    provider.hold();
    chat.say('Stop this');
    await provider.until(() => provider.held === 1);
    chat.press('\u0003');
    await chat.until('(Stopped.)');
    provider.release();
    chat.say('/pin Never push to main');
    await chat.until('Pinned');
    chat.say('/compact preview');
    await chat.until('A compaction now would');
    provider.hold();
    chat.say('Killed meanwhile');
    await provider.until(({ body }) => JSON.stringify(body).includes('Killed meanwhile'));
    await chat.kill();
    provider.release();
    // Whatever the model writes, it does not steer the terminal.
    expect(chat.output()).not.toContain('\u001b[31m');
    chat = runInTerminal(args, given);
    const at = await chat.until('End ');
    await chat.until('> ', at);
    chat.say('/search Hello');
    await chat.until('you (e_', at);
    chat.press('\u0004');
    expect(await chat.end()).toBe(0);
    expect(JSON.stringify(provider.requests.at(-1)!.body)).toContain('(Stopped.)');
    await provider.close();
  },
);

it.skipIf(!HAS_PTY)(
  'Ctrl-C gives the prompt back while /compact waits for a summary, talk goes on, and leaving does not wait for it',
  async () => {
    const provider = await strictProvider({
      window: 32_000,
      answer: ({ number }) => `Answer ${number}. ${'It goes on. '.repeat(80)}End ${number}.`,
    });
    const writer = await strictProvider({ window: 32_000 });
    const given = setting({ url: `${provider.url}/v1`, summarizer: { url: `${writer.url}/v1`, model: 'writer' } });
    const args = ['chat', '--session', 'one', '--config', given.config];
    const chat = runInTerminal(args, given);
    await chat.until('> ');
    for (let turn = 1; turn <= 12; turn++) {
      chat.say(`Question ${turn} about the port 8${turn}43`);
      await chat.until(`End ${turn}.`);
    }
    writer.hold();
    chat.say('/compact');
    await writer.until(() => writer.held === 1);
    chat.press('\u0003');
    const at = await chat.until('Stopped waiting');
    await chat.until('> ', at);
    chat.say('And now?');
    await chat.until('End 13.', at);
    chat.say('/status');
    await chat.until('> ', await chat.until('Context: ', at));
    chat.press('\u0004');
    expect(await chat.end()).toBe(0);
    writer.release();
    await Promise.all([provider.close(), writer.close()]);
  },
);
