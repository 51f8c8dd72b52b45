import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRuntime, type RuntimeOptions } from './runtime.ts';
import { openDatabase } from './store/database.ts';
import { addItem, beginNext } from './store/inbox.ts';
import { claimLease, processName } from './store/lease.ts';

const ITEM = { session: 's', kind: 'text', text: 'Hello', address: {} } as const;

async function database() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ullage-runtime-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openDatabase(path.join(folder, 'chat'));
  onTestFinished(() => db.close());
  return db;
}

it('what came in elsewhere is not begun here, nor what came after it', async () => {
  const db = await database();
  await db.write((sql) => {
    addItem(sql, { ...ITEM, source: 'telegram:1', updateId: 1 }, 0);
    addItem(sql, { ...ITEM, source: 'terminal:s', updateId: 1 }, 0);
  });
  const begin = (source: string) => db.write((sql) => beginNext(sql, 's', source));
  expect(await begin('terminal:s')).toBeUndefined();
  expect(await begin('telegram:1')).toMatchObject({ id: 1, state: 'waiting' });
  expect(await begin('telegram:1')).toMatchObject({ id: 1, state: 'running' });
});

it('whoever leaves does not wait for a session that another process holds', async () => {
  const db = await database();
  const leaving = new AbortController();
  const chat = { db, now: () => 0, log: { write: () => {} } };
  const channel = { source: 'terminal:s' };
  const runtime = createRuntime({ chat, channel, parallel: 1, signal: leaving.signal, lookEveryMs: 1 } as unknown as RuntimeOptions);
  await db.write((sql) => claimLease(sql, { session: 's', owner: processName('another'), nowMs: 0 }));
  const running = runtime.run();
  await runtime.accept(() => ({ ...ITEM, source: 'terminal:s', updateId: 1 }));
  const idle = runtime.idle();
  leaving.abort();
  await Promise.all([idle, running]);
  expect(await db.read((sql) => sql.get<{ state: string }>('SELECT state FROM inbox'))).toEqual({ state: 'waiting' });
});
