// `ullage replay FILE…` as it is called.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { agentBody, scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';

const scratch = scratchFolder();
const file = scratch.write('session.json', agentBody(20));

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('ullage replay', () => {
  test('shows history against what was sent, each compaction and the totals; nothing stays behind', async () => {
    const temporary = scratch.path('temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const { exitCode, stdout, stderr } = await runInTest(['replay', file, '--window', '16k']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^history [▁-█]+ \d+,\d+$/m);
    expect(stdout).toMatch(/^sent {4}[▁-█]+ \d+,\d+$/m);
    expect(stdout).toMatch(/^ +#\d+ +1\d,\d{3} +\d,\d{3} {2}.*folded \d+/m);
    expect(stdout).toContain('22 requests, 2 compactions');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Every request keeps the rules of its API');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('--json holds the same as data, and is the same for the same file', async () => {
    const { stdout, stderr } = await runInTest(['replay', file, '--window', '16k', '--json']);
    expect(stderr).toBe('');
    const { files, totals } = JSON.parse(stdout);
    expect(files).toHaveLength(1);
    const [replay] = files;
    expect(replay).toMatchObject({
      api: 'openai-chat',
      model: 'gpt-4o',
      window: { tokens: 16_000, source: 'told' },
      budget: { threshold: expect.any(Number) },
    });
    expect(replay.series.history).toHaveLength(22);
    expect(replay.series.sent).toHaveLength(22);
    expect(Math.max(...replay.series.sent)).toBeLessThanOrEqual(replay.budget.threshold);
    const compacted = expect.objectContaining({
      request: expect.any(Number),
      status: 'compacted',
      triggerReason: 'token_threshold',
      exhausted: false,
    });
    expect(replay.outcomes).toEqual([compacted, compacted]);
    expect(totals).toMatchObject({ requests: 22, compactions: 2, unsent: 0, invalid: 0 });
    expect(totals.largestTokens).toBeLessThan(totals.never.largestTokens);
    expect(totals.cacheShare).toBeGreaterThan(0.5);
    const again = JSON.parse((await runInTest(['replay', file, '--window', '16k', '--json'])).stdout);
    expect(again.files[0].series).toEqual(replay.series);
  });

  test('--threshold and --target move the marks', async () => {
    const { files } = JSON.parse(
      (await runInTest(['replay', file, '--window', '30k', '--threshold', '10k', '--target', '30%', '--json'])).stdout,
    );
    expect(files[0].budget).toMatchObject({ threshold: 10_000, target: Math.floor(0.3 * files[0].budget.usable) });
  });

  test('without --window it says which one it takes and why', async () => {
    const { stdout } = await runInTest(['replay', file]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'window 16,000 (chosen so that something happens, the 128,000 of its model would not fill',
    );
  });

  test('several files have totals together', async () => {
    const other = scratch.write('other.json', agentBody(3));
    const { stdout } = await runInTest(['replay', file, other]);
    expect(stdout).toContain('All 2 transcripts');
    const { totals, files } = JSON.parse((await runInTest(['replay', file, other, '--json'])).stdout);
    expect(totals.requests).toBe(files[0].totals.requests + files[1].totals.requests);
  });

  test('--db keeps the conversation, and a second replay is a session of its own', async () => {
    const db = scratch.path('kept.db');
    const first = JSON.parse((await runInTest(['replay', file, '--window', '16k', '--db', db, '--json'])).stdout);
    const second = JSON.parse((await runInTest(['replay', file, '--window', '16k', '--db', db, '--json'])).stdout);
    expect([first.files[0].session, second.files[0].session]).toEqual(['replay:session.json', 'replay:session.json#2']);
    expect(second.files[0].series).toEqual(first.files[0].series);
    const { sessions } = JSON.parse((await runInTest(['sessions', 'list', '--db', db, '--json'])).stdout);
    expect(sessions.map(({ entries, folds }: { entries: number; folds: number }) => ({ entries, folds }))).toEqual([
      { entries: 43, folds: 2 },
      { entries: 43, folds: 2 },
    ]);
  });

  test('a floor over the window: nothing can be sent, which is said, and the status is 78', async () => {
    const system = 'Rule after rule. '.repeat(3_000);
    const heavy = scratch.write(
      'heavy.json',
      JSON.stringify({
        model: 'm',
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: 'go' },
        ],
      }),
    );
    const { exitCode, stdout } = await runInTest(['replay', heavy, '--window', '4k']);
    expect(exitCode).toBe(78);
    expect(stdout).toContain('floor_exceeds_window');
    expect(stdout).toContain('1 request could not be made to fit');
  });

  const refused: readonly (readonly [string, readonly string[], number, string])[] = [
    ['no file', [], 2, 'Name at least one transcript'],
    ['a file beside an incident', [file, '--incident', '220'], 2, 'leave the files out'],
    ['an unknown incident', ['--incident', 'nope'], 2, 'restart, 220'],
    ['a target above the threshold', [file, '--threshold', '0.5', '--target', '60%'], 2, '--target'],
    ['a threshold above the window', [file, '--threshold', '300k', '--window', '200k'], 2, '--threshold'],
    ['--threshold NaN', [file, '--threshold', 'NaN'], 2, '--threshold'],
    ['--window 0', [file, '--window', '0'], 2, '--window'],
    ['a damaged file', [scratch.write('cut.json', agentBody(2).slice(0, 900))], 65, 'damaged'],
    ['a --db in no folder', [file, '--db', scratch.path('no/x.db')], 69, 'does not exist'],
  ];
  test.each(refused)('%s is refused', async (_, args, exitCode, message) => {
    const run = await runInTest(['replay', ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('no database is made of bad input', async () => {
    const db = scratch.path('never.db');
    await runInTest(['replay', scratch.path('cut.json'), '--db', db]);
    await runInTest(['replay', file, '--db', db, '--window', '-1']);
    expect(existsSync(db)).toBe(false);
  });
});
