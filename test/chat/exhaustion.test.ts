// When a conversation cannot go on: it is continued and told; what is only put off stays as it is.
import { expect, it } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { createUllage } from '../../src/index.ts';
import { telegramWorld, USER } from './telegram-world.ts';

it('a provider that refuses every size gets a continuation with the last ask, and the person is told why, with the numbers (F28)', async () => {
  let refusals = 0;
  const world = await telegramWorld({ provider: { script: () => (refusals-- > 0 ? { type: 'overflow', numbers: false } : undefined) } });
  world.start();
  for (let turn = 1; turn <= 3; turn++) {
    world.api.say(USER, `Question ${turn} about the port 8${turn}43. ${'More words. '.repeat(80)}`);
    await world.untilSaid(USER, turn);
  }
  // The request, and each of the passes that shrink it.
  refusals = 4;
  world.api.say(USER, 'The last question');
  const said = await world.untilSaid(USER, 5);
  expect(said[3]).toContain('The last question');
  expect(said[4]).toMatch(/could not go on as it was: it is longer than the window.* It had [\d,]+ tokens in \d+ messages .*continuation/);
  world.api.say(USER, 'And one more');
  const after = await world.untilSaid(USER, 6);
  expect(after[5]).toContain('And one more');
  const last = JSON.stringify(world.provider.requests.at(-1)!.body);
  expect(last).toContain('8143');
  expect(last.match(/The last question/g)!.length).toBeGreaterThan(0);
  world.api.say(USER, '/search 8243');
  expect((await world.untilSaid(USER, 7))[6]).toContain('about the port 8243');
});

it('a message that fits no window is told with its cause, and the session goes on (F28)', async () => {
  const world = await telegramWorld({ profile: { window: 8_000, maxOutputTokens: 500 }, provider: { window: 8_000 } });
  world.start();
  world.api.say(USER, 'Remember the port 8143');
  await world.untilSaid(USER, 1);
  world.api.say(USER, 'word '.repeat(19_000));
  const said = await world.untilSaid(USER, 2);
  expect(said[1]).toMatch(/There is no answer to this\..*window/);
  world.api.say(USER, 'And now?');
  await world.api.until(() => world.said(USER).some((text) => text.includes('And now?')));
});

it('/status, /compact and /undo tell the truth of an empty and of a small conversation (F35)', async () => {
  const world = await telegramWorld();
  world.start();
  for (const command of ['/status', '/compact', '/undo', '/pins', '/search nothing']) world.api.say(USER, command);
  const empty = await world.untilSaid(USER, 5);
  expect(empty[0]).toContain('has not begun yet');
  expect(empty[1]).toContain('There is no conversation yet');
  expect(empty[2]).toContain('There is no conversation yet');
  world.api.say(USER, '/pin Keep this');
  world.api.say(USER, 'Hello');
  world.api.say(USER, '/compact');
  world.api.say(USER, '/undo');
  const small = await world.untilSaid(USER, 9);
  expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain('Keep this');
  expect(small[7]).toMatch(/^Not compacted: /);
  expect(small[8]).toMatch(/There is nothing to undo/);
  world.api.say(USER, '/new');
  world.api.say(USER, 'Fresh');
  world.api.say(USER, '/search Hello');
  const fresh = await world.untilSaid(USER, 12);
  expect(JSON.stringify(world.provider.requests.at(-1)!.body)).not.toContain('Hello');
  expect(fresh[11]).toContain('Hello');
});

it('a session that an operator deletes while the bot runs begins anew with the whole conversation', async () => {
  const world = await telegramWorld();
  world.start();
  world.api.say(USER, 'Remember the port 8143');
  await world.untilSaid(USER, 1);
  const ullage = createUllage({ store: sqliteStore(world.given.database), api: 'openai-chat' });
  const session = await ullage.session(`telegram:424242:${USER}`);
  expect((await session.delete()).entries).toBeGreaterThan(0);
  await ullage.close();
  world.api.say(USER, '/compact');
  world.api.say(USER, 'And now?');
  world.api.say(USER, '/search 8143');
  const said = await world.untilSaid(USER, 4);
  expect(said[1]).toContain('There is no conversation yet');
  expect(said[2]).toBe('Answer to: And now?');
  expect(said[3]).toContain('Remember the port 8143');
  expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain('8143');
});
