// `ullage compact` as it is called.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { APIS } from '../../../core/transcript/entry.ts';
import { codecFor, openaiChatCodec } from '../../../wire/index.ts';
import { measureRequest } from '../shared/request-size.ts';
import { agentBody, agentBodyOf, scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';

const scratch = scratchFolder();
const BODY = agentBody(20);
const SIZE = measureRequest(openaiChatCodec, BODY).tokens;
const file = scratch.write('session.json', BODY);

describe('ullage compact', () => {
  test('writes a valid request of a quarter of the size, and says on standard error what it did', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['compact', file]);
    expect(exitCode).toBe(0);
    const { tokens, messages } = measureRequest(openaiChatCodec, stdout);
    expect(tokens).toBeLessThanOrEqual(SIZE / 4);
    expect(tokens).toBeGreaterThan(SIZE / 8);
    expect(openaiChatCodec.validate(stdout)).toEqual([]);
    expect(stdout).toContain('Never push to main.');
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stderr).toMatch(/tokens +\d+,\d+ +\d+,\d+/);
    expect(stderr).toMatch(new RegExp(`messages +44 +${messages}`));
    expect(stderr).toContain('folded into one summary');
  });

  test('its output compacted again at the same size in tokens is the same, byte for byte', async () => {
    const target = String(Math.floor(SIZE / 4));
    const once = await runInTest(['compact', file, '--target', target]);
    const twice = await runInTest(['compact', '-', '--target', target], { stdin: once.stdout });
    expect(twice.stdout).toBe(once.stdout);
    expect(twice.stderr).toContain('Unchanged');
  });

  test('a transcript that fits goes out as it came', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['compact', file, '--target', '100%']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${BODY}\n` });
    expect(stderr).toContain('Unchanged');
  });

  test('numbers that JavaScript cannot hold survive, in the request and in --json', async () => {
    expect((await runInTest(['compact', file])).stdout).toContain('"seed":12345678901234567890');
    expect((await runInTest(['compact', file, '--json'])).stdout).toContain('"seed":12345678901234567890');
  });

  test('--json is one document with sizes, stages and the request', async () => {
    const { stdout, stderr } = await runInTest(['compact', file, '--json', '--target', '30%']);
    expect(stderr).toBe('');
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      status: 'compacted',
      format: 'openai-chat',
      api: 'openai-chat',
      model: 'gpt-4o',
      target: Math.floor(SIZE * 0.3),
      window: 128_000,
      fitsTarget: true,
      fitsWindow: true,
      before: { tokens: SIZE, messages: 44, bytes: Buffer.byteLength(BODY) },
      summary: 'facts',
      violations: [],
    });
    expect(document.stages.map((stage: { kind: string }) => stage.kind)).toContain('fold');
    expect(measureRequest(openaiChatCodec, JSON.stringify(document.body)).tokens).toBe(document.after.tokens);
    expect(document.plan).toBeUndefined();
  });

  test('--dry-run shows the plan and writes no request', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['compact', file, '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Plan\nFold: messages 1 to \d+ become one summary/);
    expect(stdout).toMatch(/Messages \d+ to 43 go out as they came\.\n$/);
    expect(stdout).not.toContain('"messages"');
    expect(stderr).toContain('planned');
    const { plan, body } = JSON.parse((await runInTest(['compact', file, '--dry-run', '--json'])).stdout);
    expect(body).toBeUndefined();
    expect(plan).toMatchObject({ preambleMessages: 1, watermark: 42 });
    expect(plan.fold.text).toContain('Never push to main.');
  });

  test('--focus reaches the plan', async () => {
    const plain = await runInTest(['compact', file, '--target', '10%']);
    const focused = await runInTest(['compact', file, '--target', '10%', '--focus', 'queueDepth3x41']);
    expect(plain.stdout).not.toContain('queueDepth3x41');
    expect(focused.stdout).toContain('queueDepth3x41');
  });

  test('--output takes the request, nothing goes to standard output', async () => {
    const output = scratch.path('out.json');
    const { exitCode, stdout } = await runInTest(['compact', file, '--output', output]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(readFileSync(output, 'utf8')).toBe((await runInTest(['compact', file])).stdout);
    const { body } = JSON.parse((await runInTest(['compact', file, '--json', '--output', output])).stdout);
    expect(body).toBeUndefined();
  });

  test('the input is replaced only when that is said', async () => {
    const own = scratch.write('own.json', BODY);
    const refused = await runInTest(['compact', own, '--output', own]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--force') });
    expect(readFileSync(own, 'utf8')).toBe(BODY);
    expect((await runInTest(['compact', own, '--output', own, '--force'])).exitCode).toBe(0);
    expect(readFileSync(own, 'utf8').length).toBeLessThan(BODY.length / 2);
  });

  test('by default a result is never more than the automatic target of the window', async () => {
    const { target } = JSON.parse((await runInTest(['compact', file, '--json', '--window', '8k'])).stdout);
    expect(target).toBe(2_800);
  });

  test('a preamble over the target: the best there is, the reason, and 78 when it does not even fit the window', async () => {
    const system = 'Rule after rule. '.repeat(1_500);
    const heavy = scratch.write(
      'heavy.json',
      JSON.stringify({ model: 'm', messages: [{ role: 'system', content: system }, ...JSON.parse(BODY).messages.slice(1)] }),
    );
    const fitting = await runInTest(['compact', heavy, '--target', '2000']);
    expect(fitting.exitCode).toBe(0);
    expect(fitting.stderr.replaceAll(/\s+/g, ' ')).toContain('The target of 2,000 tokens cannot be reached: the preamble');
    expect(measureRequest(openaiChatCodec, fitting.stdout).tokens).toBeGreaterThan(2_000);
    const over = await runInTest(['compact', heavy, '--target', '2000', '--window', '3k']);
    expect(over.exitCode).toBe(78);
    expect(over.stderr).toContain('does not fit the window of 3,000');
    expect(over.stdout).toBe(fitting.stdout);
  });

  test('a target that cannot be reached: the second time is the same as the first, and the first ask stays', async () => {
    const once = await runInTest(['compact', file, '--target', '150']);
    const twice = await runInTest(['compact', '-', '--target', '150'], { stdin: once.stdout });
    expect(twice.stdout).toBe(once.stdout);
    expect(twice.stdout).toContain('Never push to main.');
  });

  test('a call without a result is answered, also when nothing else is to do', async () => {
    const messages = JSON.parse(agentBody(2)).messages.filter((message: { tool_call_id?: string }) => message.tool_call_id !== 'call_2');
    const { stdout } = await runInTest(['compact', '-', '--target', '100%'], { stdin: JSON.stringify({ model: 'm', messages }) });
    expect(openaiChatCodec.validate(stdout)).toEqual([]);
  });
});

describe.each(APIS)('%s', (api) => {
  const codec = codecFor(api);
  const text = agentBodyOf(api, 20);
  const { tokens } = measureRequest(codec, text);

  test.each([0.1, 0.25, 0.5])('at %d of its size: valid, small enough, and a second time the same bytes', async (share) => {
    const target = String(Math.floor(share * tokens));
    const once = await runInTest(['compact', '-', '--target', target], { stdin: text });
    expect(codec.validate(once.stdout)).toEqual([]);
    expect(measureRequest(codec, once.stdout).tokens).toBeLessThanOrEqual(Number(target));
    const twice = await runInTest(['compact', '-', '--target', target], { stdin: once.stdout });
    expect(twice.stdout).toBe(once.stdout);
  });

  test('replayed, every request keeps the rules', async () => {
    const file = scratch.write(`${api}.json`, text);
    const { totals, files } = JSON.parse((await runInTest(['replay', file, '--window', '16k', '--json'])).stdout);
    expect(files[0].api).toBe(api);
    expect(totals).toMatchObject({ requests: 22, invalid: 0, unsent: 0 });
    expect(totals.compactions).toBeGreaterThan(0);
  });
});

describe('what ullage compact refuses, writing nothing', () => {
  mkdirSync(scratch.path('folder'));
  const cases: readonly (readonly [name: string, args: readonly string[], exitCode: number, message: string])[] = [
    ['a folder', [scratch.path('folder')], 65, 'is a directory'],
    ['a missing file', [scratch.path('missing.json')], 65, 'no such file'],
    ['a binary file', [scratch.write('binary', Buffer.from([1, 2, 0, 3]))], 65, 'binary'],
    ['an empty file', [scratch.write('empty', '')], 65, 'is empty'],
    ['damaged JSON', [scratch.write('cut.json', BODY.slice(0, 5_000))], 65, 'the JSON is damaged'],
    ['an unknown format', [scratch.write('other.json', '{"a":1}')], 65, 'none of the known formats'],
    [
      'a request on server state',
      [scratch.write('state.json', '{"model":"m","input":"hi","previous_response_id":"r"}')],
      65,
      'previous_response_id',
    ],
    ['--window 0', [file, '--window', '0'], 2, '--window'],
    ['--window NaN', [file, '--window', 'NaN'], 2, '--window'],
    ['a negative --target', [file, '--target', '-5'], 2, '--target'],
    ['a --target over 100 %', [file, '--target', '101%'], 2, '--target'],
    ['a --target over --window', [file, '--target', '9k', '--window', '8k'], 2, 'below --window'],
    ['an unknown --format', [file, '--format', 'xml'], 2, '--format'],
    ['an --output that is a folder', [file, '--output', scratch.path('folder')], 2, 'it is a folder'],
    ['an --output with --dry-run', [file, '--output', scratch.path('dry.json'), '--dry-run'], 2, '--dry-run'],
  ];
  test.each(cases)('%s', async (_, args, exitCode, message) => {
    const run = await runInTest(['compact', ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(message);
    const json = JSON.parse((await runInTest(['compact', ...args, '--json'])).stdout);
    expect(json.error.message).toContain(message);
  });

  test('no --output file is made of bad input', async () => {
    const output = scratch.path('never.json');
    await runInTest(['compact', scratch.path('cut.json'), '--output', output]);
    expect(existsSync(output)).toBe(false);
  });

  test('an existing --output is left alone by bad input', async () => {
    const output = scratch.path('kept.json');
    writeFileSync(output, 'kept');
    await runInTest(['compact', scratch.path('cut.json'), '--output', output]);
    expect(readFileSync(output, 'utf8')).toBe('kept');
  });
});
