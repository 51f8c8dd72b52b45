// `ullage serve` and `ullage run` as processes: what they print, how they end, what a program behind them sees.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type StrictProvider, strictProvider } from '../../../testkit/index.ts';
import { completeLimits } from '../../gateway/options.ts';
import { scratchFolder } from '../shared/testing/scratch.ts';
import { runInTest } from '../testing/run-in-test.ts';
import { LIMIT_NAMES } from './gateway-options.ts';
import { argumentsFor, environmentFor, upstreamsOf } from './program-settings.ts';
import { readTokens } from './tokens.ts';

const scratch = scratchFolder();
const MAIN = path.join(import.meta.dirname, '../main.ts');
const TSX = import.meta.resolve('tsx');

/** As long as a test may take. */
const LIMIT_MS = 60_000;

const children: ChildProcess[] = [];
const providers: StrictProvider[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const provider of providers.splice(0)) await provider.close();
});

interface Started {
  readonly child: ChildProcess;
  readonly written: { stdout: string; stderr: string };
  readonly exit: Promise<number | null>;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, ['--import', TSX, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    env: { PATH: process.env.PATH, ...env },
  });
  children.push(child);
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (written.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (written.stderr += String(chunk)));
  return { child, written, exit: new Promise((resolve) => child.on('close', resolve)) };
}

async function provider(): Promise<StrictProvider> {
  const started = await strictProvider();
  providers.push(started);
  return started;
}

const CHAT = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
const ASK = `fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(CHAT)} })`;

