// A child process is killed before and after every single effect of its work; the next process goes on as if nothing had happened (F24, Law 1).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { makeConversation, messagesOf } from '../support/conversation.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ullage-crash-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const conversationFile = path.join(folder, 'conversation.json');
const PIN = 'Keep the port 4711.';

/** Requests that grow over the threshold and are compacted once. */
function makeBodies(): Record<string, unknown>[] {
  const conversation = makeConversation('openai-chat', 5);
  for (let turn = 0; turn < 3; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  const bodies = [conversation.ask()];
  for (let turn = 0; turn < 5; turn++) conversation.grow({ steps: 3, resultWords: 250 });
  bodies.push(conversation.ask(), conversation.ask());
  return bodies;
}

const bodies = makeBodies();
fs.writeFileSync(conversationFile, JSON.stringify({ bodies, pin: PIN }));

interface Run {
  readonly wasKilled: boolean;
  readonly result?: { log: { text: string; status?: string }[]; decision: string; reason?: string; strikes: number };
}

function run(file: string, options: { clockStart: number; dieAt?: number; dieWhen?: 'before' | 'after' }): Run {
  const { clockStart, dieAt = 0, dieWhen = 'before' } = options;
  const script = path.join(import.meta.dirname, 'child.ts');
  const args = ['--import', 'tsx', script, file, conversationFile, String(clockStart), String(dieAt), dieWhen];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (child.signal === 'SIGKILL') return { wasKilled: true };
  if (child.status !== 0) throw new Error(child.stderr);
  return { wasKilled: false, result: JSON.parse(child.stdout) };
}

/** Past every lease and cooling of the killed process. */
const LATER_MS = 2_000_000;

async function storedMessages(file: string): Promise<unknown[]> {
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

describe('killed between every two effects', () => {
  const control = run(path.join(folder, 'control.db'), { clockStart: 0 });

  it('the control run compacts once', () => {
    expect(control.result!.log.filter((entry) => entry.status === 'compacted')).toHaveLength(1);
    expect(control.result!.log.at(-1)!.text).toContain(PIN);
  });

  it.each(['before', 'after'] as const)('%s the n-th effect, for every n: nothing lost, nothing twice, the same bytes go out', async (dieWhen) => {
    let kills = 0;
    for (let dieAt = 1; ; dieAt++) {
      const file = path.join(folder, `${dieWhen}-${dieAt}.db`);
      const killed = run(file, { clockStart: 0, dieAt, dieWhen });
      if (!killed.wasKilled) break;
      kills++;
      const again = run(file, { clockStart: LATER_MS });
      expect(await storedMessages(file)).toEqual(messagesOf(bodies.at(-1)).slice(1));
      const last = again.result!.log.at(-1)!;
      expect({ dieAt, ...summary(last.text) }).toEqual({ dieAt, ...summary(control.result!.log.at(-1)!.text) });
      expect(again.result!.decision).toBe(control.result!.decision);
      expect(again.result!.strikes).toBe(control.result!.strikes);
    }
    expect(kills).toBeGreaterThan(10);
  }, 300_000);
});

/** What must not depend on the crash: the newest messages as they came, the pin exactly once, one summary at most. */
function summary(text: string) {
  const messages = messagesOf(JSON.parse(text));
  return { last: messages.at(-1), pins: text.split(PIN).length - 1, ask: text.includes('Never push to main.') };
}
