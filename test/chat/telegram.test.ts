// A bot against a Bot API of its own: what comes in, and what a person sees of it.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_KEY, TOKEN } from './support.ts';
import { telegramWorld, USER } from './telegram-world.ts';

it('answers messages and commands in order, and shows no secret anywhere', async () => {
  const world = await telegramWorld();
  const end = world.start();
  world.api.say(USER, 'Hello');
  world.api.say(USER, '/pin Never push to main');
  world.api.say(USER, '/pins@ullage_test_bot');
  world.api.say(USER, '/nonsense');
  world.api.say(USER, '/pins@other_bot');
  world.api.say(USER, 'Bye');
  const said = await world.untilSaid(USER, 5);
  expect(said).toEqual([
    'Answer to: Hello',
    expect.stringContaining('Pinned'),
    '1. Never push to main',
    expect.stringContaining('There is no command /nonsense'),
    expect.stringContaining('Answer to: Bye'),
  ]);
  await end();
  const { database } = world.given;
  const files = ['', '-wal', '.chat', '.chat-wal'].map((suffix) => `${database}${suffix}`).filter((file) => existsSync(file));
  for (const text of [world.log(), ...files.map((file) => readFileSync(file, 'latin1'))])
    for (const secret of [TOKEN, API_KEY]) expect(text.includes(secret)).toBe(false);
});

it('refuses a stranger once, and never again', async () => {
  const world = await telegramWorld();
  world.start();
  world.api.say(99, 'Let me in');
  world.api.say(99, 'Please');
  world.api.say(USER, 'Hello');
  await world.untilSaid(USER, 1);
  await world.untilSaid(99, 1);
  expect(world.said(99)).toEqual([expect.stringContaining('your id, 99, to allowedUsers')]);
  expect(world.provider.requests).toHaveLength(1);
});

it('tells of videos, takes captions, and refuses what is too long', async () => {
  const world = await telegramWorld({ profile: { maxMessageChars: 1_000 } });
  world.start();
  world.api.say(USER, '', { text: undefined, video: { file_id: 'x' } });
  world.api.say(USER, '', { text: undefined, video: { file_id: 'x' }, caption: 'What is this?' });
  world.api.say(USER, 'x'.repeat(1_001));
  const said = await world.untilSaid(USER, 3);
  expect(said[0]).toContain('I cannot read a video');
  expect(said[1]).toContain('Answer to: What is this?\n[With a video, which cannot be read here.]');
  expect(said[2]).toContain('1001 characters, and 1000 are taken');
});

it('ignores an update that comes again, also after a restart and with an old number', async () => {
  const world = await telegramWorld();
  const end = world.start();
  const first = world.api.say(USER, 'Once');
  await world.untilSaid(USER, 1);
  await end();
  const message = {
    message_id: 1,
    date: 0,
    chat: { id: USER, type: 'private' },
    from: { id: USER, is_bot: false, first_name: 'U' },
    text: 'Once',
  };
  world.api.push({ update_id: first, message });
  world.api.push({ update_id: first + 1, message: { ...message, message_id: 50, text: 'Twice' } });
  world.start();
  expect(await world.untilSaid(USER, 2)).toEqual(['Answer to: Once', 'Answer to: Twice']);
});

it('takes an edit of a message that waits, and tells when it is too late', async () => {
  const world = await telegramWorld();
  world.start();
  world.provider.hold();
  world.api.say(USER, 'First');
  await world.provider.until(() => world.provider.held === 1);
  const edited = { message_id: 2, date: 0, chat: { id: USER, type: 'private' }, from: { id: USER, is_bot: false, first_name: 'U' } };
  world.api.say(USER, 'Second', { message_id: 2 });
  world.api.push({ edited_message: { ...edited, text: 'Second, mended' } });
  world.api.push({ edited_message: { ...edited, message_id: 1, text: 'First, mended' } });
  await world.api.until(() => world.api.pending === 0);
  world.provider.release();
  expect(await world.untilSaid(USER, 3)).toEqual([
    'Answer to: First',
    'Answer to: Second, mended',
    expect.stringContaining('I had begun to answer the earlier wording'),
  ]);
});

it('waits as long as a 429 asks, and goes on after a lost network', async () => {
  const world = await telegramWorld();
  const faults = [
    { kind: 'error', code: 429, description: 'Too Many Requests: retry after 1', retryAfter: 1 },
    { kind: 'cut-before' },
    { kind: 'error', code: 502, description: 'Bad Gateway' },
  ] as const;
  let next = 0;
  world.api.fault = ({ method }) => (method === 'sendMessage' || method === 'editMessageText' ? faults[next++] : undefined);
  world.start();
  world.api.say(USER, 'Hello');
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
  expect(next).toBeGreaterThan(3);
});

