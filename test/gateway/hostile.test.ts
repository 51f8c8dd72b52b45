// What the network can say that no honest client or upstream does: odd heads, odd paths, connections used in odd ways.
import http from 'node:http';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { get, post, send, sendRaw, useWorld } from './world.ts';

const world = useWorld();

const CHAT = '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}';
const MESSAGES = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}';

describe('what an upstream says', () => {
  test.each([
    ['a status below 100', 'HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}'],
    ['an interim answer alone', 'HTTP/1.1 150 Odd\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nx-odd: a\u0001b\r\ncontent-length: 2\r\n\r\n{}'],
    ['a header name that is none', 'HTTP/1.1 200 OK\r\nx odd: a\r\ncontent-length: 2\r\n\r\n{}'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ])('%s is a 502, and the next request is served', async (_, answer) => {
    const upstream = await world.socket((socket) => socket.once('data', () => socket.end(answer, 'latin1')));
    const { gateway } = await world.start(upstream);
    for (const path of ['/v1/chat/completions', '/v1/files']) expect((await post(gateway, path, CHAT)).status, path).toBe(502);
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });
});

describe('what a client says', () => {
  const framings = [
    'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/files HTTP/1.1\r\n\r\n',
    'content-length: 4\r\ncontent-length: 5\r\n\r\nabcde',
    'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n',
  ];
  test.each(framings)('a body of two lengths is refused, and nothing of it goes upstream: %j', async (head) => {
    const upstream = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(upstream.url);
    for (const path of ['/v1/files', '/v1/chat/completions'])
      expect(await sendRaw(gateway.url, `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${head}`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(upstream.seen).toEqual([]);
  });

  test.each([
    ['waits to be told to go on', 'expect: 100-continue'],
    ['would rather have HTTP/2, as Java does', 'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk'],
    ['calls its length a matter of this connection', 'connection: content-length, close'],
  ])('one that %s is answered', async (_, head) => {
    const upstream = await world.plain((_request, response) => response.end('{"done":1}'));
    const { gateway } = await world.start(upstream.url);
    for (const path of ['/v1/files', '/v1/chat/completions']) {
      const close = head.includes('close') ? '' : 'connection: close\r\n';
      const raw = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${close}${head}\r\ncontent-length: 2\r\n\r\n{}`;
      expect(await sendRaw(gateway.url, raw)).toMatch(/HTTP\/1\.1 200 OK[\s\S]*\{"done":1\}$/);
      const { body, rawHeaders } = upstream.seen.at(-1)!;
      expect(body.toString()).toBe('{}');
      expect(rawHeaders.join(' ').toLowerCase()).not.toMatch(/expect|upgrade|http2/);
    }
  });

  test('a coding of the connection that is not known here is a 501, and nothing of it goes upstream', async () => {
    const upstream = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(upstream.url);
    for (const path of ['/v1/files', '/v1/chat/completions']) {
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: gzip, chunked`;
      expect(await sendRaw(gateway.url, `${head}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 501 /);
    }
    expect(upstream.seen).toEqual([]);
  });

  test('a session key of any characters is the same one in the path, the header and our own API', async () => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url);
    for (const key of ['a/b', 'a%2Fb', '%', 'a?b#c', 'ä ö', '....', 'a+b', 'a\\b', 'events', '../../events']) {
      const encoded = encodeURIComponent(key);
      const sent = await post(gateway, `/s/${encoded}/v1/messages`, MESSAGES);
      expect(decodeURIComponent(sent.headers['x-ullage-session'] as string), key).toBe(key);
      const own = JSON.parse((await get(gateway, `/ullage/v1/sessions/${encoded}`)).text) as { session: { key: string } };
      expect(own.session.key).toBe(key);
    }
  });

  test('no path or host leads around the access token', async () => {
    const upstream = await world.plain((_, response) => response.end('upstream'));
    const { gateway } = await world.start(upstream.url, { tokens: [{ name: 'ann', secret: 'ann-secret-0123456789' }] });
    const heads = [
      '/healthz/../ullage/v1/sessions HTTP/1.1\r\nhost: localhost',
      '/ullage/../metrics HTTP/1.1\r\nhost: localhost',
      '//ullage/v1/sessions HTTP/1.1\r\nhost: localhost',
      'http://localhost/ullage/v1/sessions HTTP/1.1\r\nhost: localhost',
      '/healthz HTTP/1.1\r\nhost: localhost/ullage/v1/sessions?',
      '/healthz%2f..%2fullage/v1/sessions HTTP/1.1\r\nhost: localhost',
    ];
    for (const head of heads) {
      const got = await sendRaw(gateway.url, `GET ${head}\r\nconnection: close\r\n\r\n`);
      expect(got, head).toMatch(/^HTTP\/1\.1 40[01] /);
      expect(got).not.toContain('"sessions"');
    }
    expect(upstream.seen).toEqual([]);
  });

  test('a body whose size is not announced waits for its place like any other: 503, not 408', async () => {
    const provider = await world.provider();
    provider.hold();
    const { gateway } = await world.start(provider.url, { limits: { largeBodyBytes: 1_000, maxLargeBodies: 1, requestIdleMs: 200 } });
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(2_000) }] });
    const first = post(gateway, '/v1/chat/completions', body);
    await provider.until(() => provider.held === 1);
    for (const framing of ['content-length', 'transfer-encoding']) {
      const headers = { [framing]: framing === 'content-length' ? String(body.length) : 'chunked' };
      expect((await send(`${gateway.url}/v1/chat/completions`, { body, headers })).status, framing).toBe(503);
    }
    provider.release();
    expect((await first).status).toBe(200);
  });

  test('a body that pauses on its way to our own API is cut off', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9', { limits: { requestIdleMs: 100 } });
    const head = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000';
    await sendRaw(gateway.url, `POST /ullage/v1/sessions/x/compact HTTP/1.1\r\n${head}\r\n\r\n{`);
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });

  test('listeners that left, and those that only look, take no place', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9');
    const listen = () =>
      new Promise<number>((resolve) => {
        const request = http.get(`${gateway.url}/ullage/v1/events`, { agent: false }, (response) => {
          response.on('error', () => {}).once('data', () => request.destroy());
          response.once('close', () => resolve(response.statusCode ?? 0));
          if (response.statusCode !== 200) response.resume();
        });
        request.on('error', () => {});
      });
    for (let count = 0; count < 40; count++) await send(`${gateway.url}/ullage/v1/events`, { method: 'HEAD' });
    for (let count = 0; count < 40; count++) expect(await listen()).toBe(200);
  });
});

describe('a client that leaves', () => {
  test.each(['/v1/chat/completions', '/v1/files'])(
    'inside its body, to %s, is no fault of ours, and nothing of it goes on',
    async (path) => {
      const upstream = await world.plain((_, response) => response.end('{}'));
      const { gateway, lines } = await world.start(upstream.url);
      const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nabc`;
      const { hostname, port } = new URL(gateway.url);
      const socket = net.connect(Number(port), hostname, () => socket.write(head));
      await expect.poll(async () => (await get(gateway, '/metrics')).text, { timeout: 5_000 }).toContain('in_flight 1');
      socket.destroy();
      await expect.poll(async () => (await get(gateway, '/metrics')).text, { timeout: 5_000 }).toContain('in_flight 0');
      expect(lines).toEqual([]);
      expect(upstream.seen).toEqual([]);
    },
  );

  test('with requests that still wait for their turn on the connection ends them all', async () => {
    const provider = await world.provider();
    provider.hold();
    const { gateway, lines } = await world.start(provider.url);
    const one = `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${MESSAGES.length}\r\n\r\n${MESSAGES}`;
    const { hostname, port } = new URL(gateway.url);
    const socket = net.connect(Number(port), hostname, () => socket.write(one + one));
    await provider.until(() => provider.held === 2);
    socket.destroy();
    await expect.poll(async () => (await get(gateway, '/metrics')).text, { timeout: 5_000 }).toContain('in_flight 0');
    expect(lines).toEqual([]);
  });
});

describe('a session that is deleted', () => {
  test('while a request of it is under way: the request is answered, and the next one begins anew', async () => {
    const provider = await world.provider();
    const { gateway, lines } = await world.start(provider.url);
    await post(gateway, '/s/gone/v1/messages', MESSAGES);
    provider.hold();
    const answer = post(gateway, '/s/gone/v1/messages', MESSAGES);
    await provider.until(() => provider.held === 1);
    await send(`${gateway.url}/ullage/v1/sessions/gone`, { method: 'DELETE' });
    provider.release();
    expect((await answer).status).toBe(200);
    expect((await get(gateway, '/ullage/v1/sessions')).text).toBe('{"sessions":[]}');
    expect((await post(gateway, '/s/gone/v1/messages', MESSAGES)).headers['x-ullage-outcome']).toBeUndefined();
    expect((await get(gateway, '/ullage/v1/sessions/gone/entries')).text).toContain('"count":1');
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });
});
