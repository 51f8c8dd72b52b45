// F22: what the provider remembers: every byte, no credential, within its limits.
import { afterEach, expect, test } from 'vitest';
import { credentialDigest } from './request.ts';
import { ask, bodyOf, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

test('the bytes as they came, the parsed body, the counts', async () => {
  const provider = await start();
  const text = `  ${JSON.stringify(bodyOf('openai-chat', '📥 \u00e9'))}\n`;
  await post(provider, '/v1/chat/completions?a=1', text, { 'X-Own': 'yes' });
  const [request] = provider.requests;
  expect(new TextDecoder().decode(request!.bytes)).toBe(text);
  expect(request).toMatchObject({
    index: 0,
    number: 1,
    api: 'openai-chat',
    kind: 'generate',
    method: 'POST',
    path: '/v1/chat/completions?a=1',
    model: 'm',
    isStream: false,
    status: 200,
    cachedTokens: 0,
  });
  expect(request!.headers).toMatchObject({ 'x-own': 'yes', 'content-type': 'application/json' });
  expect(request!.body).toEqual(JSON.parse(text));
});

test('F22 credentials are kept as digests', async () => {
  const provider = await start();
  const headers = { authorization: 'Bearer sk-secret', 'x-api-key': 'sk-secret', cookie: 'sk-secret' };
  await post(provider, '/v1/messages?key=sk-secret&b=1', bodyOf('anthropic'), headers);
  const [request] = provider.requests;
  expect(request!.headers.authorization).toBe(credentialDigest('Bearer sk-secret'));
  expect(request!.headers['x-api-key']).toMatch(/^digest:[0-9a-f]{16}$/);
  expect(JSON.stringify({ ...request, bytes: undefined })).not.toContain('sk-secret');
});

test('only the newest are kept, and their numbers stay true', async () => {
  const provider = await start({ maxRequests: 2 });
  for (let at = 0; at < 4; at += 1) await ask(provider, 'anthropic', `message ${at}`);
  expect(provider.requests.map(({ index, number }) => [index, number])).toEqual([
    [2, 3],
    [3, 4],
  ]);
  const small = await start({ maxKeptBytes: 10 });
  for (let at = 0; at < 2; at += 1) await ask(small, 'anthropic');
  expect(small.requests.map(({ index }) => index)).toEqual([1]);
});
