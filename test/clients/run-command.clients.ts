// `ullage run -- PROGRAM`, as the README writes it, with the real programs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { strictProvider } from '../../src/testkit/index.ts';
import { installClient } from './install-client.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/apps/cli/main.ts');
const TSX = import.meta.resolve('tsx');

interface RunCommand {
  readonly program: readonly string[];
  readonly client: string;
  readonly env: (home: string) => Readonly<Record<string, string>>;
}

async function runBehindGateway({ program, client, env }: RunCommand): Promise<ProgramRun & { readonly statuses: readonly unknown[] }> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'ullage-run-'));
  const provider = await strictProvider({ answer: () => 'The answer is forty-two.' });
  const bin = path.join(installClient(client), 'node_modules/.bin');
  const upstreams = ['--upstream-anthropic', provider.url, '--upstream-openai', provider.url];
  try {
    const run = await runProgram({
      command: process.execPath,
      args: ['--import', TSX, MAIN, 'run', '--db', path.join(home, 'ullage.db'), ...upstreams, '--', ...program],
      cwd: home,
      env: { HOME: home, PATH: `${bin}:${process.env.PATH ?? ''}`, ...env(home) },
    });
    return { ...run, statuses: provider.requests.filter(({ kind }) => kind === 'generate').map(({ status }) => status) };
  } finally {
    await provider.close();
    rmSync(home, { recursive: true, force: true });
  }
}

test('ullage run -- claude', async () => {
  const run = await runBehindGateway({
    client: 'claude-code',
    program: ['claude', '-p', 'Say something.'],
    env: (home) => ({
      CLAUDE_CONFIG_DIR: path.join(home, 'claude'),
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  });
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
  expect(run.statuses).toEqual([200]);
  expect(run.stderr).toContain('ullage: nothing had to be compacted');
});

test('ullage run -- codex', async () => {
  const run = await runBehindGateway({
    client: 'codex',
    program: ['codex', 'exec', '--skip-git-repo-check', 'Say something.'],
    env: (home) => {
      const folder = path.join(home, 'codex');
      mkdirSync(folder);
      writeFileSync(path.join(folder, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: 'sk-dummy' }));
      writeFileSync(path.join(folder, 'config.toml'), '[analytics]\nenabled = false\n');
      return { CODEX_HOME: folder };
    },
  });
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
  expect(run.statuses).toEqual([200]);
});
