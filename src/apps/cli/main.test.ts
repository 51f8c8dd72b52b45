// The entry as a process of its own: what only a real process shows.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');

function start(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  return { child, ended };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

test('--version prints one line', async () => {
  const { child, ended } = start(['--version']);
  expect(await textOf(child.stdout)).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  expect(await ended).toBe(0);
});

test('the exit status of a command is that of the process', async () => {
  const { child, ended } = start(['inspect', '-']);
  child.stdin.end('no transcript');
  expect(await textOf(child.stderr)).toMatch(/^ullage: standard input, line 1: expected JSON or JSONL/);
  expect(await ended).toBe(65);
});

test('a reader that has seen enough ends the command quietly', async () => {
  const { child, ended } = start(['inspect', '-', '--json', '--top', '100000']);
  const messages = Array.from({ length: 20_000 }, (_, index) => ({ role: 'user', content: `message ${index}` }));
  child.stdin.end(JSON.stringify({ model: 'm', messages }));
  child.stdout.destroy();
  expect(await textOf(child.stderr)).toBe('');
  expect(await ended).toBe(0);
});
