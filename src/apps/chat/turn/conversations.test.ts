import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../store/database.ts';
import { addItem } from '../store/inbox.ts';
import type { SessionState } from '../store/rows.ts';
import { closeTurn, openTurn } from '../store/turns.ts';
import { Conversations } from './conversations.ts';

const API = 'openai-chat';

async function world(mostChars?: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'ullage-conversations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase(path.join(folder, 'chat'));
  onTestFinished(() => db.close());
  let rows = 0;
  const counted: Database = {
    ...db,
    read: (work) =>
      db.read((sql) => {
        const all: typeof sql.all = (text, ...values) => {
          const found = sql.all<never>(text, ...values);
          rows += found.length;
          return found;
        };
        return work({ ...sql, all });
      }),
  };
  const opened: string[] = [];
  const ullage = { session: async (name: string) => ({ name: opened.push(name) }) };
  const conversations = new Conversations({ ullage, db: counted, profile: { api: API } } as never, mostChars);
  let id = 0;
  /** A turn from its question to its answer. */
  const turn = (session: string, wire: string) =>
    db.write((sql) => {
      id++;
      addItem(sql, { source: 'x', updateId: id, session, kind: 'text', text: wire, address: {} }, 0);
      const item = { id, source: 'x', updateId: id, session, kind: 'text', text: wire, address: {}, atMs: 0, state: 'running' } as const;
      openTurn(sql, item, { role: 'user', content: wire });
      closeTurn(sql, id, { wire, api: API });
    });
  return { conversations, turn, opened, rows: () => rows };
}

const state = (key: string, more: Partial<SessionState> = {}): SessionState => ({ key, generation: 1, epoch: 1, ...more });

it('a turn reads what was closed since the last one, however long the history is', async () => {
  const { conversations, turn, rows } = await world();
  for (let number = 1; number <= 50; number++) await turn('s', `"${number}"`);
  expect((await conversations.history(state('s'))).split(',')).toHaveLength(50);
  const before = rows();
  await turn('other', '"elsewhere"');
  await turn('s', '"51"');
  expect(await conversations.history(state('s'))).toMatch(/^"1","2",.*"50","51"$/);
  expect(await conversations.history(state('s'))).toMatch(/"51"$/);
  expect(rows() - before).toBe(1);
});

it('another generation and another epoch begin with nothing, and the session of the library is kept with its name', async () => {
  const { conversations, turn, opened } = await world();
  await turn('s', '"1"');
  expect(await conversations.history(state('s'))).toBe('"1"');
  expect(await conversations.history(state('s', { epoch: 2 }))).toBe('');
  expect(await conversations.session(state('s', { epoch: 2 }))).toBe(await conversations.session(state('s')));
  expect(await conversations.history(state('s', { generation: 2 }))).toBe('');
  expect(opened).toEqual(['s', 's#2']);
});

it('keeps no more than it may, and what was forgotten is read again', async () => {
  const { conversations, turn, opened } = await world(10);
  await turn('a', '"aaaaaa"');
  await turn('b', '"bbbbbb"');
  for (const key of ['a', 'b', 'b', 'a']) expect(await conversations.history(state(key))).toBe(`"${key.repeat(6)}"`);
  expect(opened).toEqual(['a', 'b', 'a']);
});
