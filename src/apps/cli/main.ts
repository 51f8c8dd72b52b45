#!/usr/bin/env node
// The entry of the `ullage` command. `--version` answers before anything else is loaded.
import { packageVersion } from './version.ts';

const VERSION_FLAGS = ['--version', '-V'];
const BROKEN_PIPE_EXIT_CODE = 0;

const args = process.argv.slice(2);
if (args.length === 1 && VERSION_FLAGS.includes(args[0] ?? '')) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  // A reader that has seen enough (`| head`) closes the pipe: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(BROKEN_PIPE_EXIT_CODE);
  });
  const { runCli } = await import('./program.ts');
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await runCli(args, { stdin, stdout, stderr, env, now: Date.now });
}
