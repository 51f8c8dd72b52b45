import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../terminal/text-width.ts';
import { runInTest } from '../testing/run-in-test.ts';
import type { Inspection } from './report.ts';

const CORPUS = path.resolve(import.meta.dirname, '../../../../../shared/corpus');

const LONG = 'The build failed in module seven because the parser met a token it does not know. '.repeat(60);
const call = (id: string, name: string, file: string) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify({ path: file }) },
});

const BODY = JSON.stringify({
  model: 'gpt-x',
  messages: [
    { role: 'system', content: 'You mend builds. '.repeat(40) },
    { role: 'user', content: 'Find out why the build fails.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('a', 'read', 'src/deep/folder/with/a/long/name/parser.ts'), call('b', 'list', 'src')],
    },
    { role: 'tool', tool_call_id: 'a', content: LONG },
    { role: 'tool', tool_call_id: 'b', content: 'parser.ts' },
    { role: 'assistant', content: 'Once more.', tool_calls: [call('c', 'read', 'src/deep/folder/with/a/long/name/parser.ts')] },
    { role: 'tool', tool_call_id: 'c', content: LONG },
    { role: 'assistant', content: 'It is the parser.' },
    { role: 'user', content: 'Mend it.\u001b[31m' },
    { role: 'assistant', content: null, tool_calls: [call('d', 'edit', 'x.ts')] },
  ],
  tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object' } } }],
});

async function inspectJson(args: readonly string[], stdin: string): Promise<Inspection> {
  const { exitCode, stdout, stderr } = await runInTest(['inspect', '-', '--json', ...args], { stdin });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Inspection;
}

const sum = (values: readonly { tokens: number }[]) => values.reduce((total, value) => total + value.tokens, 0);

describe('ullage inspect', () => {
  test('--json says where the tokens are; the kinds and the roles add up', async () => {
    const report = await inspectJson(['--window', '20k'], BODY);
    expect(report).toMatchObject({
      file: 'standard input',
      format: 'openai-chat',
      api: 'openai-chat',
      model: 'gpt-x',
      counts: { messages: 9, turns: 2, calls: 4, openCalls: 1 },
    });
    expect(sum(report.kinds)).toBe(report.tokens.total);
    expect(sum(report.roles)).toBe(report.tokens.messages);
    expect(sum(report.turns)).toBe(report.tokens.messages);
    expect(report.tokens.preamble + report.tokens.messages).toBe(report.tokens.total);
    expect(report.window).toEqual({
      tokens: 20_000,
      share: report.tokens.total / 20_000,
      free: 20_000 - report.tokens.total,
      isKnown: false,
    });
    expect(report.preamble.map((piece) => piece.name)).toContain('tool read');
    expect(report.turns.map((turn) => turn.ask)).toEqual(['Find out why the build fails.', 'Mend it.[31m']);
  });

  test('tools are weighed by what they brought, and a repeated result counts once', async () => {
    const report = await inspectJson([], BODY);
    expect(report.tools[0]).toMatchObject({ name: 'read', calls: 2, errors: 0 });
    expect(report.duplicates).toMatchObject({
      count: 1,
      groups: [{ label: 'read src/deep/folder/with/a/long/name/parser.ts', copies: 2 }],
    });
    expect(report.largest[0]).toMatchObject({ kind: 'tool results', label: 'read src/deep/folder/with/a/long/name/parser.ts' });
    expect(report.largest.map((part) => part.message).every((message) => message >= 1)).toBe(true);
  });

  test('--top bounds every table', async () => {
    const report = await inspectJson(['--top', '1'], BODY);
    expect([report.largest.length, report.tools.length, report.preamble.length]).toEqual([1, 1, 1]);
  });

  test('the report fits 80 columns, without colours or escapes, when it is not a terminal', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['inspect', '-', '--window', '1000'], { stdin: BODY });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(Math.max(...stdout.split('\n').map(textWidth))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('\u001b');
    for (const words of ['What fills it', 'Largest parts', 'too many', 'Duplicates 1 result', 'Open calls 1 call', 'A prune'])
      expect(stdout).toContain(words);
  });

  test('a narrow terminal gets a narrow report', async () => {
    const { stdout } = await runInTest(['inspect', '-'], { stdin: BODY, isTerminal: true, columns: 60, env: { NO_COLOR: '1' } });
    expect(Math.max(...stdout.split('\n').map(textWidth))).toBeLessThanOrEqual(60);
  });

  test('a damaged file is an error with the line, status 65, and nothing on standard output', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['inspect', '-'], { stdin: BODY.slice(0, 400) });
    expect({ exitCode, stdout }).toEqual({ exitCode: 65, stdout: '' });
    expect(stderr).toMatch(/^ullage: standard input, line 1, column 401: the JSON is damaged: expected .*\n/);
  });

  test('rules of the API that the transcript breaks are named', async () => {
    const report = await inspectJson([], BODY);
    expect(report.violations).toMatchObject({ count: 1, first: [{ path: expect.stringMatching(/^messages\.9/) }] });
    const stdin = JSON.stringify({
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: 'x', content: 'b' },
      ],
    });
    const { stdout } = await runInTest(['inspect', '-'], { stdin });
    expect(stdout).toContain('Broken rules 1 of openai-chat');
  });

  test('without --window the window is what is known of the model', async () => {
    const known = await inspectJson([], BODY.replace('gpt-x', 'gpt-4o'));
    expect(known.window).toMatchObject({ tokens: 128_000, isKnown: true });
    expect((await inspectJson([], BODY)).window).toBeUndefined();
  });

  test.each([
    [['--window', 'much'], 'option_invalid', '--window "much"'],
    [['--top', '0'], 'option_invalid', '--top "0"'],
    [['--format', 'word'], 'option_invalid', '--format "word": expected one of openai-chat'],
  ])('%j is refused with option, value and what was expected', async (args, code, message) => {
    const { exitCode, stdout } = await runInTest(['inspect', '-', '--json', ...args], { stdin: BODY });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(json|jsonl|traj)$/.test(file))
  : [];

describe.skipIf(files.length === 0)('the corpus (skipped without ../shared/corpus)', () => {
  test.each(files)('%s is inspected, and the sums hold', async (file) => {
    const { exitCode, stdout } = await runInTest(['inspect', path.join(CORPUS, file), '--json']);
    const report = JSON.parse(stdout) as Inspection;
    expect(exitCode).toBe(0);
    expect(sum(report.kinds)).toBe(report.tokens.total);
    expect(sum(report.roles)).toBe(report.tokens.messages);
    expect(report.prune.tokens).toBeLessThanOrEqual(report.tokens.messages);
  });
});