it('finds the message that was sent although the connection broke, and sends no second one (F24)', async () => {
  const world = await telegramWorld();
  let cuts = 0;
  world.api.fault = ({ method }) => (method === 'sendMessage' && cuts++ === 0 ? { kind: 'cut-after' } : undefined);
  world.start();
  world.api.say(USER, 'Hello');
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
  expect(world.api.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(1);
});

it('finds it also when much came in from others at the same time, and leaves no empty one behind (F24)', async () => {
  const other = 8;
  const world = await telegramWorld({ profile: { allowedUsers: [USER, other] } });
  let isLost = false;
  world.api.fault = ({ method, body }) => {
    if (method !== 'sendMessage' || body.chat_id !== USER || isLost) return undefined;
    isLost = true;
    // Their ids are between the newest that the bot knows and the one of the message whose sending breaks.
    for (let number = 1; number <= 30; number++) world.api.say(other, `Number ${number}`);
    return { kind: 'cut-after' };
  };
  world.start();
  world.api.say(USER, 'Hello');
  await world.untilSaid(other, 30);
  await world.untilSaid(USER, 1);
  expect(world.said(USER)).toEqual(['Answer to: Hello']);
});

it('pins before the first message never stand in its way', async () => {
  const world = await telegramWorld();
  world.start();
  world.api.say(USER, `/pin ${'語'.repeat(600)}`);
  world.api.say(USER, `/pin ${'言'.repeat(600)}`);
  world.api.say(USER, 'Hello');
  const said = await world.untilSaid(USER, 3);
  expect(said).toEqual([
    expect.stringContaining('Pinned'),
    expect.stringContaining('2000 bytes'),
    expect.stringContaining('Answer to: Hello'),
  ]);
});

it('splits a long answer, and keeps its code blocks whole', async () => {
  const code = `Look:\n\`\`\`ts\n${Array.from({ length: 300 }, (_, line) => `const value${line} = ${line};`).join('\n')}\n\`\`\`\nThat is all.`;
  const world = await telegramWorld({ profile: { maxOutputTokens: 6_000 }, provider: { answer: () => code } });
  world.start();
  world.api.say(USER, 'Write it');
  const said = await world.untilSaid(USER, 2);
  expect(said.every((text) => text.length <= 4_096 && (text.match(/```/g)?.length ?? 0) % 2 === 0)).toBe(true);
  expect(said[1]!.startsWith('```ts\n')).toBe(true);
});

it('tells when the model is down, keeps the message, and goes on with the next one', async () => {
  const world = await telegramWorld({ provider: { script: ({ number = 0 }) => (number === 1 ? { type: 'auth' } : undefined) } });
  world.start();
  world.api.say(USER, 'Hello');
  expect((await world.untilSaid(USER, 1))[0]).toContain('The provider refuses the key of this bot (401)');
  world.api.say(USER, 'Again');
  expect((await world.untilSaid(USER, 2))[1]).toBe('Answer to: Again');
  expect(JSON.stringify(world.provider.requests.at(-1)!.body)).toContain('Hello');
});

it('does not tell a person who blocked it, and goes on with others', async () => {
  const world = await telegramWorld({ profile: { allowedUsers: [USER, 8] } });
  world.api.fault = ({ method, body }) =>
    method === 'sendMessage' && body.chat_id === 8
      ? { kind: 'error', code: 403, description: 'Forbidden: bot was blocked by the user' }
      : undefined;
  world.start();
  world.api.say(8, 'Hello');
  world.api.say(USER, 'Hello');
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
  await world.api.until(() => world.log().includes('bot was blocked by the user'));
  expect(world.said(8)).toEqual([]);
});

it('sends an answer again whose message was deleted before it had its words', async () => {
  const world = await telegramWorld();
  world.api.fault = ({ method, body }) => {
    if (method === 'editMessageText') world.api.remove(body.message_id as number);
    if (method === 'editMessageText') world.api.fault = undefined;
    return undefined;
  };
  world.start();
  world.api.say(USER, 'Hello');
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
});

it('works by webhook, and takes no update without its secret', async () => {
  const world = await telegramWorld({
    profile: { telegram: { webhook: { url: 'https://bot.example/hook', port: 0, secretEnv: 'WEBHOOK_SECRET' } } },
  });
  world.start();
  await world.api.until(() => world.api.webhook.url !== undefined);
  const port = /port=(\d+)/.exec(world.log())![1];
  const update = (update_id: number) => ({
    update_id,
    message: {
      message_id: update_id,
      date: 0,
      chat: { id: USER, type: 'private' },
      from: { id: USER, is_bot: false, first_name: 'U' },
      text: `Message ${update_id}`,
    },
  });
  const post = (body: object, secret: string) =>
    fetch(`http://127.0.0.1:${port}/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify(body),
    });
  expect((await post(update(1), 'wrong')).status).toBe(401);
  expect((await post(update(2), 'a-secret-of-the-webhook')).status).toBe(200);
  expect((await post(update(2), 'a-secret-of-the-webhook')).status).toBe(200);
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Message 2']);
  expect(world.provider.requests).toHaveLength(1);
});
