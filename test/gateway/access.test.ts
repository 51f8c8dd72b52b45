// Who may ask, and what of whom: tokens, tenants, names of the host, origins of pages.
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../src/testkit/index.ts';
import { get, post, type Sent, send, useWorld } from './world.ts';

const world = useWorld();

const MESSAGES = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"the canary of ann"}]}';
const ANN = { name: 'ann', secret: 'ann-secret-0123456789' };
const BOB = { name: 'bob', secret: 'bob-secret-0123456789' };
const as = ({ secret }: typeof ANN) => ({ 'x-ullage-token': secret });
const codeOf = (sent: Sent) => (JSON.parse(sent.text) as { error: { code?: string } }).error.code;

describe('the address', () => {
  test.each(['0.0.0.0', '::', '192.168.1.2'])('%s is refused without tokens', async (host) => {
    await expect(world.start('http://127.0.0.1:9', { host })).rejects.toMatchObject({
      code: 'option_invalid',
      message: expect.stringContaining(`--host ${host}`),
      hint: expect.stringContaining('ULLAGE_TOKENS'),
    });
  });

  test.each([
    [{ tokens: [{ name: 'a', secret: 'short' }] }, 'secret of access token a'],
    [{ tokens: [{ name: 'a b', secret: 'x'.repeat(20) }] }, 'a b'],
    [{ tokens: [ANN, { name: 'carl', secret: ANN.secret }] }, 'same secret'],
    [{ port: 70_000 }, '--port 70000'],
    [{ upstreamOpenai: 'ftp://x' }, '--upstream-openai'],
    [{ upstreamAnthropic: 'http://me:secret@host' }, '--upstream-anthropic'],
    [{ summarizer: 'sometimes' }, '--summarizer "sometimes"'],
    [{ limits: { maxInFlight: 0 } }, 'limits.maxInFlight'],
    [{ limits: { requestIdleMs: 2_147_483_648 } }, 'limits.requestIdleMs'],
  ])('%j is refused, naming the option and no secret', async (options, named) => {
    const error = await world.start('http://127.0.0.1:9', options).catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code: 'option_invalid', message: expect.stringContaining(named) });
    expect((error as Error).message).not.toContain(ANN.secret);
  });
});

test.each(['::1', '[::1]', 'localhost'])('%s is an address of this machine', async (host) => {
  const { gateway } = await world.start('http://127.0.0.1:9', { host });
  expect(new URL(gateway.url).hostname).toBe(host.includes(':') ? '[::1]' : host);
  expect((await fetch(`${gateway.url}/ullage/v1/sessions`)).status).toBe(200);
});