describe('ullage serve', () => {
  test('listens, answers, and ends in order on SIGTERM', async () => {
    const upstream = await provider();
    const { child, written, exit } = start([
      'serve',
      '--port',
      '0',
      '--db',
      scratch.path('serve.db'),
      '--upstream-openai',
      `${upstream.url}/v1`,
    ]);
    await expect.poll(() => written.stdout, { timeout: 30_000 }).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n$/);
    const url = written.stdout.trim().replace('Listening on ', '');
    await expect.poll(() => written.stderr).toContain(`OPENAI_BASE_URL=${url}/v1`);
    expect(written.stderr).toContain(`ANTHROPIC_BASE_URL=${url}`);
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: CHAT,
    });
    expect(answer.status).toBe(200);
    expect(upstream.requests).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await exit).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test.each([
    [['--host', '0.0.0.0'], 2, '--host 0.0.0.0'],
    [['--port', 'x'], 2, '--port "x"'],
    [['--retention', 'soon'], 2, '--retention "soon"'],
    [['--summarizer', 'maybe'], 2, '--summarizer "maybe"'],
    [['--upstream-openai', 'nowhere'], 2, '--upstream-openai "nowhere"'],
    [['--tokens-file', '/nonexistent'], 2, '--tokens-file /nonexistent'],
    [['--limit', 'maxInflight=3'], 2, 'one of maxBodyBytes'],
    [['--limit', 'maxInFlight=many'], 2, '--limit maxInFlight "many"'],
  ])('%j ends with %d', async (args, exitCode, message) => {
    const run = await runInTest(['serve', '--db', scratch.path('refused.db'), ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('a database that cannot be opened ends with 69', async () => {
    const run = await runInTest(['serve', '--db', scratch.write('notes.txt', 'no database')]);
    expect(run).toMatchObject({ exitCode: 69, stdout: '' });
  });

  test('tokens come from the environment, a file and the command line; their secrets are told nowhere', async () => {
    const file = scratch.write('tokens', '# ours\nann = aaaaaaaaaaaaaaaa\n\n');
    const tokens = await readTokens({ environment: 'bob=b=b, carl=cccc', file, words: ['dora=dddd'] });
    expect(tokens).toEqual([
      { name: 'bob', secret: 'b=b' },
      { name: 'carl', secret: 'cccc' },
      { name: 'ann', secret: 'aaaaaaaaaaaaaaaa' },
      { name: 'dora', secret: 'dddd' },
    ]);
    const run = await runInTest(['serve', '--db', scratch.path('t.db')], { env: { ULLAGE_TOKENS: 'verysecretvalue' } });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain('verysecretvalue');
  });
});

describe('ullage run', () => {
  const run = (command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    start(['run', '--db', scratch.path('run.db'), '--log-file', scratch.path('run.log'), '--', ...command], env);

  test('the program has the gateway’s address, its exit status is ours, and what was saved is told in two lines', async () => {
    const upstream = await provider();
    const script = `${ASK}.then(async (answer) => { console.log(answer.status, (await answer.json()).choices[0].message.content); process.exit(7); })`;
    const { written, exit } = run([process.execPath, '-e', script], { OPENAI_BASE_URL: `${upstream.url}/v1` });
    expect(await exit, written.stderr).toBe(7);
    expect(written.stdout).toBe('200 Well done.\n');
    expect(written.stderr).toBe('ullage: 1 request, 0 compactions\nullage: nothing had to be compacted\n');
    expect(statSync(scratch.path('run.log')).mode & 0o777).toBe(0o600);
    expect(readFileSync(scratch.path('run.log'), 'utf8')).toContain('Retention of 90 days');
  });

  test.skipIf(!existsSync('/dev/full'))('a log that cannot be written costs no request', async () => {
    const script = `${ASK}.then((answer) => process.exit(answer.status === 502 ? 7 : 1))`;
    const words = ['run', '--db', scratch.path('full.db'), '--log-file', '/dev/full', '--', process.execPath, '-e', script];
    const { written, exit } = start(words, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(await exit, written.stderr).toBe(7);
  });

  test('a program that is not there is told with status 127', async () => {
    const { written, exit } = run(['no-such-program']);
    expect(await exit).toBe(127);
    expect(written.stderr).toContain('no-such-program: there is no such program');
  });

  test('a signal reaches the program, and its end is ours', async () => {
    const { child, written, exit } = run([
      process.execPath,
      '-e',
      "process.on('SIGTERM', () => process.exit(9)); console.log('up'); setTimeout(() => {}, 60_000)",
    ]);
    await expect.poll(() => written.stdout, { timeout: 30_000 }).toBe('up\n');
    child.kill('SIGTERM');
    expect(await exit).toBe(9);
  });

  test('a program that a signal ends has the status that a shell gives it', async () => {
    const { exit } = run(['sh', '-c', 'kill -KILL $$']);
    expect(await exit).toBe(137);
  });
});

test('every limit of a gateway can be named on the command line', () => {
  expect([...LIMIT_NAMES].sort()).toEqual(Object.keys(completeLimits()).sort());
});

describe('what a program is told', () => {
  const url = 'http://127.0.0.1:5000';

  test('servers that the environment names are the upstreams', () => {
    expect(upstreamsOf({ ANTHROPIC_BASE_URL: 'http://a', OPENAI_BASE_URL: ' ', OPENAI_API_BASE: 'http://b/v1' })).toEqual({
      anthropic: 'http://a',
      openai: 'http://b/v1',
    });
    expect(upstreamsOf({})).toEqual({});
  });

  test('a proxy is not used for the gateway', () => {
    expect(environmentFor({ HTTPS_PROXY: 'http://p', NO_PROXY: 'intern' }, url)).toMatchObject({
      NO_PROXY: 'intern,127.0.0.1',
      no_proxy: 'intern,127.0.0.1',
    });
    expect(environmentFor({}, url).NO_PROXY).toBeUndefined();
  });

  test('Codex is given a provider, others their own arguments', () => {
    expect(argumentsFor('/usr/bin/codex', ['exec', 'hi'], url)).toEqual(
      expect.arrayContaining(['-c', `model_providers.ullage.base_url="${url}/v1"`, 'exec', 'hi']),
    );
    expect(argumentsFor('claude', ['-p', 'hi'], url)).toEqual(['-p', 'hi']);
  });
});
