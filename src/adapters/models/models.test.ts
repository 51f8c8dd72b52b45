// What goes over the wire for a summary and what is made of the answers: legal bodies, bounded reading, errors told by structure (F11, F12).
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { classifySummarizerFailure } from '../../core/summary/failure.ts';
import { APIS, type Api } from '../../core/transcript/entry.ts';
import type { Summarizer } from '../../ports/summarizer.ts';
import { anthropicSummarizer, createModelSummarizer, openaiSummarizer } from './index.ts';

interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  /** Events, a document, or plain text. */
  readonly events?: readonly object[];
  readonly json?: object;
  readonly text?: string;
  /** Leaves the connection open. */
  readonly isOpen?: boolean;
}

interface Seen {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A server that gives its replies in order, the last one again and again. */
async function serve(...replies: readonly Reply[]) {
  const seen: Seen[] = [];
  let closed = 0;
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = replies[Math.min(seen.length, replies.length - 1)]!;
    seen.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.on('close', () => {
      closed += 1;
    });
    const type = reply.type ?? (reply.events ? 'text/event-stream' : 'application/json');
    response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers });
    const events = (reply.events ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    response.write(reply.events ? `${events}${reply.isOpen ? '' : 'data: [DONE]\n\n'}` : (reply.text ?? JSON.stringify(reply.json ?? {})));
    if (!reply.isOpen) response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, closed: () => closed };
}

const TEXT = '## Goal\nShip it.\n## Done\n1. Read it.';

function ask(summarizer: Summarizer, signal = new AbortController().signal) {
  return summarizer({ text: 'TRANSCRIPT', previousSummary: 'BEFORE', instructions: 'WRITE', maxOutputTokens: 800, signal });
}

const GOOD: Readonly<Record<Api, readonly object[]>> = {
  'openai-chat': [
    { choices: [{ delta: { role: 'assistant', content: '' } }] },
    { choices: [{ delta: { content: TEXT.slice(0, 9) } }] },
    { choices: [{ delta: { content: TEXT.slice(9) } }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 900, completion_tokens: 20 } },
  ],
  'openai-responses': [
    { type: 'response.created', response: { status: 'in_progress' } },
    { type: 'response.output_item.added', item: { type: 'reasoning' } },
    { type: 'response.output_text.delta', delta: TEXT.slice(0, 9) },
    { type: 'response.output_text.delta', delta: TEXT.slice(9) },
    {
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [{ type: 'message', content: [{ type: 'output_text', text: TEXT }] }],
        usage: { input_tokens: 900, output_tokens: 20, total_tokens: 920 },
      },
    },
  ],
  anthropic: [
    { type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } },
    { type: 'content_block_start', content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'They want a summary.' } },
    { type: 'content_block_start', content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: TEXT.slice(0, 9) } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: TEXT.slice(9) } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ],
};

const WHOLE: Readonly<Record<Api, object>> = {
  'openai-chat': { choices: [{ message: { content: TEXT }, finish_reason: 'stop' }], usage: { prompt_tokens: 900, completion_tokens: 20 } },
  'openai-responses': (GOOD['openai-responses'].at(-1) as { response: object }).response,
  anthropic: {
    content: [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: TEXT },
    ],
    stop_reason: 'end_turn',
    usage: { input_tokens: 900, output_tokens: 20 },
  },
};

