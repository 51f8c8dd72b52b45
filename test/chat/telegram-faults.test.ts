// What Telegram refuses, and what must not be shown: at the start of a bot, and while an answer grows.
import { writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/apps/chat/store/database.ts';
import { addItem, beginNext } from '../../src/apps/chat/store/inbox.ts';
import { claimLease, LEASE_MS } from '../../src/apps/chat/store/lease.ts';
import { notePlaced, notePlacing } from '../../src/apps/chat/store/outbox.ts';
import type { BotApi } from '../../src/apps/chat/telegram/bot-api.ts';
import { liveMessage } from '../../src/apps/chat/telegram/live-message.ts';
import { Pace } from '../../src/apps/chat/telegram/pace.ts';
import { runTelegram } from '../../src/apps/chat/telegram/run-telegram.ts';
import { ENV, setting } from './support.ts';
import { telegramWorld, USER } from './telegram-world.ts';

const WEBHOOK = { url: 'https://bot.example/hook', port: 0, secretEnv: 'WEBHOOK_SECRET' };

it('sets its webhook once Telegram can be reached', async () => {
  const world = await telegramWorld({ profile: { telegram: { webhook: WEBHOOK } } });
  let calls = 0;
  world.api.fault = ({ method }) => (method === 'setWebhook' && calls++ === 0 ? { kind: 'cut-before' } : undefined);
  world.start();
  await world.api.until(() => world.api.webhook.url === WEBHOOK.url);
});

it('a refused webhook ends the bot, and is not blamed on the token', async () => {
  const world = await telegramWorld({ profile: { telegram: { webhook: WEBHOOK } } });
  const description = 'Bad Request: bad webhook: IP address is reserved';
  world.api.fault = ({ method }) => (method === 'setWebhook' ? { kind: 'error', code: 400, description } : undefined);
  const write = () => true;
  const terminal = { stdin: process.stdin, stdout: { write }, stderr: { write }, env: ENV, now: Date.now };
  const signal = new AbortController().signal;
  await expect(runTelegram({ config: world.given.config, signal }, terminal)).rejects.toThrow(/telegram\.webhook\.url.*reserved/);
});

it.each(['', '.chat'])('a damaged database%s stops the start, and is named', async (suffix) => {
  const world = await telegramWorld();
  const file = `${world.given.database}${suffix}`;
  writeFileSync(file, 'This is no database. '.repeat(300));
  const write = () => true;
  const terminal = { stdin: process.stdin, stdout: { write }, stderr: { write }, env: ENV, now: Date.now };
  await expect(runTelegram({ config: world.given.config }, terminal)).rejects.toThrow(file);
});

it('takes an old webhook away before it asks for updates, as often as that takes', async () => {
  const world = await telegramWorld();
  world.api.webhook.url = 'https://old.example';
  let calls = 0;
  world.api.fault = ({ method }) => (method === 'deleteWebhook' && calls++ === 0 ? { kind: 'cut-before' } : undefined);
  world.start();
  world.api.say(USER, 'Hello');
  expect(await world.untilSaid(USER, 1)).toEqual(['Answer to: Hello']);
});

it('a process that lost its session puts no half answer over the whole one of its successor', async () => {
  const { folder } = setting({});
  const db = await openDatabase(`${folder}/chat`);
  const item = {
    source: 'telegram:1',
    updateId: 1,
    session: 's',
    kind: 'text',
    text: 'Hello',
    address: { chat: 7, messageId: 1 },
  } as const;
  const begun = await db.write((sql) => {
    addItem(sql, item, 0);
    return beginNext(sql, 's', item.source)!;
  });
  const lease = (await db.write((sql) => claimLease(sql, { session: 's', owner: '["a",1]', nowMs: 0 })))!;
  await db.write((sql) => {
    notePlacing(sql, { itemId: begun.id, ordinal: 0 }, { count: 'c', afterId: 1 });
    notePlaced(sql, { itemId: begun.id, ordinal: 0 }, 2);
    claimLease(sql, { session: 's', owner: '["b",1]', nowMs: LEASE_MS });
  });
  const edits: string[] = [];
  const api = {
    typing: async () => {},
    edit: async (_address: unknown, { text }: { text: string }) => edits.push(text),
  } as unknown as BotApi;
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    const chat = { db, now: () => LEASE_MS, log: { write: () => {} }, secrets: { redact: (text: string) => text } } as never;
    const signal = new AbortController().signal;
    const live = liveMessage({ chat, api, pace: new Pace(0, () => 0) }, { item: begun, lease, signal, stop: () => {} });
    live.text('Half of the');
    vi.advanceTimersByTime(1_000);
    await live.end();
  } finally {
    vi.useRealTimers();
    db.close();
  }
  expect(edits).toEqual([]);
});
