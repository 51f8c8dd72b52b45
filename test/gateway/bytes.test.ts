// What arrives upstream and what comes back, byte for byte, both ways.
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { get, post, send, sendRaw, useWorld } from './world.ts';

const world = useWorld();

const ANSWERS = {
  '/v1/chat/completions':
    '{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1}}',
  '/v1/responses':
    '{"id":"r","object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":9,"output_tokens":1}}',
  '/v1/messages':
    '{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":1}}',
} as const;

type ModelPath = keyof typeof ANSWERS;

/** What JSON.parse and JSON.stringify would change: numbers, escapes, order, spaces, unknown members. */
const ODD: Readonly<Record<ModelPath, string>> = {
  '/v1/chat/completions':
    '{ "model" : "gpt-4o", "2":1,"1":2, "temperature":1.0, "seed":12345678901234567890, "messages":[ {"role":"user","content":"caf\\u00e9 \\/ \\ud83d\\ude00","x_unknown":{"b":1e2,"a":[]}} ] ,"x_new_option":{"deep":[1.50]} }\n',
  '/v1/responses':
    '{"model":"gpt-5.1","x_new":1.0,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"caf\\u00e9"}],"zz":1e2}]}',
  '/v1/messages':
    '{"max_tokens":1.0e2,"model":"claude-sonnet-4-5","x_new":{"b":1,"a":2},"messages":[{"role":"user","content":[{"type":"text","text":"caf\\u00e9","cache_control":{"type":"ephemeral"}}]}]}',
};

const PATHS = Object.keys(ODD) as ModelPath[];

