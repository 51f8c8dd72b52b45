// Chats for tests: a config in a folder of its own, a scripted provider, the command line as a child process.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

const MAIN = path.resolve(import.meta.dirname, '../../src/apps/cli/main.ts');
const TSX = path.resolve(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs');

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
  return { folder, config, database: path.join(folder, 'ullage.db') };
}

export const ENV = { TEST_API_KEY: API_KEY, TELEGRAM_BOT_TOKEN: TOKEN, WEBHOOK_SECRET: 'a-secret-of-the-webhook' };

export interface Running {
  readonly child: ChildProcess;
  /** Everything it wrote so far, both streams. */
  readonly output: () => string;
  say(line: string): void;
  /** Resolves when the output holds the text, at or behind `from`. Answers where it ends. */
  until(text: string, from?: number): Promise<number>;
  kill(): Promise<void>;
  /** The exit status, after the input has ended. */
  end(): Promise<number | null>;
}

/** `ullage …` as a process of its own. */
export function runUllage(args: readonly string[], { folder }: Setting): Running {
  const child = spawn(process.execPath, [TSX, MAIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...ENV },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => killGroup(child));
  return watched(child);
}

function watched(child: ChildProcess): Running {
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
      killGroup(child);
      await exited;
    },
    end: () => {
      child.stdin!.end();
      return exited;
    },
  };
}

/** tsx runs the program in a child of its own. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended before.
  }
}

/** The test server of mcp-child.ts, as a config names it. */
export const MCP_SERVER = { command: process.execPath, args: [TSX, path.resolve(import.meta.dirname, 'mcp-child.ts')] };
