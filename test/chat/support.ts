// Chats for tests: a config in a folder of its own, a scripted provider, the command line as a child process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '../../src/apps/cli/main.ts');
/** Runs TypeScript in the process itself, so that a kill meets the program. */
const TSX = ['--import', path.resolve(import.meta.dirname, '../../node_modules/tsx/dist/loader.mjs')];

export const TOKEN = '424242:TEST-token-of-a-bot';
export const API_KEY = 'sk-test-key-of-a-model';

export interface Setting {
  readonly folder: string;
  readonly config: string;
  readonly database: string;
}

/** A folder with a config of one profile; gone after the test. */
export function setting(profile: object): Setting {
  const folder = mkdtempSync(path.join(tmpdir(), 'ullage-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = path.join(folder, 'ullage.config.json');
  const defaults = { api: 'openai-chat', model: 'scripted', keyEnv: 'TEST_API_KEY', window: 32_000, maxOutputTokens: 1_000 };
  writeFileSync(config, JSON.stringify({ profiles: { default: { ...defaults, ...profile } } }));
  return { folder, config, database: path.join(folder, 'ullage-chat.db') };
}

export const ENV = { TEST_API_KEY: API_KEY, TELEGRAM_BOT_TOKEN: TOKEN, WEBHOOK_SECRET: 'a-secret-of-the-webhook' };

export interface Running {
  readonly child: ChildProcess;
  /** Everything it wrote so far, both streams. */
  readonly output: () => string;
  say(line: string): void;
  /** Keys as they are, such as a control character. */
  press(keys: string): void;
  /** Resolves when the output holds the text, at or behind `from`. Answers where it ends. */
  until(text: string, from?: number): Promise<number>;
  kill(): Promise<void>;
  /** The exit status, after the input has ended. */
  end(): Promise<number | null>;
}

/** `ullage …` as a process of its own. */
export function runUllage(args: readonly string[], { folder }: Setting): Running {
  const child = spawn(process.execPath, [...TSX, MAIN, ...args], { ...spawnOptions(folder), stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => kill(child.pid));
  return watched(child, () => child.pid);
}

const spawnOptions = (cwd: string) => ({ cwd, env: { ...process.env, ...ENV, TERM: 'xterm', NO_COLOR: '1' } });

const PTY_PROGRAM = 'script';

/** Whether this machine has util-linux `script`, which gives a program a pseudo-terminal. */
export const HAS_PTY = spawnSync(PTY_PROGRAM, ['--version']).stdout?.toString().includes('util-linux') === true;

/** The same in a pseudo-terminal of its own: what it writes is what the terminal shows, what is said is typed. */
export function runInTerminal(args: readonly string[], { folder }: Setting): Running {
  const pidFile = path.join(folder, 'pid');
  const words = [process.execPath, ...TSX, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const command = `echo $$ > '${pidFile}'; exec ${words}`;
  const child = spawn(PTY_PROGRAM, ['-qefc', command, '/dev/null'], { ...spawnOptions(folder), stdio: ['pipe', 'pipe', 'pipe'] });
  const pid = () => Number(readFileSync(pidFile, 'utf8'));
  onTestFinished(() => kill(pid()));
  return watched(child, pid);
}

function watched(child: ChildProcess, pid: () => number | undefined): Running {
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    output: () => output,
    press: (keys) => void child.stdin!.write(keys),
    say: (line) => void child.stdin!.write(`${line}\n`),
    until: (text, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const at = output.indexOf(text, from);
          if (at < 0) return;
          listeners.delete(look);
          resolve(at + text.length);
        };
        listeners.add(look);
        void exited.then(() => reject(new Error(`It ended without saying ${JSON.stringify(text)}:\n${output}`)));
        look();
      }),
    async kill() {
      kill(pid());
      await exited;
    },
    end: () => {
      child.stdin!.end();
      return exited;
    },
  };
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It ended before.
  }
}

/** The test server of child.ts, as a config names it. */
export const MCP_SERVER = { command: process.execPath, args: [...TSX, path.resolve(import.meta.dirname, 'child.ts')] };
