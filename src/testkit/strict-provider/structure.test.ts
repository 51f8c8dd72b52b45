// F07, F08: what breaks a rule of its API is refused with the words of that API.
import { afterEach, describe, expect, test } from 'vitest';
import type { Api } from '../../core/transcript/entry.ts';
import { ask, bodyOf, messageOf, PATHS, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const user = (content: unknown = 'hi') => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });

describe('F07 F08 broken requests', () => {
  test.each<[string, Api, unknown, string]>([
    [
      'a call without its result',
      'anthropic',
      [user(), assistant([use('t1')]), user()],
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ],
    [
      'a result without its call',
      'anthropic',
      [user([result('t1')])],
      'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    ],
    ['an empty text', 'anthropic', [user([{ type: 'text', text: '' }])], 'messages: text content blocks must be non-empty'],
    ['the assistant first', 'anthropic', [assistant('hi'), user()], 'messages: first message must use the "user" role'],
    [
      'five cache markers',
      'anthropic',
      [user(['a', 'b', 'c', 'd', 'e'].map(marked))],
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a call without its answer',
      'openai-chat',
      [user(), { role: 'assistant', content: null, tool_calls: [call('c1')] }, user()],
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1",
    ],
    ['no message', 'openai-chat', [], "[] is too short - 'messages'"],
    [
      'a call without its output',
      'openai-responses',
      [user(), { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' }],
      'No tool output found for function call c1.',
    ],
    [
      'an output without its call',
      'openai-responses',
      [{ type: 'function_call_output', call_id: 'c1', output: 'ok' }],
      'No tool call found for function call output with call_id c1.',
    ],
  ])('%s: %s', async (_, api, messages, words) => {
    const provider = await start();
    const got = await ask(provider, api, messages);
    expect(got.status).toBe(400);
    expect(messageOf(got)).toBe(words);
    expect(provider.bill().requests).toBe(0);
  });

  test('rules: local asks for alternation, none asks for nothing', async () => {
    const twice = [user('a'), user('b')];
    expect((await ask(await start(), 'anthropic', twice)).status).toBe(200);
    const strict = await ask(await start({ rules: 'local' }), 'anthropic', twice);
    expect(messageOf(strict)).toBe('messages: roles must alternate between "user" and "assistant"');
    expect((await ask(await start({ rules: 'none' }), 'anthropic', [user([result('t1')])])).status).toBe(200);
  });
});

describe('members and headers', () => {
  test.each<[string, Api, object, string]>([
    ['no model', 'anthropic', { model: undefined }, 'model: Field required'],
    [
      'a budget over the output',
      'anthropic',
      { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ],
    ['no output limit', 'anthropic', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['no model', 'openai-chat', { model: undefined }, 'you must provide a model parameter'],
    [
      'stream options without a stream',
      'openai-chat',
      { stream_options: { include_usage: true } },
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    ],
    [
      'a long cache key',
      'openai-responses',
      { prompt_cache_key: 'k'.repeat(65) },
      "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    ],
    ['an unknown response', 'openai-responses', { previous_response_id: 'resp_x' }, "Previous response with id 'resp_x' not found."],
  ])('%s: %s', async (_, api, more, words) => {
    const got = await ask(await start(), api, 'hi', more as never);
    expect([got.status, messageOf(got)]).toEqual([400, words]);
  });

  test.each(Object.keys(PATHS) as Api[])('%s: what is no JSON or no UTF-8 is refused in its shape', async (api) => {
    const provider = await start();
    const got = await post(provider, PATHS[api], '{"model":');
    expect([got.status, typeof messageOf(got)]).toEqual([400, 'string']);
    const bytes = new Uint8Array([...new TextEncoder().encode('{"model":"'), 0xff, ...new TextEncoder().encode('"}')]);
    const response = await fetch(provider.url + PATHS[api], { method: 'POST', body: bytes });
    expect(response.status).toBe(400);
  });

  test.each(Object.keys(PATHS) as Api[])('%s: hostile nesting is refused, and the provider goes on', async (api) => {
    const provider = await start();
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const text = JSON.stringify(bodyOf(api, 'hi', { tools: 'DEEP' })).replace('"DEEP"', deep);
    expect((await post(provider, PATHS[api], text)).status).toBe(400);
    expect((await ask(provider, api)).status).toBe(200);
  });

  test('strictHeaders wants a credential and a version', async () => {
    const provider = await start({ strictHeaders: true });
    const body = bodyOf('anthropic');
    expect((await post(provider, '/v1/messages', body)).status).toBe(401);
    expect(messageOf(await post(provider, '/v1/messages', body, { 'x-api-key': 'k' }))).toBe('anthropic-version: header is required');
    const headers = { authorization: 'Bearer k', 'anthropic-version': '2023-06-01' };
    expect((await post(provider, '/v1/messages', body, headers)).status).toBe(200);
    expect((await ask(provider, 'openai-chat')).body).toMatchObject({ error: { code: 'invalid_api_key' } });
  });
});

describe('paths', () => {
  test('with or without /v1, with a query string, below a prefix', async () => {
    const provider = await start();
    const body = bodyOf('anthropic');
    for (const path of ['/messages', '/v1/messages?beta=true', '/any/v1/messages/']) {
      expect((await post(provider, path, body)).status).toBe(200);
    }
    expect(provider.requests.map(({ api, number }) => [api, number])).toEqual([
      ['anthropic', 1],
      ['anthropic', 2],
      ['anthropic', 3],
    ]);
  });

  test('models, a probe, a path nobody serves', async () => {
    const provider = await start({ models: { small: { window: 10 } } });
    const models = await fetch(`${provider.url}/v1/models`);
    expect(await models.json()).toMatchObject({ data: [{ id: 'small' }] });
    expect((await fetch(provider.url, { method: 'HEAD' })).status).toBe(200);
    expect((await post(provider, '/v1/embeddings', {})).status).toBe(404);
    expect((await fetch(`${provider.url}/v1/messages`)).status).toBe(404);
    expect(provider.requests.map(({ kind, number }) => [kind, number])).toEqual([
      ['models', undefined],
      ['other', undefined],
      ['other', undefined],
      ['other', undefined],
    ]);
  });
});
