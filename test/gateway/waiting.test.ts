// A client that waits for a compaction: signs of life as data, then the answer or the error of its API; and on whose account a summary is written.
import http from 'node:http';
import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../src/apps/gateway/gateway.ts';
import type { Api } from '../../src/core/transcript/entry.ts';
import { credentialDigest, manualClock } from '../../src/testkit/index.ts';
import { encodeTurn, makeTurn } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { post, useWorld } from './world.ts';

const world = useWorld();

const WINDOW = 20_000;
const MODELS = { window: WINDOW, maxOutputTokens: 1_000 };
const SUMMARY = '## Goal\nMend the build.\n\n## Done\n1. Read the parts.\n';
const PATHS: Readonly<Record<Api, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
};

/** A request that is over the threshold at once. */
function large(api: Api, isStream: boolean, model = 'm'): Record<string, unknown> {
  const random = seededRandom(5);
  const messages = Array.from({ length: 12 }, (_, number) =>
    encodeTurn(api, makeTurn(random, number, { steps: 2, resultWords: 300 })),
  ).flat();
  const last = encodeTurn(api, makeTurn(random, 99, { steps: 0, resultWords: 1 }))[0]!;
  const common = { model, stream: isStream };
  if (api === 'openai-responses') return { ...common, input: [...messages, last] };
  return { ...common, ...(api === 'anthropic' ? { max_tokens: 500 } : {}), messages: [...messages, last] };
}

/** A response whose text can be watched as it comes. */
function watched(gateway: Gateway, path: string, body: unknown) {
  const state = { status: 0, text: '', isOver: false, headers: {} as http.IncomingHttpHeaders };
  const request = http.request(
    gateway.url + path,
    { method: 'POST', agent: false, headers: { authorization: 'Bearer client-credential' } },
    (response) => {
      state.status = response.statusCode ?? 0;
      state.headers = response.headers;
      response.on('data', (chunk: Buffer) => (state.text += chunk.toString()));
      response.on('close', () => (state.isOver = true)).on('error', () => {});
    },
  );
  request.on('error', () => {}).end(JSON.stringify(body));
  return { state, leave: () => request.destroy() };
}

