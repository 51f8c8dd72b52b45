import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { setState } from '../store/inbox.ts';
import { storeUpdates } from './store-updates.ts';

const USER = 7;
const SESSION = `telegram:1:${USER}`;

async function inbox() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ullage-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase(path.join(folder, 'chat'));
  onTestFinished(() => db.close());
  const storing = {
    chat: { db, now: () => 0 } as never,
    bot: { id: 1, username: 'a_bot' },
    access: { allowedUsers: [USER], allowedChats: [], maxMessageChars: 100 },
    wake: () => {},
  };
  const message = (message_id: number, text: string) => ({
    message_id,
    date: 0,
    chat: { id: USER, type: 'private' },
    from: { id: USER, is_bot: false, first_name: 'U' },
    text,
  });
  const next = () =>
    db.read((sql) => sql.get<{ id: number }>("SELECT * FROM inbox WHERE session = ? AND state <> 'done' ORDER BY id LIMIT 1", SESSION));
  return {
    say: (update_id: number, id: number, text: string) => storeUpdates(storing, [{ update_id, message: message(id, text) } as never]),
    edit: (update_id: number, id: number, text: string) =>
      storeUpdates(storing, [{ update_id, edited_message: message(id, text) } as never]),
    next,
    async done() {
      const { id } = (await next())!;
      await db.write((sql) => setState(sql, id, 'done'));
    },
  };
}

it('an edit that comes again changes nothing, and nobody is told that it was late', async () => {
  const { say, edit, next, done } = await inbox();
  await say(1, 10, 'First');
  await edit(2, 10, 'Second');
  await edit(3, 10, 'Third');
  await edit(2, 10, 'Second');
  expect(await next()).toMatchObject({ kind: 'text', text: 'Third' });
  await done();
  await edit(3, 10, 'Third');
  expect(await next()).toBeUndefined();
});

it('an edit that changes no words, as for the preview of a link, is none', async () => {
  const { say, edit, next, done } = await inbox();
  await say(1, 10, 'See https://a.example');
  await say(2, 11, '/pins');
  await done();
  await done();
  await edit(3, 10, 'See https://a.example');
  await edit(4, 11, '/pins');
  expect(await next()).toBeUndefined();
});

it('an edit of a message that never was for the bot is not answered', async () => {
  const { edit, next } = await inbox();
  await edit(1, 10, 'What is this?');
  expect(await next()).toBeUndefined();
});

it('a command that waits is edited as well, a text may become a command, and what is too long is told', async () => {
  const { say, edit, next, done } = await inbox();
  await say(1, 10, '/pin A');
  await edit(2, 10, '/pin B');
  expect(await next()).toMatchObject({ kind: 'command', text: '/pin B' });
  await edit(3, 10, 'No command');
  expect(await next()).toMatchObject({ kind: 'text', text: 'No command' });
  await edit(4, 10, 'x'.repeat(101));
  expect(await next()).toMatchObject({ kind: 'note', text: expect.stringContaining('too long') });
  await done();
});
