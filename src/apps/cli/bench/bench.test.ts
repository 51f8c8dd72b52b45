import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textWidth } from '../terminal/text-width.ts';
import { runInTest } from '../testing/run-in-test.ts';
import { filler, madeBody, type Said } from './testing/made-transcript.ts';

let folder = '';
let session = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ullage-bench-'));
  session = fileOf('session.json', madeBody(agentSession()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** An agent that reads parts of a project and comes back to them long afterwards. */
function agentSession(): readonly Said[] {
  const steps = (from: number) =>
    Array.from({ length: 12 }, (_, index): Said => {
      const number = from + index;
      return {
        call: { path: `src/part_${number}/module_${number}.ts` },
        result: `export const limitOfPart${number} = ${40_000 + number};\n${filler(150)}`,
      };
    });
  const again = Array.from(
    { length: 24 },
    (_, index): Said => ({ call: { note: `limitOfPart${index} in module_${index}.ts` }, result: 'ok' }),
  );
  return [
    { user: 'Check all parts. You must never change the limits yourself.' },
    ...steps(0),
    { agent: 'Half of it is read.' },
    ...steps(12),
    ...again,
  ];
}

describe('ullage bench', () => {
  test('without files says how to pass some', async () => {
    const { exitCode, stderr, stdout } = await runInTest(['bench']);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Name the transcripts to measure: ullage bench FILES…');
    expect(stderr).toContain('~/.claude/projects');
  });

  test('a table of at most 80 columns, with what presence does not prove', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['bench', session]);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('Presence is an upper bound on use');
    for (const name of ['Ullage', 'Ullage + handles', 'drop oldest', 'last N outputs', 'head + tail'])
      expect(stdout).toMatch(new RegExp(`^${name.replace('+', '\\+')} +\\d`, 'm'));
    expect(stdout).toMatch(/^at 25 %/m);
    expect(stdout).toMatch(/Valid on each API: (\d+) of \1 requests/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Idempotent: (\d+) of \1 unchanged when compacted again; \1 of \1 the same bytes twice/);
    for (const line of stdout.split('\n')) if (!line.includes(folder)) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });

  test('--json: one document, the same bytes twice', async () => {
    const first = await runInTest(['bench', session, '--json', '--budget', '25']);
    const second = await runInTest(['bench', session, '--json', '--budget', '25']);
    expect(second).toEqual(first);
    const document = JSON.parse(first.stdout);
    expect(Object.keys(document)).toEqual([
      ...[
        'note',
        'budgets',
        'retention',
        'leads',
        'kinds',
        'soundness',
        'stored',
        'rounds',
        'replay',
        'transcripts',
        'unread',
        'thresholds',
      ],
    ]);
    expect(document.budgets).toEqual([0.25]);
    expect(document.retention[0]).toMatchObject({ strategy: 'Ullage', budget: 0.25, overBudget: 0, invalid: 0 });
    expect(document.retention[0].metrics.cold.mean).toBeGreaterThan(document.retention.at(-1).metrics.cold.mean);
    expect(document.transcripts[0]).toMatchObject({ name: session, status: 'scored' });
  });

  test('--fail-under: 70 when a figure is lower, and which', async () => {
    const { exitCode, stdout } = await runInTest(['bench', session, '--budget', '25', '--fail-under', 'validity=100,cold@25=100.1']);
    expect(exitCode).toBe(70);
    expect(stdout).toContain('reached  validity=100: 100.0');
    expect(stdout).toMatch(/missed {3}cold@25=100.1: \d/);
    expect((await runInTest(['bench', session, '--budget', '25', '--fail-under', 'cold@25=1'])).exitCode).toBe(0);
  });

  test('options are checked before any file is read', async () => {
    const { exitCode, stderr } = await runInTest(['bench', 'none.json', '--fail-under', 'cold@33=5']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--fail-under "cold@33=5"');
  });

  test('damaged files, files with too few facts and files that are too short are named; the others are measured', async () => {
    const damaged = fileOf('damaged.json', '{"model":"x","messages":[{"role":"user","content":"cut o');
    const few = fileOf(
      'few.json',
      madeBody([{ user: 'hello' }, ...Array.from({ length: 20 }, (): Said => ({ call: { command: 'look' }, result: filler(50) }))]),
    );
    const short = fileOf('short.json', madeBody([{ user: 'hello' }, { agent: 'hello' }]));
    const { exitCode, stdout } = await runInTest([
      'bench',
      session,
      damaged,
      few,
      short,
      path.join(folder, 'absent.json'),
      '--budget',
      '25',
    ]);
    expect(exitCode).toBe(65);
    expect(stdout).toContain('1 transcript');
    expect(stdout).toContain(`${few}: fewer than 8 needed facts at every cut (at most 0)`);
    expect(stdout).toContain(`${short}: too short`);
    const flat = stdout.replaceAll(/\s+/g, ' ');
    expect(flat).toContain(`Could not be read: ${damaged}, line 1`);
    expect(flat).toContain('absent.json cannot be read: no such file');
  });

  test('a file that is named twice is measured once', async () => {
    const { stdout } = await runInTest(['bench', session, `${folder}/../${path.basename(folder)}/session.json`, '--budget', '25']);
    expect(stdout).toContain('Facts kept: 1 transcript,');
  });

  test('a window in which no request fits is named, instead of a transcript that is too small', async () => {
    const { exitCode, stdout } = await runInTest(['bench', session, '--budget', '25', '--window', '1']);
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Replay: no request fits a window of 1 tokens');
    expect((await runInTest(['bench', session, '--budget', '25'])).stdout).toContain('Replay: no transcript is large enough');
  });

  test('a request that could not be made to fit is not free', async () => {
    const { stdout } = await runInTest(['bench', session, '--budget', '25', '--window', '20', '--json', '--price', '1:1']);
    const { rows } = JSON.parse(stdout).replay;
    expect(rows[0]).toMatchObject({ strategy: 'Ullage', requests: 49, overWindow: 48 });
    expect(rows[0].costs[0]).toBeGreaterThan(0.9);
  });

  test('an empty set says so', async () => {
    const short = fileOf('short.json', madeBody([{ user: 'hello' }, { agent: 'hello' }]));
    const { exitCode, stdout } = await runInTest(['bench', short]);
    expect(exitCode).toBe(65);
    expect(stdout).toContain('Nothing to score: no transcript holds a cut with enough facts');
    const json = await runInTest(['bench', short, '--json', '--fail-under', 'cold@25=1']);
    expect(json.exitCode).toBe(65);
    expect(JSON.parse(json.stdout)).toMatchObject({ retention: [], thresholds: [{ isReached: false }] });
  });
});
