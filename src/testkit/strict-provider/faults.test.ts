// F02, F05, F24: every fault as a client meets it, and what the classifier of this package makes of it.
import { afterEach, describe, expect, test } from 'vitest';
import type { Api } from '../../core/transcript/entry.ts';
import { classifyError } from '../../wire/errors/classify.ts';
import type { Fault } from './fault.ts';
import type { StrictProviderOptions } from './options.ts';
import { ask, type Json, messageOf, PATHS, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const APIS = Object.keys(PATHS) as Api[];
const LONG = 'word '.repeat(400);
const KINDS: Readonly<Record<string, Api>> = { a: 'anthropic', c: 'openai-chat', r: 'openai-responses' };

const classOf = ({ status, body }: { status: number; body: Json }) =>
  classifyError({ error: { status, body }, ownTokens: 500, windowTokens: 100_000 });

describe('F02 the limits of the model', () => {
  test.each(APIS)('%s: an input over the window is refused with its numbers', async (api) => {
    const provider = await start({ window: 2_000 });
    const got = await ask(provider, api, LONG.repeat(5));
    const { tokens } = provider.requests[0]!;
    expect(tokens).toBeGreaterThan(2_000);
    const numbers = api === 'openai-responses' ? {} : { limit: 2_000, actual: tokens };
    expect(classOf(got)).toMatchObject({ kind: 'overflow', ...numbers });
    expect((await ask(provider, api, 'short', api === 'anthropic' ? { max_tokens: 10 } : {})).status).toBe(200);
  });

  test.each(['anthropic', 'openai-chat'] as const)('%s: input that fits and output that does not is an output cap', async (api) => {
    const options: StrictProviderOptions = { window: 1_000 };
    const asked = { max_tokens: 900 };
    const provider = await start(options);
    const got = await ask(provider, api, LONG, asked);
    expect(classOf(got)).toMatchObject({ kind: 'output-cap', available: 1_000 - provider.requests[0]!.tokens });
    expect((await ask(await start({ ...options, outputOverWindow: 'accept' }), api, LONG, asked)).status).toBe(200);
  });

  test.each(APIS)('%s: more output than the model ever gives', async (api) => {
    const key = api === 'openai-responses' ? 'max_output_tokens' : 'max_tokens';
    const got = await ask(await start({ maxOutputTokens: 50 }), api, 'hi', { [key]: 51 });
    expect(classOf(got)).toMatchObject({ kind: 'output-cap', limit: 50 });
  });

  test('each model has its own window; others have that of the provider', async () => {
    const provider = await start({ window: 1_000, models: { small: { window: 100 } } });
    const status = async (model: string) => (await ask(provider, 'openai-chat', LONG, { model })).status;
    expect([await status('small'), await status('large'), await status('toString')]).toEqual([400, 200, 200]);
  });

  test('without numbers, inside a stream, silently cut, silently taken', async () => {
    const plain = await ask(await start({ window: 200, overflowNumbers: false }), 'anthropic', LONG);
    expect(messageOf(plain)).toBe('prompt is too long');
    const streamed = await ask(await start({ window: 200, overflow: 'first-event' }), 'openai-chat', LONG, { stream: true });
    expect([streamed.status, streamed.events.length]).toEqual([200, 1]);
    expect(messageOf(streamed)).toMatch(/^This model's maximum context length is 200 tokens\./);
    const cut = await ask(await start({ window: 200, overflow: 'truncate' }), 'openai-chat', LONG);
    expect(cut.body.usage).toMatchObject({ prompt_tokens: 200 });
    const accepting = await start({ window: 200, overflow: 'accept' });
    const taken = await ask(accepting, 'openai-chat', LONG);
    expect(taken.body.usage).toMatchObject({ prompt_tokens: accepting.requests[0]!.tokens });
  });
});

describe('F24 refusing faults', () => {
  test.each<[string, Fault, string, number, string]>([
    ['overflow', { type: 'overflow' }, 'acr', 400, 'overflow'],
    ['overflow without numbers', { type: 'overflow', numbers: false }, 'acr', 400, 'overflow'],
    ['output cap', { type: 'output-cap' }, 'acr', 400, 'output-cap'],
    ['too many bytes', { type: 'too-large' }, 'acr', 413, 'payload'],
    ['too many bytes, said by a proxy', { type: 'too-large', body: 'none' }, 'acr', 413, 'payload'],
    ['one request over the rate', { type: 'request-over-rate', limitTokens: 100 }, 'cr', 429, 'single-request-over-rate'],
    ['the same with 413', { type: 'request-over-rate', status: 413, limitTokens: 100 }, 'c', 413, 'single-request-over-rate'],
    ['a rate limit', { type: 'rate-limit' }, 'acr', 429, 'rate'],
    ['a wrong credential', { type: 'auth' }, 'acr', 401, 'auth'],
    ['a forbidden model', { type: 'auth', status: 403 }, 'acr', 403, 'auth'],
    ['an image over the bytes', { type: 'media' }, 'acr', 400, 'media'],
    ['an image over the pixels', { type: 'media', reason: 'pixels' }, 'acr', 400, 'media'],
    ['an image nobody can read', { type: 'media', reason: 'unreadable' }, 'acr', 400, 'media'],
    ['overloaded', { type: 'server-error', status: 529 }, 'acr', 529, 'rate'],
    ['a server error', { type: 'server-error' }, 'acr', 500, 'other'],
    ['a page of a gateway', { type: 'html' }, 'acr', 502, 'other'],
    ['any status', { type: 'status', status: 418, body: { error: 'tea' } }, 'acr', 418, 'other'],
  ])('%s', async (_, fault, apis, status, meaning) => {
    for (const letter of apis) {
      const provider = await start({ script: [fault] });
      const got = await ask(provider, KINDS[letter]!, LONG);
      expect([letter, got.status, classOf(got).kind]).toEqual([letter, status, meaning]);
      expect((await ask(provider, KINDS[letter]!, LONG)).status).toBe(200);
    }
  });

  test('a rate limit says when to come back, or does not', async () => {
    const provider = await start({
      script: [
        { type: 'rate-limit', retryAfterSeconds: 7 },
        { type: 'rate-limit', retryAfterSeconds: null },
      ],
    });
    expect((await ask(provider, 'anthropic')).headers.get('retry-after')).toBe('7');
    expect((await ask(provider, 'anthropic')).headers.has('retry-after')).toBe(false);
  });

  test.each(APIS)('%s: an error inside a stream, first or after content', async (api) => {
    const script: Fault[] = [
      { type: 'overflow', as: 'first-event' },
      { type: 'server-error', as: 'after-content' },
    ];
    const provider = await start({ script, answer: () => 'A text of some length, in several pieces.' });
    const first = await ask(provider, api, LONG, { stream: true });
    expect([first.status, first.text.includes('A text of')]).toEqual([200, false]);
    expect(classifyError({ error: first.events.at(-1), ownTokens: 500 }).kind).toBe('overflow');
    const later = await ask(provider, api, LONG, { stream: true });
    expect([later.status, later.text.includes('A text of')]).toEqual([200, true]);
    expect(messageOf(later)).toBeTypeOf('string');
  });
});

describe('when a fault is played', () => {
  const statuses = async (script: StrictProviderOptions['script'], count: number) => {
    const provider = await start({ script });
    const seen: number[] = [];
    for (let at = 0; at < count; at += 1) seen.push((await ask(provider, 'anthropic')).status);
    return seen;
  };

  test.each<[string, StrictProviderOptions['script'], readonly number[]]>([
    ['once', [{ type: 'overflow' }], [400, 200, 200]],
    ['at the second request', [{ type: 'overflow', at: 2 }], [200, 400, 200]],
    ['at two of them', [{ type: 'overflow', at: [1, 3] }], [400, 200, 400]],
    ['always', [{ type: 'overflow', at: 'always' }], [400, 400, 400]],
    ['one after the other', [{ type: 'auth' }, { type: 'overflow' }], [401, 400, 200]],
    ['by a function', ({ number }) => (number === 2 ? { type: 'auth' } : undefined), [200, 401, 200]],
    ['for another API', [{ type: 'auth', api: 'openai-chat' }], [200, 200, 200]],
    ['for another model', [{ type: 'auth', model: 'x', at: 'always' }], [200, 200, 200]],
  ])('%s', async (_, script, expected) => {
    expect(await statuses(script, 3)).toEqual(expected);
  });
});

describe('F05 usage that is not what it should be', () => {
  test.each(APIS)('%s', async (api) => {
    const script: Fault[] = (['missing', 'null', 'zero', 'cumulative'] as const).map((usage) => ({ type: 'usage', usage }));
    const provider = await start({ script });
    const usages: unknown[] = [];
    for (let at = 0; at < 4; at += 1) usages.push((await ask(provider, api)).body.usage);
    const key = api === 'openai-chat' ? 'prompt_tokens' : 'input_tokens';
    const { tokens } = provider.requests[0]!;
    expect(usages).toEqual([undefined, null, expect.objectContaining({ [key]: 0 }), expect.objectContaining({ [key]: 4 * tokens })]);
    expect(provider.bill()).toMatchObject({ requests: 4, uncachedInput: 4 * tokens });
  });

  test.each(APIS)('%s: missing in a stream', async (api) => {
    const provider = await start({ script: [{ type: 'usage', usage: 'missing' }] });
    const more = { stream: true, ...(api === 'openai-chat' ? { stream_options: { include_usage: true } } : {}) };
    expect((await ask(provider, api, 'hi', more)).text).not.toMatch(/"(?:prompt|input|output)_tokens"/);
    expect((await ask(provider, api, 'hi', more)).text).toMatch(/"(?:prompt|input)_tokens"/);
  });
});

test('silent truncation reports what was read, the bill too', async () => {
  const provider = await start({ script: [{ type: 'truncate', limitTokens: 50 }] });
  const got = await ask(provider, 'openai-chat', LONG);
  expect(got.body.usage).toMatchObject({ prompt_tokens: 50 });
  expect(provider.bill().uncachedInput).toBe(50);
  expect(provider.requests[0]!.tokens).toBeGreaterThan(500);
});

test('a body over the limit is refused unread', async () => {
  const provider = await start({ maxBodyBytes: 100 });
  const got = await ask(provider, 'anthropic', LONG);
  expect(got.body).toMatchObject({ error: { type: 'request_too_large' } });
  expect(provider.requests[0]!.bytes.length).toBe(0);
});
