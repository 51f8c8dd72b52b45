// Bad input, bad networks, a store that fails: a clear error in the API's own shape or the provider's own bytes, and the process stays up.
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { UllageError } from '../../src/core/errors.ts';
import type { Store } from '../../src/ports/store.ts';
import { memoryStore } from '../../src/testkit/index.ts';
import { get, post, type Sent, send, sendRaw, useWorld } from './world.ts';

const world = useWorld();

const CHAT = '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}';
const MESSAGES = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}';
const STREAMED = '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"hi"}]}';

const json = (sent: Sent) =>
  JSON.parse(sent.text) as { type?: string; error: { type?: string; message: string; code?: string; hint?: string } };

describe('what a client sends', () => {
  test.each([
    ['malformed JSON', '{"messages":[', 'not_json'],
    ['no JSON at all', 'hello', 'not_json'],
    ['JSON of another shape', '[1,2]', 'not_this_api'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'not_utf8'],
    ['nothing', '', 'empty'],
    ['a byte order mark', '\ufeff{"messages":[]}', 'not_json'],
    ['a megabyte of one bracket', '['.repeat(1_000_000), 'not_this_api'],
  ])('%s goes upstream untouched: the provider says what is wrong with it', async (_, body, why) => {
    const upstream = await world.plain((_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"mine"}'),
    );
    const { gateway } = await world.start(upstream.url);
    const sent = await send(`${gateway.url}/v1/chat/completions`, { body, headers: { 'content-type': 'text/plain' } });
    expect(sent).toMatchObject({ status: 400, text: '{"error":"mine"}', headers: { 'x-ullage-outcome': `left-alone; ${why}` } });
    expect(upstream.seen[0]!.body.equals(Buffer.from(body))).toBe(true);
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });

  test.each([
    ['announced', true],
    ['found while reading', false],
  ])('a body over the limit, %s, is a clear 413 that the client can read', async (_, isAnnounced) => {
    const { gateway } = await world.start('http://127.0.0.1:9', { limits: { maxBodyBytes: 1_000_000 } });
    const body = Buffer.alloc(3_000_000, 'x');
    const headers: Record<string, string> = isAnnounced ? { 'content-length': String(body.length) } : { 'transfer-encoding': 'chunked' };
    const sent = await send(`${gateway.url}/v1/messages`, { body, headers });
    expect(sent.status).toBe(413);
    expect(json(sent)).toMatchObject({
      type: 'error',
      error: { type: 'request_too_large', message: expect.stringContaining('limit of this gateway') },
    });
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });

  test('a body that pauses is a 408', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9', { limits: { requestIdleMs: 100 } });
    const got = await sendRaw(gateway.url, 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"model"');
    expect(got).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"body_too_slow"/);
  });

  test('so is a body that pauses on its way through', async () => {
    const upstream = await world.plain((_, response) => response.end());
    const { gateway } = await world.start(upstream.url, { limits: { requestIdleMs: 100 } });
    const got = await sendRaw(gateway.url, 'POST /v1/files HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nabc');
    expect(got).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a body that is complete waits for its answer as long as that takes', async () => {
    const upstream = await world.plain((_, response) => void setTimeout(() => response.end('done'), 300));
    const { gateway } = await world.start(upstream.url, { limits: { requestIdleMs: 100 } });
    for (const path of ['/v1/files', '/v1/chat/completions']) expect((await post(gateway, path, CHAT)).text).toBe('done');
  });

  test('a head that is too large is a 431, what is no HTTP a 400', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9');
    const large = await sendRaw(gateway.url, `GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*"code":"header_too_large"/);
    expect(await sendRaw(gateway.url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"malformed_request"/);
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });

  test('a session that cannot be decoded is a 400', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9');
    expect(json(await post(gateway, '/s/%ff/v1/messages', MESSAGES))).toMatchObject({ error: { code: 'bad_path' } });
  });

  test('more requests than there is room for are 503 with retry-after', async () => {
    const provider = await world.provider();
    provider.hold();
    const { gateway } = await world.start(provider.url, { limits: { maxInFlight: 1 } });
    const first = post(gateway, '/v1/messages', MESSAGES);
    await provider.until(() => provider.held === 1);
    const second = await post(gateway, '/v1/messages', MESSAGES);
    expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(json(second)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    provider.release();
    expect((await first).status).toBe(200);
  });

  test('large bodies wait for their turn', async () => {
    const provider = await world.provider({ window: 10_000_000 });
    provider.hold();
    const { gateway } = await world.start(provider.url, {
      models: { window: 10_000_000 },
      limits: { largeBodyBytes: 1_000, maxLargeBodies: 1, requestIdleMs: 5_000 },
    });
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(2_000) }] });
    const both = [post(gateway, '/s/1/v1/chat/completions', body), post(gateway, '/s/2/v1/chat/completions', body)];
    await provider.until(() => provider.held === 1);
    expect(provider.requests).toHaveLength(1);
    provider.release();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('what an upstream does', () => {
  test.each([
    ['/v1/messages', MESSAGES, { type: 'error', error: { type: 'api_error' } }],
    ['/v1/chat/completions', CHAT, { error: { type: 'server_error', code: 'upstream_unreachable' } }],
    ['/v1/models', '{}', { error: { type: 'server_error', code: 'upstream_unreachable' } }],
  ])('down: a 502 in the shape of the API that names it: %s', async (path, body, shape) => {
    const upstream = 'http://127.0.0.1:9';
    const { gateway, lines } = await world.start(upstream);
    const sent = await post(gateway, path, body, { authorization: 'Bearer sk-very-secret' });
    expect(sent.status).toBe(502);
    expect(json(sent)).toMatchObject(shape);
    expect(json(sent).error.message).toContain(`the upstream ${upstream} cannot be used: nothing listens there (ECONNREFUSED)`);
    expect(lines.join('\n')).toContain(upstream);
    expect(lines.join('\n')).not.toContain('secret');
    expect((await get(gateway, '/metrics')).text).toContain('ullage_upstream_errors_total{upstream="');
  });

  test('a reset before the answer is a 502, a silence a 504', async () => {
    const resetting = await world.socket((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect((await post((await world.start(resetting)).gateway, '/v1/messages', MESSAGES)).status).toBe(502);
    const silent = await world.socket(() => {});
    const { gateway } = await world.start(silent, { limits: { upstreamHeadMs: 100 } });
    const sent = await post(gateway, '/v1/messages', MESSAGES);
    expect(sent.status).toBe(504);
    expect(json(sent)).toMatchObject({ error: { type: 'timeout_error' } });
  });

  test('what is no HTTP is a 502', async () => {
    const odd = await world.socket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    expect((await post((await world.start(odd)).gateway, '/v1/chat/completions', CHAT)).status).toBe(502);
  });

  test.each([
    [502, '<html><h1>Bad Gateway</h1></html>'],
    [200, '<html>Please log in</html>'],
    [529, ''],
    [429, '{"error":{"message":"slow down"}}'],
  ])('a page or an error of status %d comes back as it is', async (status, page) => {
    const upstream = await world.plain((_, response) =>
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '7' }).end(page),
    );
    const sent = await post((await world.start(upstream.url)).gateway, '/v1/chat/completions', CHAT);
    expect(sent).toMatchObject({ status, text: page, headers: { 'content-type': 'text/html', 'retry-after': '7' } });
    expect(upstream.seen).toHaveLength(1);
  });

  test('a stream that is cut is cut for the client, after what came', async () => {
    const came = 'data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n';
    const upstream = await world.plain((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(came, () => setImmediate(() => response.socket?.resetAndDestroy()));
    });
    const { gateway } = await world.start(upstream.url);
    expect(await post(gateway, '/v1/chat/completions', STREAMED)).toMatchObject({ status: 200, text: came, isCut: true });
    expect((await get(gateway, '/healthz')).status).toBe(200);
  });

  test('an answer that is compressed all the same comes back as it is', async () => {
    const page = gzipSync('{"id":"x","choices":[]}');
    const upstream = await world.plain((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(page),
    );
    const sent = await post((await world.start(upstream.url)).gateway, '/v1/chat/completions', CHAT);
    expect(Buffer.concat(sent.chunks)).toEqual(page);
    expect(sent.headers['content-encoding']).toBe('gzip');
  });
});

/** A store whose every command fails from now on, until it is mended. */
function breakable(): { readonly store: Store; isBroken: boolean } {
  const inner = memoryStore();
  const state = {
    isBroken: false,
    store: new Proxy(inner, {
      get(target, name: keyof Store) {
        const command = target[name] as unknown;
        if (typeof command !== 'function' || name === 'close') return typeof command === 'function' ? command.bind(target) : command;
        return async (...args: unknown[]) => {
          if (state.isBroken) throw new UllageError('store_unavailable', 'The disk is full.');
          return command.apply(target, args);
        };
      },
    }),
  };
  return state;
}

describe('what the store does', () => {
  test('F24 with the store gone requests go through, known sessions and new ones, and say so', async () => {
    const provider = await world.provider();
    const broken = breakable();
    const { gateway, lines } = await world.start(provider.url, { store: broken.store });
    expect((await post(gateway, '/s/known/v1/messages', MESSAGES)).status).toBe(200);
    expect((await get(gateway, '/readyz')).status).toBe(200);
    broken.isBroken = true;
    for (const session of ['known', 'new']) {
      const sent = await post(gateway, `/s/${session}/v1/messages`, MESSAGES);
      expect(sent.status).toBe(200);
      expect(sent.headers['x-ullage-outcome'], session).toContain('store_unavailable');
    }
    expect(provider.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await get(gateway, '/readyz')).toMatchObject({ status: 503, text: expect.stringContaining('"store":"unavailable"') });
    expect((await get(gateway, '/healthz')).status).toBe(200);
    expect((await get(gateway, '/metrics')).text).toContain('ullage_store_up 0');
    expect(await get(gateway, '/ullage/v1/sessions')).toMatchObject({
      status: 503,
      text: expect.stringContaining('"code":"store_unavailable"'),
    });
    expect(lines.join('\n')).toContain('The store cannot be used');
    broken.isBroken = false;
    const mended = await post(gateway, '/s/new/v1/messages', MESSAGES);
    expect(mended.headers['x-ullage-outcome']).toBeUndefined();
    expect((await get(gateway, '/readyz')).status).toBe(200);
  });

  test('F24 a database that another program holds delays a request by the store’s own limit, and no more', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ullage-locked-'));
    const file = path.join(folder, 'locked.db');
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url, { store: sqliteStore(file, { retryForMs: 100 }) });
    expect((await post(gateway, '/s/one/v1/messages', MESSAGES)).status).toBe(200);
    const holder = new BetterSqlite3(file);
    holder.exec('BEGIN EXCLUSIVE');
    const sent = await post(gateway, '/s/two/v1/messages', MESSAGES);
    expect(sent).toMatchObject({ status: 200, headers: { 'x-ullage-outcome': 'left-alone; store_unavailable' } });
    expect((await get(gateway, '/readyz')).status).toBe(503);
    holder.exec('COMMIT');
    holder.close();
    expect((await post(gateway, '/s/two/v1/messages', MESSAGES)).headers['x-ullage-outcome']).toBeUndefined();
    expect((await get(gateway, '/readyz')).status).toBe(200);
    expect(JSON.parse((await get(gateway, '/ullage/v1/sessions/two/entries')).text)).toMatchObject({ count: 1 });
    rmSync(folder, { recursive: true, force: true });
  });

  test('a store that cannot be opened at the start is a clear error, and nothing listens', async () => {
    const broken = breakable();
    broken.isBroken = true;
    await expect(world.start('http://127.0.0.1:9', { store: broken.store })).rejects.toMatchObject({
      code: 'store_unavailable',
      exitCode: 69,
    });
  });

  test('a port that is taken is a clear error', async () => {
    const taken = net.createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as net.AddressInfo;
    await expect(world.start('http://127.0.0.1:9', { port })).rejects.toMatchObject({
      code: 'option_invalid',
      message: expect.stringContaining(`--port ${port}`),
    });
    taken.close();
  });
});