describe('tokens', () => {
  test('without a token nothing is answered but health; the wrong one is none', async () => {
    const upstream = await world.plain((_, response) => response.end('{}'));
    const { gateway } = await world.start(upstream.url, { tokens: [ANN, BOB] });
    for (const path of ['/ullage/v1/sessions', '/ullage/v1/events', '/metrics', '/v1/models', '/']) {
      expect((await get(gateway, path)).status, path).toBe(401);
      expect((await get(gateway, path, { 'x-ullage-token': `${ANN.secret}x` })).status, path).toBe(401);
    }
    expect((await post(gateway, '/v1/messages', MESSAGES)).status).toBe(401);
    // The credential of the upstream is no token of ours, and a token of ours goes to no upstream.
    expect((await post(gateway, '/v1/messages', MESSAGES, { authorization: `Bearer ${ANN.secret}` })).status).toBe(401);
    expect((await get(gateway, '/healthz')).status).toBe(200);
    expect((await get(gateway, '/readyz')).status).toBe(200);
    expect(upstream.seen).toEqual([]);
    expect((await get(gateway, '/ullage/v1/sessions', { authorization: `Bearer ${ANN.secret}` })).status).toBe(200);
    await post(gateway, '/v1/messages', MESSAGES, as(ANN));
    expect(upstream.seen[0]!.rawHeaders.join(' ')).not.toContain(ANN.secret);
  });

  test('a tenant cannot read or change another tenant’s session by any route', async () => {
    const provider = await world.provider();
    const { gateway } = await world.start(provider.url, { tokens: [ANN, BOB] });
    await post(gateway, '/s/plan/v1/messages', MESSAGES, as(ANN));
    const entries = JSON.parse((await get(gateway, '/ullage/v1/sessions/plan/entries', as(ANN))).text) as { entries: { handle: string }[] };
    const { handle } = entries.entries[0]!;
    expect((await get(gateway, `/ullage/v1/sessions/plan/read/${handle}`, as(ANN))).text).toContain('canary of ann');
    const reads = ['', '/entries', '/view', '/folds', '/outcomes', '/guard', '/pins', '/search?q=canary', `/read/${handle}`, '/export'];
    for (const read of reads) {
      const sent = await get(gateway, `/ullage/v1/sessions/plan${read}`, as(BOB));
      expect([sent.status, codeOf(sent)], read).toEqual([404, 'session_not_found']);
      expect((await get(gateway, `/ullage/v1/sessions/plan${read}`, as(ANN))).status, read).toBe(200);
    }
    for (const action of ['compact', 'undo', 'pins']) {
      const body = action === 'pins' ? { text: 'mine' } : {};
      expect((await post(gateway, `/ullage/v1/sessions/plan/${action}`, body, as(BOB))).status, action).toBe(404);
    }
    for (const path of ['', '/pins/p1'])
      expect((await send(`${gateway.url}/ullage/v1/sessions/plan${path}`, { method: 'DELETE', headers: as(BOB) })).status).toBe(404);
    expect((await get(gateway, '/ullage/v1/sessions', as(BOB))).text).toBe('{"sessions":[]}');
    // The same key is another session for the other tenant; handles of the first stay unknown in it.
    await post(gateway, '/s/plan/v1/messages', MESSAGES.replace('the canary of ann', 'bob asks'), as(BOB));
    expect(codeOf(await get(gateway, `/ullage/v1/sessions/plan/read/${handle}`, as(BOB)))).toBe('handle_not_found');
    expect((await get(gateway, '/ullage/v1/sessions/plan/search?q=canary', as(BOB))).text).toBe('{"hits":[]}');
    expect((await get(gateway, '/ullage/v1/sessions/plan/export', as(BOB))).text).not.toContain('canary');
    expect((await get(gateway, '/ullage/v1/sessions/plan', as(ANN))).status).toBe(200);
  });

  test('no secret and no text of a conversation is logged', async () => {
    const { gateway, lines } = await world.start('http://127.0.0.1:9', { tokens: [ANN] });
    await post(gateway, '/v1/messages', MESSAGES, { ...as(ANN), 'x-api-key': 'sk-ant-credential' });
    expect(lines.join('\n')).not.toMatch(/canary|sk-ant|ann-secret/);
  });
});

describe('pages of the web', () => {
  test.each(['evil.example', 'evil.example:4747', '127.0.0.1.evil.example', '10.0.0.1'])(
    'a request to the name %j is refused (DNS rebinding)',
    async (host) => {
      const upstream = await world.plain((_, response) => response.end());
      const { gateway } = await world.start(upstream.url);
      for (const path of ['/ullage/v1/sessions', '/v1/models', '/metrics']) {
        const sent = await get(gateway, path, { host });
        expect(sent.status, path).toBe(403);
      }
      expect(upstream.seen).toEqual([]);
    },
  );

  test.each(['localhost:1', '127.0.0.1', '[::1]:4747', 'app.localhost'])('a request to %s is taken', async (host) => {
    const { gateway } = await world.start('http://127.0.0.1:9');
    expect((await get(gateway, '/healthz', { host })).status).toBe(200);
    expect((await get(gateway, '/ullage/v1/sessions', { host })).status).toBe(200);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://', 'vscode-webview://x'])(
    'the origin %s is refused',
    async (origin) => {
      const upstream = await world.plain((_, response) => response.end());
      const { gateway } = await world.start(upstream.url);
      expect(codeOf(await get(gateway, '/ullage/v1/sessions', { origin }))).toBe('forbidden_origin');
      expect((await post(gateway, '/v1/chat/completions', '{}', { origin, 'content-type': 'text/plain' })).status).toBe(403);
      expect(upstream.seen).toEqual([]);
    },
  );

  test('names and origins can be allowed, those of this machine are', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9', {
      allowedHosts: ['host.docker.internal'],
      allowedOrigins: ['app://obsidian.md'],
    });
    expect((await get(gateway, '/ullage/v1/sessions', { host: 'host.docker.internal:4747' })).status).toBe(200);
    for (const origin of ['app://obsidian.md', 'http://localhost:3000'])
      expect((await get(gateway, '/ullage/v1/sessions', { origin })).status).toBe(200);
    expect((await get(gateway, '/ullage/v1/sessions', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('our own API takes JSON alone where it acts', async () => {
    const { gateway } = await world.start('http://127.0.0.1:9', { store: memoryStore() });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const sent = await send(`${gateway.url}/ullage/v1/sessions/x/compact`, { body: '{}', headers: { 'content-type': type } });
      expect([sent.status, codeOf(sent)]).toEqual([415, 'json_required']);
    }
  });
});
