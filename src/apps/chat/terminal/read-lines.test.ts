import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

async function linesOf(input: PassThrough, { isTerminal = false } = {}): Promise<readonly string[]> {
  const stdin = Object.assign(input, { isTTY: isTerminal, setRawMode: () => input });
  const stdout = Object.assign(new PassThrough().resume(), { isTTY: isTerminal, columns: 80 });
  const terminal = { stdin, stdout, stderr: stdout, env: {}, now: () => 0 };
  const lines = readLines(terminal as never, () => {});
  // What a conversation does before it reads: it ends what was interrupted.
  await new Promise((resolve) => (isTerminal ? setImmediate(resolve) : input.once('close', resolve)));
  const got: string[] = [];
  for await (const line of lines) got.push(line);
  return got;
}

it('keeps what was written before anybody read, also when the input has ended since', async () => {
  const input = new PassThrough();
  input.end('one\ntwo \\\nlines\nthree');
  expect(await linesOf(input)).toEqual(['one', 'two \nlines', 'three']);
});

it('takes a pasted text of several lines as one, sent by the next Enter', async () => {
  const input = new PassThrough();
  input.end('look:\u001b[200~first\rsecond\r\u001b[201~ what is it?\rnext\r');
  expect(await linesOf(input, { isTerminal: true })).toEqual(['look:first\nsecond\n what is it?', 'next']);
});
