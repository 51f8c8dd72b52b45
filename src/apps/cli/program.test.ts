import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from './registry.ts';
import { runInTest } from './testing/run-in-test.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };

describe('the command line', () => {
  test('--version prints the version of the package and nothing else', async () => {
    expect(await runInTest(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('--help lists every command that is not hidden', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const command of COMMANDS) expect(stdout.includes(`  ${command.name}`)).toBe(command.isHidden !== true);
  });

  test('without a command it shows the help on standard error and ends with 2', async () => {
    const { exitCode, stdout, stderr } = await runInTest([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: ullage');
  });

  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['inspekt'], 'inspect'],
    [['inspect'], "missing required argument 'file'"],
    [['inspect', 'a', '--nonsense'], "unknown option '--nonsense'"],
    [['inspect', 'a', '--window'], 'argument missing'],
    [['inspect', 'a', 'b'], 'too many arguments'],
  ])('%j is a usage error with status 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await runInTest(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^ullage: .*\n.+\n$/);
    expect(stderr).toContain(message);
  });

  test('with --json an error is one JSON document on standard output', async () => {
    const { exitCode, stdout, stderr } = await runInTest(['inspect', '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage_invalid', message: "missing required argument 'file'", hint: 'See `ullage --help`.' },
    });
  });

  test('every command loads and configures itself', async () => {
    for (const command of COMMANDS) {
      const { exitCode, stdout } = await runInTest([command.name, '--help']);
      expect({ command: command.name, exitCode }).toEqual({ command: command.name, exitCode: 0 });
      expect(stdout).toContain(`Usage: ullage ${command.name}`);
    }
  });

  test('colours only on a terminal, and NO_COLOR forbids them', async () => {
    const colorStart = '\u001b[';
    expect((await runInTest(['inspect'], { isTerminal: true })).stderr).toContain(colorStart);
    expect((await runInTest(['inspect'], { isTerminal: true, env: { NO_COLOR: '1' } })).stderr).not.toContain(colorStart);
    expect((await runInTest(['inspect'])).stderr).not.toContain(colorStart);
  });
});
