// Signs of life: when they come, and that none comes after the answer was begun by someone else.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { manualClock } from '../../../testkit/index.ts';
import { KeepAlive } from './keep-alive.ts';
import { createKeepAliveQueue } from './keep-alive-queue.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A response whose client reads all of it. */
async function opened(): Promise<{ readonly response: ServerResponse; readonly text: Promise<string> }> {
  let given: (response: ServerResponse) => void;
  const response = new Promise<ServerResponse>((resolve) => (given = resolve));
  const server = createServer((_, incoming) => given(incoming));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const text = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((answer) => answer.text());
  return { response: await response, text };
}

async function waiting() {
  const clock = manualClock(0);
  const queue = createKeepAliveQueue(clock, 5_000, new AbortController().signal);
  const { response, text } = await opened();
  const body = new TextEncoder().encode('{"messages":[{"x":"\\"stream\\":false"}], "stream" : true}');
  return { clock, queue, response, text, keepAlive: new KeepAlive({ api: 'anthropic', response, body, queue, clock }) };
}

test('after the end nothing begins or goes on, whatever is told of phases', async () => {
  for (const hasBegun of [false, true]) {
    const { clock, response, text, keepAlive } = await waiting();
    keepAlive.phase('ours');
    if (hasBegun) await clock.advance(5_000);
    expect(keepAlive.hasBegun).toBe(hasBegun);
    keepAlive.end();
    keepAlive.phase('ours');
    await clock.advance(60_000);
    if (!hasBegun) response.writeHead(200);
    response.end('the answer');
    keepAlive.phase('ours');
    await clock.advance(60_000);
    expect((await text).match(/ping|the answer/g)).toEqual(hasBegun ? ['ping', 'ping', 'the answer'] : ['the answer']);
  }
});

test('a head that someone else wrote is not written again', async () => {
  const { clock, response, text, keepAlive } = await waiting();
  keepAlive.phase('ours');
  response.writeHead(200);
  await clock.advance(5_000);
  response.end('the answer');
  await clock.advance(5_000);
  expect(await text).toBe('the answer');
});

test('one that fails does not keep the others waiting', async () => {
  const clock = manualClock(0);
  const queue = createKeepAliveQueue(clock, 5_000, new AbortController().signal);
  const called: string[] = [];
  queue.add(() => {
    called.push('bad');
    throw new Error('broken');
  });
  queue.add(() => called.push('good') < 9);
  await clock.advance(5_000);
  await clock.advance(5_000);
  expect(called).toEqual(['bad', 'good', 'good']);
});
