// The demo's own sections. The incidents it ends with have tests of their own.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { inspectTranscript } from '../inspect/report.ts';
import { loadTranscript } from '../shared/load-transcript.ts';
import { colorsFor } from '../terminal/colors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runInTest } from '../testing/run-in-test.ts';
import { incidentSection, inspectSection, replaySection, searchSection, summarySection } from './demo-text.ts';
import { playExample } from './play-example.ts';
import { summaryExcerpt } from './summary-excerpt.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../../../examples/session.json');
const output = { write: () => {} };
const terminal = { stdin: process.stdin, stdout: output, stderr: output, env: {}, now: () => 0 } satisfies Terminal;
const options = { width: 80, colors: colorsFor(terminal, output) };

describe('the bundled session', () => {
  test('holds nothing of the machine it was made on', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).not.toMatch(/\/(?:home|Users|root|tmp|work)\//);
  });

  test('is compacted, what was folded is found again, and every section fits the screen', async () => {
    const loaded = await loadTranscript(EXAMPLE, {}, { terminal });
    const store = sqliteStore(':memory:');
    const played = await playExample(loaded, store, 0);
    expect(played.totals.compactions).toBeGreaterThan(0);
    expect(played.totals).toMatchObject({ unsent: 0, invalid: 0 });
    expect(played.found).toBeDefined();
    const sections = [
      inspectSection(inspectTranscript(loaded.transcript, { file: 'examples/session.json', top: 10 }), options),
      replaySection(played, options),
      summarySection(played, options),
      searchSection(played, options),
      incidentSection({ title: '5. Title', story: 'Story.', promises: [{ what: 'it holds', isKept: true, detail: 'yes' }] }, options),
    ];
    const lines = sections.flat();
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const text = lines.join(' ').replaceAll(/\s+(?:│ )?/g, ' ');
    expect(text).toContain('Never change a file under docs/decisions without asking me');
    expect(text).toContain(`“${played.found!.word}” is in no message that is sent now`);
    await store.close();
  });
});

test('a piece of a summary: the ask, what tools said last, what was said first', () => {
  const frame = ['<ullage-summary>', 'Reference material'];
  const own = [
    'The first request:',
    'Mend it.',
    'Lines:',
    '[read] a.ts',
    '→ one',
    '[user] Go on.',
    '[read] b.ts',
    '→ two',
    'three',
    '[assistant] Done.',
    '[read] c.ts',
    '→ four',
  ];
  expect(summaryExcerpt([...frame, ...own])).toEqual([
    'The first request:',
    'Mend it.',
    '[user] Go on.',
    '[read] b.ts',
    '→ two',
    '[assistant] Done.',
    '[read] c.ts',
    '→ four',
  ]);
});

test('a transcript that is not there ends the demo with its error', async () => {
  expect(await runInTest(['demo', '/nowhere/session.json'])).toMatchObject({
    exitCode: 65,
    stderr: expect.stringContaining('no such file'),
  });
});
