// Runs a client with nothing of this machine's: an empty environment, a home folder of its own, a time limit.
import { spawn } from 'node:child_process';

export interface ProgramRun {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly limitMs?: number;
}

const LIMIT_MS = 90_000;

export function runProgram({ command, args, cwd, env, stdin = '', limitMs = LIMIT_MS }: Program): Promise<ProgramRun> {
  const child = spawn(command, [...args], { cwd, env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', CI: '1', ...env }, detached: true });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? undefined, ...texts });
    });
  });
}
