// A folder with one conversation file, and children that play it on SQLite files and may be killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeConversation } from '../support/conversation.ts';

export const PIN = 'Keep the port 4711.';

/** Past every lease and cooling of a killed process. */
export const LATER_MS = 2_000_000;

/** Requests that grow over the threshold and are compacted once. */
function makeBodies(): readonly Record<string, unknown>[] {
  const conversation = makeConversation('openai-chat', 5);
  for (let turn = 0; turn < 3; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  const first = conversation.ask();
  for (let turn = 0; turn < 5; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  return [first, conversation.ask(), conversation.ask()];
}

export const bodies = makeBodies();

export interface ChildResult {
  readonly log: readonly { readonly text: string; readonly status?: string }[];
  readonly decision: string;
  readonly strikes: number;
}

export interface ChildRun {
  readonly wasKilled: boolean;
  readonly result?: ChildResult;
}

export interface World {
  readonly folder: string;
  run(file: string, options: { readonly clockStart: number; readonly dieAfter?: number }): ChildRun;
  start(file: string, options: { readonly clockStart: number }): ChildProcess;
  remove(): void;
}

export function makeWorld(): World {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ullage-crash-'));
  const conversationFile = path.join(folder, 'conversation.json');
  fs.writeFileSync(conversationFile, JSON.stringify({ bodies, pin: PIN }));
  const argv = (file: string, clockStart: number, dieAfter = 0) => {
    const script = path.join(import.meta.dirname, 'child.ts');
    return ['--import', 'tsx', script, file, conversationFile, String(clockStart), String(dieAfter)];
  };
  return {
    folder,
    run(file, { clockStart, dieAfter }) {
      const child = spawnSync(process.execPath, argv(file, clockStart, dieAfter), { encoding: 'utf8' });
      if (child.signal === 'SIGKILL') return { wasKilled: true };
      if (child.status !== 0) throw new Error(child.stderr);
      return { wasKilled: false, result: JSON.parse(child.stdout) as ChildResult };
    },
    start: (file, { clockStart }) => spawn(process.execPath, argv(file, clockStart), { stdio: 'ignore' }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every entry of the session's one conversation, each exactly once. */
export async function storedMessages(file: string): Promise<readonly unknown[]> {
  const store = sqliteStore(file);
  await store.open();
  const session = (await store.findSession({ tenant: 'local', key: 'crash' }))!;
  const conversations = await store.conversations({ tenant: 'local', sessionId: session.sessionId });
  expect(conversations).toHaveLength(1);
  const entries = await store.readEntries({ tenant: 'local', sessionId: session.sessionId, tip: conversations[0]!.tip!.chain });
  await store.close();
  expect(new Set(entries.map((entry) => entry.chain)).size).toBe(entries.length);
  return entries.map((entry) => JSON.parse(entry.raw!));
}

/** What must not depend on a crash: the newest message as it came, pin and first ask once, one summary, the guard's decision. */
export function factsOf({ log, decision, strikes }: ChildResult) {
  const text = log.at(-1)!.text;
  const messages = (JSON.parse(text) as { messages: unknown[] }).messages;
  return {
    last: messages.at(-1),
    pins: text.split(PIN).length - 1,
    asks: text.split('Never push to main.').length - 1,
    isCompacted: text.length < JSON.stringify(bodies.at(-1)).length / 2,
    decision,
    strikes,
  };
}
