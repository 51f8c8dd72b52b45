// Starting the writing process, reading what it says, killing it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Round } from './rounds.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

export interface WriterRun {
  readonly appended: readonly Round[];
  readonly committed: readonly Round[];
  /** undefined when it was killed. */
  readonly exitCode: number | undefined;
  readonly errors: string;
}

/** Runs a writer to its end, or until it says `killAt`: then it is killed at once, in the middle of what comes next. */
export async function runWriter(
  path: string,
  { name, count, killAt }: { name: string; count: number; killAt?: string },
): Promise<WriterRun> {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, path, name, String(count)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(line);
    if (line === killAt) child.kill('SIGKILL');
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  const rounds = (verb: string): Round[] =>
    said.filter((line) => line.startsWith(`${verb} `)).map((line) => ({ name, round: Number(line.split(' ')[1]) }));
  return { appended: rounds('appended'), committed: rounds('committed'), exitCode: exitCode ?? undefined, errors };
}