describe('bytes', () => {
  test.each(PATHS)('F08 F33 what need not change arrives upstream byte for byte, and the answer comes back so: %s', async (path) => {
    const upstream = await world.plain((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWERS[path]));
    const { gateway } = await world.start(upstream.url);
    const sent = await post(gateway, `/s/bytes${path}?beta=true&x=%2F`, ODD[path]);
    expect(sent.text).toBe(ANSWERS[path]);
    expect(upstream.seen).toHaveLength(1);
    expect(upstream.seen[0]!.body.toString()).toBe(ODD[path]);
    expect(upstream.seen[0]!.url).toBe(`${path}?beta=true&x=%2F`);
    expect(sent.headers).toMatchObject({ 'x-ullage-session': 'bytes', 'x-ullage-context-tokens': expect.stringMatching(/^\d+$/) });
  });

  test('chunks of a stream pass in the order and size in which they came', async () => {
    const chunks = [
      'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n',
      'data: {"choices":[{"index":0,"del',
      'ta":{"content":"b"}}]}\n\ndata: [DONE]\n\n',
    ];
    const upstream = await world.plain((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (index: number) => {
        if (index === chunks.length) response.end();
        else response.write(chunks[index], () => setImmediate(write, index + 1));
      };
      write(0);
    });
    const { gateway } = await world.start(upstream.url);
    const body = { model: 'gpt-4o', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'hi' }] };
    const sent = await post(gateway, '/v1/chat/completions', body);
    expect(sent.text).toBe(chunks.join(''));
    // What TCP joins on the way may come as one; nothing is cut anew.
    const ends = new Set(sent.chunks.map((_, index) => Buffer.concat(sent.chunks.slice(0, index + 1)).length));
    const known = chunks.map((_, index) => chunks.slice(0, index + 1).join('').length);
    expect([...ends].filter((end) => !known.includes(end))).toEqual([]);
  });

  test('credentials and unknown headers go upstream, ours and those of one connection do not', async () => {
    const upstream = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(upstream.url);
    await post(gateway, '/v1/chat/completions', '{"messages":[]}', {
      authorization: 'Bearer sk-secret',
      'x-ullage-session': 'mine',
      'x-ullage-token': 'unused',
      'x-new-header': 'kept',
      connection: 'keep-alive, x-hop',
      'x-hop': 'one connection only',
      'accept-encoding': 'gzip, br',
    });
    const names = upstream.seen[0]!.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const values = Object.fromEntries(
      upstream.seen[0]!.rawHeaders.flatMap((name, index, all) => (index % 2 === 0 ? [[name.toLowerCase(), all[index + 1]]] : [])),
    );
    expect(values).toMatchObject({ authorization: 'Bearer sk-secret', 'x-new-header': 'kept', 'accept-encoding': 'identity' });
    expect(values.host).toBe(new URL(upstream.url).host);
    expect(names.filter((name) => name.startsWith('x-ullage') || name === 'x-hop')).toEqual([]);
  });

  test('everything else is passed through untouched: method, path, query, body, status, headers', async () => {
    const body = Buffer.from([0, 1, 2, 255, 254, 10, 13]);
    const upstream = await world.plain((_, response, received) => {
      response.writeHead(418, ['X-Twice', 'one', 'X-Twice', 'two', 'Content-Type', 'application/x-odd', 'X-Latin', 'caf\u00e9']);
      response.end(received);
    });
    const { gateway } = await world.start(upstream.url);
    const sent = await send(`${gateway.url}/v1/files/a%20b?purpose=x&purpose=y`, {
      method: 'PUT',
      body,
      headers: { 'content-type': 'application/octet-stream', 'accept-encoding': 'gzip' },
    });
    expect(sent).toMatchObject({
      status: 418,
      headers: { 'x-twice': 'one, two', 'content-type': 'application/x-odd', 'x-latin': 'caf\u00e9' },
    });
    expect(Buffer.concat(sent.chunks)).toEqual(body);
    expect(upstream.seen[0]).toMatchObject({ method: 'PUT', url: '/v1/files/a%20b?purpose=x&purpose=y', body });
    expect(upstream.seen[0]!.rawHeaders).toContain('gzip');
  });

  test('a compressed body is passed through as it is, and the answer says so', async () => {
    const upstream = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(upstream.url);
    const body = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);
    const sent = await send(`${gateway.url}/v1/responses`, { body, headers: { 'content-encoding': 'zstd' } });
    expect(upstream.seen[0]!.body).toEqual(body);
    expect(sent.headers['x-ullage-outcome']).toBe('left-alone; content_encoding');
  });

  test('requests go to the upstream of their API, whose base URL may hold a version', async () => {
    const openai = await world.plain((_, response) => response.end('{}'));
    const anthropic = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(openai.url, { upstreamOpenai: `${openai.url}/api/v1`, upstreamAnthropic: anthropic.url });
    await post(gateway, '/v1/responses', '{}');
    await post(gateway, '/chat/completions', '{}');
    await get(gateway, '/v1/models');
    await get(gateway, '/v1/models', { 'x-api-key': 'k' });
    await get(gateway, '/v1/models', { 'anthropic-version': '2023-06-01' });
    await post(gateway, '/v1/messages/batches', '{}');
    await post(gateway, '/s/one/v1/messages/count_tokens?beta=true', '{}');
    expect(openai.seen.map(({ url }) => url)).toEqual(['/api/v1/responses', '/api/v1/chat/completions', '/api/v1/models']);
    expect(anthropic.seen.map(({ url }) => url)).toEqual([
      '/v1/models',
      '/v1/models',
      '/v1/messages/batches',
      '/v1/messages/count_tokens?beta=true',
    ]);
  });

  test('GET and HEAD of the root answer by themselves', async () => {
    const upstream = await world.plain((_, response) => response.end());
    const { gateway } = await world.start(upstream.url);
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/', '/s/one', '/s/one/']) expect((await send(gateway.url + path, { method })).status).toBe(200);
    expect(upstream.seen).toEqual([]);
  });

  test('HEAD and 204 of an upstream come back without a body', async () => {
    const upstream = await world.plain((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, { 'content-length': '12' }).end();
      else response.writeHead(204).end();
    });
    const { gateway } = await world.start(upstream.url);
    expect(await send(`${gateway.url}/v1/models`, { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      isCut: false,
      headers: { 'content-length': '12' },
    });
    expect(await send(`${gateway.url}/v1/files/1`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
  });

  test('a client that would rather have a WebSocket is told to use HTTP', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9');
    const got = await sendRaw(
      gateway.url,
      'GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    expect(got).toMatch(/^HTTP\/1\.1 426 /);
  });

  test.each([
    ['inside the answer', 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'],
    ['before its first content', 'data: {"choices":[]}\n\n'],
    ['before its head', undefined],
  ])('a client that leaves %s ends the upstream call', async (_, first) => {
    const upstream = await world.plain((_request, response) => {
      if (first !== undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    });
    const { gateway } = await world.start(upstream.url);
    const request = http.request(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent: false });
    request.on('error', () => {});
    request.end('{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"hi"}]}');
    await expect.poll(() => upstream.seen.length, { timeout: 5_000 }).toBe(1);
    request.destroy();
    await expect.poll(() => upstream.seen[0]?.isAborted, { timeout: 5_000 }).toBe(true);
  });

  test('a slow client stops the upstream instead of filling the memory', async () => {
    let writtenBytes = 0;
    const block = Buffer.alloc(256 * 1024, 'x');
    const upstream = await world.plain((_, response) => {
      const pump = () => {
        while (writtenBytes < 256 * 1024 * 1024) {
          writtenBytes += block.length;
          if (!response.write(block)) {
            response.once('drain', pump);
            return;
          }
        }
        response.end();
      };
      pump();
    });
    const { gateway } = await world.start(upstream.url);
    const request = http.request(`${gateway.url}/v1/files/1/content`, { agent: false }, (response) => response.pause());
    request.on('error', () => {}).end();
    await expect.poll(() => writtenBytes, { timeout: 5_000 }).toBeGreaterThan(0);
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = before === writtenBytes;
          before = writtenBytes;
          return isStill;
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe(true);
    expect(writtenBytes).toBeLessThan(64 * 1024 * 1024);
    request.destroy();
  });
});