const SIGNS: Readonly<Record<Api, RegExp>> = {
  anthropic: /^event: ping\ndata: \{"type":"ping"\}\n\n/,
  'openai-chat': /^: .*\n\n/,
  'openai-responses':
    /^event: response\.created\ndata: .*\n\nevent: response\.in_progress\ndata: \{"type":"response\.in_progress","sequence_number":1,/,
};

const LATE: Readonly<Record<Api, RegExp>> = {
  anthropic: /event: error\ndata: \{"type":"error","error":\{/,
  'openai-chat': /\ndata: \{"error":\{/,
  'openai-responses': /event: response\.failed\ndata: \{"type":"response\.failed".*"error":\{"code"/,
};

async function waitingGateway(script: Parameters<typeof world.provider>[0] = {}) {
  const provider = await world.provider({ window: WINDOW, ...script });
  const writer = await world.provider({ answer: () => SUMMARY });
  writer.hold();
  const clock = manualClock(1_000_000);
  const { gateway, lines } = await world.start(provider.url, { models: MODELS, clock, summarizer: `${writer.url}/v1#writer` });
  return { provider, writer, clock, gateway, lines };
}

describe.each(Object.keys(PATHS) as Api[])('%s', (api) => {
  test('a client that streams is sent a sign of life after five seconds, each five seconds, and then its answer', async () => {
    const { writer, clock, gateway } = await waitingGateway();
    const { state } = watched(gateway, PATHS[api], large(api, true));
    await writer.until(() => writer.held === 1);
    await clock.advance(4_999);
    expect(state.status).toBe(0);
    await clock.advance(1);
    await expect.poll(() => state.text, { timeout: 5_000 }).toMatch(SIGNS[api]);
    const once = state.text.length;
    await clock.advance(5_000);
    await expect.poll(() => state.text.length, { timeout: 5_000 }).toBeGreaterThan(once);
    expect(state.headers['content-type']).toContain('text/event-stream');
    writer.release();
    await expect.poll(() => state.isOver, { timeout: 5_000 }).toBe(true);
    expect(state).toMatchObject({ status: 200, text: expect.stringContaining('Well') });
  });

  test('an error that comes after such a sign is told inside the stream', async () => {
    const { writer, clock, gateway } = await waitingGateway({ script: [{ type: 'auth', at: 'always' }] });
    const { state } = watched(gateway, PATHS[api], large(api, true));
    await writer.until(() => writer.held === 1);
    await clock.advance(5_000);
    await expect.poll(() => state.text, { timeout: 5_000 }).toMatch(SIGNS[api]);
    writer.release();
    await expect.poll(() => state.isOver, { timeout: 5_000 }).toBe(true);
    expect(state.text).toMatch(LATE[api]);
  });

  test('a client that does not stream waits in silence', async () => {
    const { writer, clock, gateway } = await waitingGateway();
    const { state } = watched(gateway, PATHS[api], large(api, false));
    await writer.until(() => writer.held === 1);
    await clock.advance(10_000);
    expect(state.status).toBe(0);
    writer.release();
    await expect.poll(() => state.isOver, { timeout: 5_000 }).toBe(true);
    expect(state.status).toBe(200);
    expect(JSON.parse(state.text)).toBeTypeOf('object');
  });
});

describe('what is answered after a sign of life', () => {
  async function afterSign(answer: (response: http.ServerResponse) => void): Promise<string> {
    const upstream = await world.plain((_, response) => answer(response));
    const writer = await world.provider({ answer: () => SUMMARY });
    writer.hold();
    const clock = manualClock(1_000_000);
    const options = { models: MODELS, clock, summarizer: `${writer.url}/v1#writer` };
    const { gateway } = await world.start(upstream.url, options);
    const { state } = watched(gateway, PATHS['openai-chat'], large('openai-chat', true));
    await writer.until(() => writer.held === 1);
    await clock.advance(5_000);
    await expect.poll(() => state.text, { timeout: 5_000 }).toMatch(SIGNS['openai-chat']);
    writer.release();
    await expect.poll(() => state.isOver, { timeout: 5_000 }).toBe(true);
    return state.text.replace(SIGNS['openai-chat'], '');
  }

  test.each([{ 'content-type': 'text/plain' }, {}])('a stream that is not called one passes (%j)', async (headers) => {
    const events = 'data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n';
    expect(await afterSign((response) => response.writeHead(200, headers).end(events))).toBe(events);
  });

  test('an answer in one piece is told as an error, in which a reader of the stream finds it', async () => {
    const whole = '{"choices":[{"message":{"role":"assistant","content":"hi"}}],"error":null}';
    const text = await afterSign((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole));
    const { error } = JSON.parse(text.replace('data: ', '')) as { error: { message: string } };
    expect(error.message).toBe(`The upstream answered with status 200 and no stream: ${whole}`);
  });

  test('the AI SDK takes the signs of Responses', async () => {
    const { writer, clock, gateway } = await waitingGateway();
    const call = fetch;
    const send: typeof fetch = (url, init) => call(url, { ...init, body: JSON.stringify(large('openai-responses', true)) });
    const errors: unknown[] = [];
    const model = createOpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, fetch: send }).responses('gpt-4o');
    const stream = streamText({ model, prompt: 'replaced', maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    const text = stream.text;
    await writer.until(() => writer.held === 1);
    await clock.advance(5_000);
    writer.release();
    expect(await text).toContain('Well');
    expect(errors).toEqual([]);
  });

  test('OpenAI’s own reader of Responses takes the signs', async () => {
    const { writer, clock, gateway } = await waitingGateway();
    const client = new OpenAI({ apiKey: 'k', baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const body = large('openai-responses', true) as unknown as Parameters<typeof client.responses.stream>[0];
    const stream = client.responses.stream(body);
    let events = 0;
    stream.on('event', () => events++);
    await writer.until(() => writer.held === 1);
    await clock.advance(5_000);
    await expect.poll(() => events, { timeout: 5_000 }).toBe(2);
    await clock.advance(5_000);
    writer.release();
    expect((await stream.finalResponse()).output_text).toContain('Well');
  });
});

describe('a client that leaves during a compaction', () => {
  test('F27 does not end it: the next request goes on with what it made', async () => {
    const { provider, writer, gateway } = await waitingGateway();
    const body = large('anthropic', true);
    const { leave } = watched(gateway, '/s/leaving/v1/messages', body);
    await writer.until(() => writer.held === 1);
    leave();
    writer.release();
    await expect.poll(() => gateway.totals().compactions, { timeout: 5_000 }).toBe(1);
    expect(provider.requests).toHaveLength(0);
    expect((await post(gateway, '/s/leaving/v1/messages', body)).status).toBe(200);
    expect(writer.requests).toHaveLength(1);
    expect(Buffer.from(provider.requests[0]!.bytes).toString()).toContain('Mend the build.');
  });
});

describe('--summarizer same', () => {
  test.each(Object.keys(PATHS) as Api[])('asks the request’s own model on its own account, and keeps nothing of it: %s', async (api) => {
    const provider = await world.provider({
      window: WINDOW,
      rules: 'none',
      answer: ({ body }) => (JSON.stringify(body).includes('## Goal') ? SUMMARY : 'Well done.'),
    });
    const { gateway, lines } = await world.start(provider.url, { models: MODELS, summarizer: 'same' });
    const { state } = watched(gateway, PATHS[api], large(api, false, 'model-of-client'));
    await expect.poll(() => state.isOver, { timeout: 10_000 }).toBe(true);
    expect(state.status).toBe(200);
    expect(provider.requests).toHaveLength(2);
    const [summary, request] = provider.requests;
    expect(summary!.path).toBe(PATHS[api]);
    expect((summary!.body as { model: string }).model).toBe('model-of-client');
    expect(summary!.headers.authorization).toBe(credentialDigest('Bearer client-credential'));
    expect(request!.headers.authorization).toBe(summary!.headers.authorization);
    expect(lines.join('\n')).toContain('summary by a model');
    expect(lines.join('\n')).not.toContain('client-credential');
  });

  test('a client that leaves takes its credential along: the call under way ends, the facts are committed, and the path does not cool', async () => {
    const held: (() => void)[] = [];
    let aborted = 0;
    const upstream = await world.plain((_, response) => {
      response.on('close', () => {
        aborted += response.writableFinished ? 0 : 1;
      });
      held.push(() => response.end());
    });
    const { gateway, lines } = await world.start(upstream.url, { models: MODELS, summarizer: 'same' });
    const { leave } = watched(gateway, '/s/leaving/v1/messages', large('anthropic', true));
    await expect.poll(() => held.length, { timeout: 5_000 }).toBe(1);
    leave();
    await expect.poll(() => aborted, { timeout: 5_000 }).toBe(1);
    await expect.poll(() => gateway.totals().compactions, { timeout: 5_000 }).toBe(1);
    expect(upstream.seen).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('Summarizer same failed');
  });

  test('outside of a request there is no account: a compaction by hand uses the facts', async () => {
    const provider = await world.provider({ window: 200_000 });
    const { gateway } = await world.start(provider.url, { models: { window: 200_000 }, summarizer: 'same:small-model' });
    await post(gateway, '/s/hand/v1/messages', large('anthropic', false), { 'x-api-key': 'k' });
    const sent = await post(gateway, '/ullage/v1/sessions/hand/compact', {});
    expect(JSON.parse(sent.text)).toMatchObject({ outcome: { status: 'compacted', summary: 'facts' } });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('--summarizer provider', () => {
  const isCompaction = (body: unknown): boolean => typeof body === 'object' && body !== null && 'compaction' in body;
  const answer = ({ body }: { readonly body: unknown }): string => (isCompaction(body) ? SUMMARY : 'Well done.');
  const account = { 'x-api-key': 'client-key', 'anthropic-version': '2023-06-01', 'anthropic-beta': 'some-2026-01-01' };

  /** A request that is answered, and the one after it, which is over the threshold. */
  const twoOf = (api: Api) => {
    const whole = { ...large(api, false, 'model-of-client'), ...(api === 'anthropic' ? { cache_control: { type: 'ephemeral' } } : {}) };
    const items = (api === 'openai-responses' ? 'input' : 'messages') as keyof typeof whole;
    const all = whole[items] as unknown as readonly { readonly role?: string; readonly content?: unknown }[];
    const end = all.findLastIndex(({ role, content }, index) => index < all.length * 0.6 && role === 'user' && typeof content === 'string');
    return [{ ...whole, [items]: all.slice(0, end + 1) }, whole];
  };

  test('asks Anthropic itself on the account of the request, behind its cached prefix', async () => {
    const window = 22_000;
    const provider = await world.provider({ window, rules: 'none', answer });
    const { gateway, lines } = await world.start(provider.url, { models: { ...MODELS, window }, summarizer: 'provider' });
    for (const body of twoOf('anthropic')) await post(gateway, '/s/compact/v1/messages?beta=true', body, account);
    const asked = provider.requests.filter(({ body }) => isCompaction(body));
    expect(asked).toHaveLength(1);
    expect(asked[0]!.body).toMatchObject({ model: 'model-of-client', compaction: { type: 'summarize' } });
    expect(asked[0]!.headers).toMatchObject({ 'x-api-key': credentialDigest('client-key') });
    expect(asked[0]!.headers['anthropic-beta']).toBe('some-2026-01-01,compact-2026-09-04');
    expect(lines.join('\n')).toContain('summary by a model');
  });

  test.each(['openai-chat', 'openai-responses'] as const)('has the facts for %s', async (api) => {
    const provider = await world.provider({ window: WINDOW, rules: 'none', answer });
    const { gateway, lines } = await world.start(provider.url, { models: MODELS, summarizer: 'provider' });
    for (const body of twoOf(api)) await post(gateway, `/s/facts${PATHS[api]}`, body, { authorization: 'Bearer k' });
    expect(provider.requests).toHaveLength(2);
    expect(gateway.totals().compactions).toBe(1);
    expect(lines.join('\n')).toContain('no model call');
  });
});
