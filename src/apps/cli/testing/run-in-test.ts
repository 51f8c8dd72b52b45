// Runs the command line in this process, as tests do: what it was given, what it wrote, how it ended.
import { Readable } from 'node:stream';
import { runCli } from '../program.ts';

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliInput {
  readonly stdin?: string | Buffer;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export async function runInTest(args: readonly string[], input: CliInput = {}): Promise<CliRun> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY: input.isTerminal === true,
    columns: input.columns,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const exitCode = await runCli(args, {
    stdin: Readable.from(input.stdin === undefined ? [] : [Buffer.from(input.stdin)]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: input.env ?? {},
    now: () => 0,
  });
  return { exitCode, ...written };
}