describe.each(APIS)('a summary over %s', (api) => {
  const make = (url: string, more = {}) => createModelSummarizer({ api, url, model: 'm', apiKey: 'KEY', ...more });

  it('is streamed, without tools and images, and comes back with its usage', async () => {
    const { url, seen } = await serve({ events: GOOD[api] });
    const result = await ask(make(url));
    expect(result).toMatchObject({ text: TEXT, finishReason: 'stop' });
    expect(result.usage).toMatchObject(
      api === 'openai-chat' ? { prompt_tokens: 900, completion_tokens: 20 } : { input_tokens: 900, output_tokens: 20 },
    );
    const [{ body, headers, path } = {} as Seen] = seen;
    expect(body).toMatchObject({ model: 'm', stream: true });
    expect(body).not.toHaveProperty('tools');
    expect(JSON.stringify(body)).not.toContain('image');
    expect(JSON.stringify(body)).toMatch(/WRITE.*BEFORE.*TRANSCRIPT/s);
    expect(path).toBe({ 'openai-chat': '/v1/chat/completions', 'openai-responses': '/v1/responses', anthropic: '/v1/messages' }[api]);
    expect(api === 'anthropic' ? headers['x-api-key'] : headers.authorization).toBe(api === 'anthropic' ? 'KEY' : 'Bearer KEY');
  });

  it('is read from a server that does not stream', async () => {
    const { url } = await serve({ json: WHOLE[api] });
    expect(await ask(make(url))).toMatchObject({ text: TEXT, finishReason: 'stop', usage: expect.any(Object) });
  });

  it('that breaks off is not complete (F11)', async () => {
    const { url } = await serve({ events: GOOD[api].slice(0, -2) });
    expect((await ask(make(url))).finishReason).not.toBe('stop');
  });

  it('that is an error inside a stream of success is thrown', async () => {
    const failed =
      api === 'openai-responses'
        ? {
            type: 'response.failed',
            response: { error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' } },
          }
        : { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { url } = await serve({ events: [GOOD[api][0]!, failed] });
    const error = await ask(make(url)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(classifySummarizerFailure(error)).toBe(api === 'openai-responses' ? 'overflow' : 'rate');
  });

  it('that ends in silence is aborted, and its connection closed', async () => {
    const { url, seen, closed } = await serve({ events: GOOD[api].slice(0, 2), isOpen: true });
    const controller = new AbortController();
    const waiting = ask(make(url), controller.signal);
    await expect.poll(() => seen.length).toBe(1);
    controller.abort(Object.assign(new Error('late'), { name: 'TimeoutError' }));
    await expect(waiting).rejects.toThrow();
    await expect.poll(closed).toBe(1);
  });

  it('takes headers at each call, but not those of the connection', async () => {
    const { url, seen } = await serve({ events: GOOD[api] });
    let call = 0;
    const headers = () => ({ Authorization: `Bearer call-${++call}`, Host: 'elsewhere', 'Content-Length': '3' });
    const summarizer = make(url, { apiKey: undefined, headers });
    await ask(summarizer);
    await ask(summarizer);
    expect(seen.map((one) => one.headers.authorization)).toEqual(['Bearer call-1', 'Bearer call-2']);
    expect(seen[0]!.headers.host).toMatch(/^127\.0\.0\.1/);
  });
});

describe('answers that are no summaries', () => {
  const chat = (choice: object): Reply => ({ events: [{ choices: [choice] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }] });

  it.each<[string, Reply, string]>([
    ['a call of a tool', chat({ delta: { tool_calls: [{ index: 0, function: { name: 'read', arguments: '{}' } }] } }), 'tool_calls'],
    ['a refusal', chat({ delta: { refusal: 'No.' } }), 'refusal'],
    ['a cut', { events: [{ choices: [{ delta: { content: TEXT }, finish_reason: 'length' }] }] }, 'length'],
    ['a filter', { events: [{ choices: [{ delta: { content: TEXT }, finish_reason: 'content_filter' }] }] }, 'refusal'],
    ['nothing', { events: [] }, 'incomplete'],
  ])('%s is told by its finish reason', async (_, reply, finishReason) => {
    const { url } = await serve(reply);
    expect((await ask(openaiSummarizer({ url, model: 'm' }))).finishReason).toBe(finishReason);
  });

  it.each<[string, Reply, string]>([
    ['429', { status: 429, json: { error: { message: 'Slow down', type: 'rate_limit' } } }, 'rate'],
    ['401', { status: 401, json: { error: { message: 'Incorrect API key provided' } } }, 'auth'],
    [
      '400 overflow',
      {
        status: 400,
        json: { error: { message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens." } },
      },
      'overflow',
    ],
    ['500 html', { status: 500, type: 'text/html', text: '<html>oops</html>' }, 'network'],
    ['200 with an error body', { json: { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } } }, 'rate'],
    ['200 with a page', { type: 'text/html', text: '<html>welcome</html>' }, 'other'],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/v1/chat/completions' } }, 'other'],
  ])('%s is an error with a class', async (_, reply, failure) => {
    const { url, seen } = await serve(reply);
    const error = await ask(openaiSummarizer({ url, model: 'm' })).catch((reason: unknown) => reason);
    expect(classifySummarizerFailure(error)).toBe(failure);
    expect(seen).toHaveLength(1);
  });

  it('a server that cannot be reached is the network', async () => {
    const error = await ask(openaiSummarizer({ url: 'http://127.0.0.1:9/v1', model: 'm' })).catch((reason: unknown) => reason);
    expect(classifySummarizerFailure(error)).toBe('network');
  });

  it('more bytes than allowed end the call', async () => {
    const { url } = await serve({ events: Array.from({ length: 500 }, () => ({ choices: [{ delta: { content: 'x'.repeat(500) } }] })) });
    await expect(ask(openaiSummarizer({ url, model: 'm', maxResponseBytes: 50_000 }))).rejects.toThrow('more than 50000 bytes');
  });

  it.each(['corporate-4711-credential', 'Basic dXNlcjpwYXNz'])(
    'an error does not repeat what the request was sent with: %s (F34)',
    async (key) => {
      const value = key.split(' ').at(-1)!;
      const replies: readonly Reply[] = [
        { status: 401, json: { error: { message: `No account for ${value}` } } },
        { json: { error: { message: `No account for ${value}`, code: 'invalid_api_key' } } },
        { events: [{ error: { message: `No account for ${value}`, code: 'invalid_api_key' } }] },
      ];
      for (const reply of replies) {
        const { url } = await serve(reply);
        const summarizer = openaiSummarizer({ url, model: 'm', headers: () => ({ 'X-Team': key }) });
        const error = await ask(summarizer).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Error);
        expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(value);
      }
    },
  );

  it('a last event without an empty line behind it counts; one that was cut does not', async () => {
    const stream = (end: string): Reply => ({
      type: 'text/event-stream',
      text: `data: ${JSON.stringify({ choices: [{ delta: { content: TEXT } }] })}\n\n${end}`,
    });
    const last = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}`;
    const whole = await serve(stream(`${last}\n`));
    expect(await ask(openaiSummarizer({ url: whole.url, model: 'm' }))).toMatchObject({ text: TEXT, finishReason: 'stop' });
    const cut = await serve(stream(last.slice(0, -9)));
    expect(await ask(openaiSummarizer({ url: cut.url, model: 'm' }))).toMatchObject({ text: TEXT, finishReason: 'incomplete' });
  });

  it('an error tells no credential (F34)', async () => {
    const key = ['sk', 'proj', 'Ab3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA'].join('-');
    const { url } = await serve({ status: 401, json: { error: { message: `Incorrect API key provided: ${key}` } } });
    const error = await ask(openaiSummarizer({ url: `${url}/v1?key=${key}`, model: 'm', apiKey: key })).catch((reason: unknown) => reason);
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toContain(key);
  });
});

describe('the request is legal for the model (F12)', () => {
  const good: Reply = { events: GOOD['openai-chat'] };

  it('reasoning models get max_completion_tokens, room to think and low effort; others max_tokens', async () => {
    const { url, seen } = await serve(good);
    await ask(openaiSummarizer({ url, model: 'gpt-5-mini' }));
    await ask(openaiSummarizer({ url, model: 'llama-3.3' }));
    expect(seen[0]!.body).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 1_000 + 4_096 });
    expect(seen[1]!.body).toMatchObject({ max_tokens: 1_000 });
    expect(seen[1]!.body).not.toHaveProperty('reasoning_effort');
  });

  it('never asks for more output than the model has', async () => {
    const { url, seen } = await serve(good);
    const summarizer = openaiSummarizer({ url, model: 'gpt-4-turbo' });
    await summarizer({ text: 'T', instructions: 'I', maxOutputTokens: 60_000, signal: new AbortController().signal });
    expect(seen[0]!.body.max_tokens).toBe(4_096);
  });

  const refusal = (message: string, param?: string): Reply => ({
    status: 400,
    json: { error: { message, param, code: 'unsupported_parameter' } },
  });

  it.each<[string, Reply, string, string]>([
    ['by param', refusal("Unsupported parameter: 'max_tokens'.", 'max_tokens'), 'max_tokens', 'max_completion_tokens'],
    [
      'by wording',
      refusal("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
      'max_tokens',
      'max_completion_tokens',
    ],
  ])('an output option that is refused %s is sent the other way, once, and remembered', async (_, reply, before, after) => {
    const { url, seen } = await serve(reply, good);
    const summarizer = openaiSummarizer({ url, model: 'm' });
    expect((await ask(summarizer)).finishReason).toBe('stop');
    await ask(summarizer);
    expect(seen.map(({ body }) => [before in body, after in body])).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  it('a server that refuses both ways is asked twice', async () => {
    const { url, seen } = await serve(refusal('no', 'max_tokens'), refusal('no', 'max_completion_tokens'));
    await expect(ask(openaiSummarizer({ url, model: 'm' }))).rejects.toThrow();
    expect(seen).toHaveLength(2);
  });

  it('effort and stream options go where they are not known; a smaller cap is taken over', async () => {
    const cap = {
      status: 400,
      json: { error: { message: 'max_tokens is too large: 5096. This model supports at most 900 completion tokens.' } },
    };
    const { url, seen } = await serve(refusal('Unknown', 'reasoning_effort'), refusal('Unknown', 'stream_options'), cap, good);
    await ask(openaiSummarizer({ url, model: 'gpt-5' }));
    expect(seen.at(-1)!.body).toMatchObject({ max_completion_tokens: 900 });
    expect(seen.at(-1)!.body).not.toHaveProperty('reasoning_effort');
    expect(seen.at(-1)!.body).not.toHaveProperty('stream_options');
  });

  it('the room that one request left is no limit of the next; a limit of the model is, and the summarizer says so', async () => {
    const room = {
      status: 400,
      json: {
        error: {
          message:
            "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 8192 tokens and your request has 7900 input tokens (1000 > 8192 - 7900).",
        },
      },
    };
    const limit = {
      status: 400,
      json: { error: { message: 'max_tokens is too large: 1000. This model supports at most 900 completion tokens.' } },
    };
    const { url, seen } = await serve(room, good, good, limit, good);
    const summarizer = openaiSummarizer({ url, model: 'm' });
    expect(summarizer.maxOutputTokens).toBe(Number.POSITIVE_INFINITY);
    await ask(summarizer);
    await ask(summarizer);
    expect(seen.map(({ body }) => body.max_tokens)).toEqual([1_000, 292, 1_000]);
    await ask(summarizer);
    expect(seen.at(-1)!.body.max_tokens).toBe(900);
    expect(summarizer.maxOutputTokens).toBe(720);
    expect(openaiSummarizer({ url, model: 'gpt-4-turbo' }).maxOutputTokens).toBe(3_276);
  });

  it('behind a prefix nothing of the sent request says how the summary is written', async () => {
    const { url, seen } = await serve(good);
    const sent = { model: 'm', messages: [{ role: 'user', content: 'hi' }], stop: ['\n'], n: 3, temperature: 1, max_tokens: 9 };
    const prefix = { api: 'openai-chat', body: JSON.stringify(sent) } as const;
    const signal = new AbortController().signal;
    await openaiSummarizer({ url, model: 'm', usesPrefix: true })({ text: '', prefix, instructions: 'I', maxOutputTokens: 800, signal });
    const { body } = seen[0]!;
    expect(body).toMatchObject({ temperature: 1, max_tokens: 1_000, messages: [{ content: 'hi' }, { role: 'user', content: 'I' }] });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['stop']));
    expect(body).not.toHaveProperty('n');
  });

  it('a model that Anthropic lets reason gets low effort; older ones are told nothing', async () => {
    const { url, seen } = await serve({ events: GOOD.anthropic });
    await ask(anthropicSummarizer({ url, model: 'claude-sonnet-5' }));
    await ask(anthropicSummarizer({ url, model: 'claude-haiku-4-5' }));
    expect(seen[0]!.body).toMatchObject({ output_config: { effort: 'low' } });
    expect(seen[1]!.body).not.toHaveProperty('output_config');
    expect(seen[1]!.body).toMatchObject({ max_tokens: 1_000 });
  });
});

describe('options', () => {
  it('name path and window of the summarizer', () => {
    const summarizer = openaiSummarizer({ url: 'https://api.openai.com/v1', model: 'gpt-4.1-mini' });
    expect(summarizer.id).toBe('api.openai.com#gpt-4.1-mini');
    expect(summarizer.windowTokens).toBe(1_047_576);
    expect(openaiSummarizer({ url: 'http://localhost:1/v1', model: 'my-own' }).windowTokens).toBeUndefined();
  });

  it.each([
    [{ url: 'ftp://x', model: 'm' }],
    [{ url: '', model: 'm' }],
    [{ url: 'http://x', model: '' }],
    [{ url: 'http://x', model: 'm', windowTokens: 0 }],
  ])('%o are refused', (options) => {
    expect(() => openaiSummarizer(options)).toThrow(/Option/);
  });

  it.each([
    ['https://h', 'openai-chat', '/v1/chat/completions'],
    ['https://h/', 'anthropic', '/v1/messages'],
    ['https://h/v1/', 'anthropic', '/v1/messages'],
    ['https://h/anthropic', 'anthropic', '/anthropic/v1/messages'],
    ['https://h/api/v1', 'openai-responses', '/api/v1/responses'],
    ['https://h/x/chat/completions', 'openai-chat', '/x/chat/completions'],
  ] as const)('%s for %s goes to %s', async (base, api, path) => {
    const { endpointOf } = await import('./options.ts');
    expect(endpointOf(api, base).pathname).toBe(path);
  });
});
