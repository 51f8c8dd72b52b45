import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../shared/database.ts';
import { scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';
import { checkNode } from './checks.ts';

const scratch = scratchFolder();

async function makeDatabase(name: string): Promise<string> {
  const file = scratch.path(name);
  await (await openDatabase(file, { mustExist: false })).close();
  return file;
}

describe('ullage doctor', () => {
  test('a sound database and what this machine has', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['doctor', '--db', await makeDatabase('sound.db')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const name of ['Node.js', 'SQLite library', 'a new database', 'exact tokenizer', 'integrity', 'search', 'file modes']) {
      expect(stdout).toMatch(new RegExp(`^✓ ${name}`, 'm'));
    }
    expect(stdout).not.toContain('✗');
  });

  test('--json', async () => {
    const { ok, checks } = JSON.parse((await runInTest(['doctor', '--db', await makeDatabase('json.db'), '--json'])).stdout);
    expect(ok).toBe(true);
    for (const check of checks) expect(check).toEqual({ name: expect.any(String), ok: true, detail: expect.any(String) });
  });

  test('files that others could read are closed, which is said', async () => {
    const file = await makeDatabase('open.db');
    chmodSync(file, 0o644);
    const { stdout } = await runInTest(['doctor', '--db', file]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('only the owner can read the files; until now others could, too');
  });

  test('a missing, a foreign and a damaged database end with 69, and the rest is still checked', async () => {
    const missing = scratch.path('missing.db');
    const foreign = scratch.write('foreign.db', 'something else');
    const damaged = await makeDatabase('damaged.db');
    const bytes = readFileSync(damaged);
    bytes.fill(0xff, 4_096, bytes.length);
    writeFileSync(damaged, bytes);
    for (const file of [missing, foreign, damaged]) {
      const { exitCode, stdout } = await runInTest(['doctor', '--db', file]);
      expect({ file, exitCode }).toEqual({ file, exitCode: 69 });
      expect(stdout).toMatch(/^✗ (database|integrity)/m);
      expect(stdout).toMatch(/^✓ a new database/m);
    }
    expect(existsSync(missing)).toBe(false);
    expect(readFileSync(foreign, 'utf8')).toBe('something else');
  });

  test.each([
    ['20.12.0', true],
    ['20.11.1', false],
    ['18.20.0', false],
    ['22.1.0', true],
  ])('Node.js %s: %s', (version, ok) => {
    expect(checkNode(version).ok).toBe(ok);
  });
});
