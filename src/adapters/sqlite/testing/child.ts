// Starting the writing process and reading what it says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Round } from './rounds.ts';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));

export interface WriterRun {
  readonly appended: readonly Round[];
  readonly committed: readonly Round[];
  /** The signal that ended it, else its exit status. */
  readonly end: string | number | null;
  readonly errors: string;
}

/** Runs a writer to its end, or until it kills itself before the statement of number `killAt`. */
export async function runWriter(
  path: string,
  { name, count, killAt = Infinity }: { name: string; count: number; killAt?: number },
): Promise<WriterRun> {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, path, name, String(count), String(killAt)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { out: '', errors: '' };
  child.stdout.on('data', (data: Buffer) => {
    texts.out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    texts.errors += data.toString();
  });
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  const said = texts.out.split('\n').map((line) => line.split(' '));
  const rounds = (verb: string): Round[] => said.filter(([word]) => word === verb).map(([, round]) => ({ name, round: Number(round) }));
  return { appended: rounds('appended'), committed: rounds('committed'), end: signal ?? exitCode, errors: texts.errors };
}
