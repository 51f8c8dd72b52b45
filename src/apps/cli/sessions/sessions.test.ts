// `ullage sessions …` as it is called, on a database that a replay made.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openaiChatCodec } from '../../../wire/index.ts';
import { openDatabase } from '../shared/database.ts';
import { agentBody, scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';

const scratch = scratchFolder();
const KEY = 'replay:session.json';
const made = scratch.path('made.db');

let copies = 0;

/** A database of one's own, to change. */
function fresh(): string {
  copies += 1;
  const copy = scratch.path(`copy-${copies}.db`);
  copyFileSync(made, copy);
  return copy;
}

const sessions = (args: readonly string[], db = made) => runInTest(['sessions', ...args, '--db', db]);
const data = async (args: readonly string[], db = made) => JSON.parse((await sessions([...args, '--json'], db)).stdout);

beforeAll(async () => {
  const file = scratch.write('session.json', agentBody(20));
  await runInTest(['replay', file, '--window', '16k', '--db', made]);
});

describe('reading', () => {
  test('list', async () => {
    const { exitCode, stdout } = await sessions(['list']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^replay:session\.json +43 +2 +\d+ KB {2}1970-01-01/m);
    expect((await data(['list'])).sessions).toEqual([expect.objectContaining({ key: KEY, entries: 43, folds: 2, conversations: 1 })]);
    expect((await data(['list', '--tenant', 'somebody'])).sessions).toEqual([]);
  });

  test('show tells conversations, guard and compactions, with handles that open the folds', async () => {
    const { stdout } = await sessions(['show', KEY]);
    expect(stdout).toContain('openai-chat, gpt-4o, 43 messages');
    expect(stdout).toContain('guard: allow; clear');
    const { outcomes, conversations } = await data(['show', KEY]);
    expect(conversations).toHaveLength(1);
    expect(outcomes).toHaveLength(2);
    for (const { handle } of outcomes) {
      const { text, session } = await data(['read', handle]);
      expect(session).toBe(KEY);
      expect(text).toContain('Never push to main.');
    }
  });

  test('search finds what was folded; read opens it, whole or some lines', async () => {
    const { hits } = await data(['search', KEY, 'queueDepth3x41']);
    expect(hits).toEqual([expect.objectContaining({ handle: expect.stringMatching(/^e_/), role: 'tool' })]);
    const { handle } = hits[0];
    expect((await sessions(['search', KEY, 'queueDepth3x41'])).stdout).toContain(handle);
    expect((await sessions(['search', KEY, 'nothing', 'says', 'zzzzq'])).stdout).toBe('Nothing found.\n');
    const whole = (await sessions(['read', handle])).stdout;
    expect(whole.split('\n')).toHaveLength(61);
    expect((await sessions(['read', handle, '--lines', '42'])).stdout).toBe(`${whole.split('\n')[41]}\n`);
    expect((await sessions(['read', handle, '--lines', '2-3'])).stdout).toBe(`${whole.split('\n').slice(1, 3).join('\n')}\n`);
  });

  test('export gives every message as it came, or what is sent now', async () => {
    const { messages } = JSON.parse((await sessions(['export', KEY])).stdout);
    expect(messages).toEqual(JSON.parse(agentBody(20)).messages.slice(1));
    const sent = (await sessions(['export', KEY, '--compacted'])).stdout;
    expect(JSON.parse(sent).messages.length).toBeLessThan(30);
    const anthropic = JSON.parse((await sessions(['export', KEY, '--format', 'anthropic'])).stdout);
    expect(anthropic.messages[1].content.some((block: { type: string }) => block.type === 'tool_use')).toBe(true);
    const output = scratch.path('export.json');
    expect((await sessions(['export', KEY, '--output', output])).stdout).toBe('');
    expect(JSON.parse(readFileSync(output, 'utf8')).messages).toEqual(messages);
    expect((await data(['export', KEY])).body.messages).toEqual(messages);
  });
});

describe('changing', () => {
  test('pin adds, lists and takes away', async () => {
    const db = fresh();
    expect((await sessions(['pin', KEY], db)).stdout).toBe('No pins.\n');
    const { pins } = await data(['pin', KEY, 'Keep', 'the', 'port', '4711.'], db);
    expect(pins).toEqual([{ id: expect.any(String), text: 'Keep the port 4711.' }]);
    expect((await sessions(['show', KEY], db)).stdout).toContain('Keep the port 4711.');
    expect((await sessions(['pin', KEY, '--remove', 'none'], db)).exitCode).toBe(2);
    expect((await data(['pin', KEY, '--remove', pins[0].id], db)).pins).toEqual([]);
  });

  test('undo takes the newest fold back, and the guard says so', async () => {
    const db = fresh();
    const before = JSON.parse((await sessions(['export', KEY, '--compacted'], db)).stdout).messages.length;
    const undone = await data(['undo', KEY, '--window', '16k'], db);
    expect(undone.restoredMessages).toBeGreaterThan(0);
    const text = (await sessions(['export', KEY, '--compacted'], db)).stdout;
    expect(JSON.parse(text).messages.length).toBeGreaterThan(before);
    expect(openaiChatCodec.validate(text)).toEqual([]);
    expect((await data(['show', KEY, '--window', '16k'], db)).guard).toMatchObject({ decision: 'blocked', reason: 'guard_undone' });
  });

  test('delete asks nobody who is not there, and with --yes leaves no trace', async () => {
    const db = fresh();
    expect(await sessions(['delete', KEY], db)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') });
    expect((await data(['list'], db)).sessions).toHaveLength(1);
    expect(await data(['delete', KEY, '--yes'], db)).toEqual({ session: KEY, isDeleted: true, entries: 43 });
    expect((await data(['list'], db)).sessions).toEqual([]);
    expect(readFileSync(db).includes('queueDepth')).toBe(false);
  });

  test('prune deletes what is older, and only that', async () => {
    const db = fresh();
    const store = await openDatabase(db, { mustExist: true });
    const dayMs = 86_400_000;
    await store.ensureSession({ tenant: 'local', key: 'old', sessionId: 'old', atMs: -3 * dayMs });
    await store.close();
    expect(await data(['prune', '--older-than', '2d', '--dry-run'], db)).toMatchObject({ sessions: ['old'], isDryRun: true });
    expect((await data(['list'], db)).sessions).toHaveLength(2);
    expect(await data(['prune', '--older-than', '2d'], db)).toMatchObject({ sessions: ['old'], removed: { sessions: 1 } });
    expect((await data(['list'], db)).sessions.map(({ key }: { key: string }) => key)).toEqual([KEY]);
  });
});

describe('what is refused', () => {
  const missing = scratch.path('missing.db');
  const refused: readonly (readonly [string, readonly string[], string, number, string])[] = [
    ['a missing database', ['list'], missing, 69, 'no database'],
    ['a transcript as a database', ['list'], scratch.write('no-database.json', '{"messages":[]}'), 69, 'not a SQLite database'],
    ['an unknown session', ['show', 'nobody'], made, 65, 'nobody'],
    ['an unknown handle', ['read', 'e_0123456789ab'], made, 65, 'e_0123456789ab'],
    ['what is no handle', ['read', '../etc/passwd'], made, 65, 'handle'],
    ['lines that are none', ['read', 'e_0123456789ab', '--lines', '9-3'], made, 2, '--lines'],
    ['a limit that is none', ['search', KEY, 'x', '--limit', '0'], made, 2, '--limit'],
    ['an age that is none', ['prune', '--older-than', 'yesterday'], made, 2, '--older-than'],
    ['no age', ['prune'], made, 2, '--older-than'],
    ['an unknown format', ['export', KEY, '--format', 'xml'], made, 2, '--format'],
    ['an unknown command', ['nope'], made, 2, 'unknown option'],
  ];
  test.each(refused)('%s', async (_, args, db, exitCode, message) => {
    const run = await sessions(args, db);
    expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('nothing was created where nothing was', () => {
    expect(existsSync(missing)).toBe(false);
  });

  test('no command at all, or another one: their names', async () => {
    expect(await runInTest(['sessions'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('list, show, search') });
    expect(await runInTest(['sessions', 'nope'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('list, show, search') });
  });
});
