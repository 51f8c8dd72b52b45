// recover and send for every class of error but overflow and refused parts: output cap, bytes, rate of one request, suspicion, and what only surfaces.
import { describe, expect, it } from 'vitest';
import { type Prepared, UllageError } from '../../src/index.ts';
import { memoryStore } from '../../src/testkit/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, messagesOf } from '../support/conversation.ts';
import { answerOf, apiError, fakeProvider, overflowError } from '../support/provider.ts';
import { failureOf, grown, makeWorld } from '../support/recovery.ts';

const session = (api: 'anthropic' | 'openai-chat' | 'openai-responses') => makeWorld({ api }).open().session('k');

describe('an output cap lowers the number in the bytes, and nothing else (F22, B024)', () => {
  it('to what is left beside the input, with a margin; no compaction, no learnt window', async () => {
    const { open } = makeWorld({ api: 'anthropic' });
    const text = `{ "max_tokens" : 20000,\n "model":"m", "messages":[ {"role":"user","content":"max_tokens: 20000"} ] }`;
    const words =
      'input length and `max_tokens` exceed context limit: 28059 + 20000 > 40000, decrease input length or `max_tokens` and try again';
    const provider = fakeProvider('anthropic', ({ index }) => {
      if (index === 0) throw apiError(400, words);
      return undefined;
    });
    const one = await open().session('k');
    await one.send(text, provider.call);
    expect(provider.received.map((received) => received.text)).toEqual([text, text.replace('20000,', '10941,')]);
    expect(await one.outcomes()).toEqual([]);
    expect((await one.prepare(text)).budget.window).toBe(40_000);
  });

  it('to the most the model ever gives, in the caller’s own object', async () => {
    const provider = fakeProvider('openai-chat', ({ body }) => {
      if ((body.max_tokens as number) > 16_384)
        throw apiError(400, 'max_tokens is too large: 20000. This model supports at most 16384 completion tokens');
      return undefined;
    });
    const message = { role: 'user', content: 'hi' };
    let got: { messages: unknown[]; max_tokens: number } | undefined;
    await (await session('openai-chat')).send({ model: 'm', max_tokens: 20_000, messages: [message] }, async (body) => {
      got = body;
      return provider.call(body);
    });
    expect(got!.max_tokens).toBe(16_384);
    expect(got!.messages[0]).toBe(message);
  });

  it('by half where no number is printed, a few times at most', async () => {
    const provider = fakeProvider('openai-chat', () => {
      throw apiError(400, 'max_tokens is too large');
    });
    const body = { model: 'm', max_tokens: 8_000, messages: [{ role: 'user', content: 'hi' }] };
    const error = await failureOf((await session('openai-chat')).send(body, provider.call));
    expect(error).toMatchObject({ code: 'output_cap', details: { kind: 'output-cap' }, cause: { status: 400 } });
    expect(provider.received.map((received) => received.body.max_tokens)).toEqual([8_000, 4_000, 2_000, 1_000]);
  });

  it('surfaces where the request names no number to lower', async () => {
    const error = apiError(400, 'max_tokens is too large: 65536. This model supports at most 16384 completion tokens');
    const provider = fakeProvider('openai-chat', () => {
      throw error;
    });
    const surfaced = await failureOf(
      (await session('openai-chat')).send({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }, provider.call),
    );
    expect(surfaced).toMatchObject({ code: 'output_cap', details: { limit: 16_384 } });
    expect((surfaced as UllageError).cause).toBe(error);
    expect(provider.received).toHaveLength(1);
  });

  it('shrinks the input where almost nothing is left beside it', async () => {
    const provider = fakeProvider('anthropic', ({ index }) => {
      if (index === 0)
        throw apiError(400, 'input length and `max_tokens` exceed context limit: 39990 + 1000 > 40000, decrease input length');
      return undefined;
    });
    const one = await session('anthropic');
    await one.send(grown('anthropic').ask(), provider.call);
    expect(provider.received[1]!.body.max_tokens).toBe(1_000);
    expect(provider.received[1]!.tokens).toBeLessThan(0.6 * provider.received[0]!.tokens);
    expect((await one.prepare(bodyOf('anthropic', encodeAsk('anthropic', 'hi')))).budget.window).toBe(40_000);
  });

  it('keeps a reasoning budget legal', async () => {
    const provider = fakeProvider('anthropic', ({ index }) => {
      if (index === 0) throw apiError(400, 'max_tokens: 30000 > 8192, which is the maximum allowed number of output tokens for m');
      return undefined;
    });
    const body = {
      ...bodyOf('anthropic', encodeAsk('anthropic', 'hi')),
      max_tokens: 30_000,
      thinking: { type: 'enabled', budget_tokens: 20_000 },
    };
    await (await session('anthropic')).send(body, provider.call);
    expect(provider.received[1]!.body).toMatchObject({ max_tokens: 8_192, thinking: { budget_tokens: 6_553 } });
  });
});

describe('too many bytes (F23)', () => {
  it('without any media halves the bytes by compaction, and says so in bytes', async () => {
    const provider = fakeProvider('openai-chat', ({ sizeBytes }) => {
      if (sizeBytes > 40_000) throw apiError(413, 'Request body too large');
      return undefined;
    });
    const one = await session('openai-chat');
    await one.send(grown('openai-chat').ask(), provider.call);
    const [first, second] = provider.received;
    expect(second!.sizeBytes).toBeLessThanOrEqual(Math.max(40_000, first!.sizeBytes / 2));
    const [outcome] = await one.outcomes();
    expect(outcome).toMatchObject({ triggerReason: 'provider_413', status: 'compacted', exhausted: false });
    expect(outcome!.message).toContain('MB');
    expect((await one.prepare(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')))).budget.window).toBe(40_000);
  });

  it('that cannot be lowered end in payload_too_large, and never speak of the context (B162)', async () => {
    const provider = fakeProvider('openai-chat', () => {
      throw apiError(413, 'Request body too large, limit 0.01 mb');
    });
    const one = await session('openai-chat');
    const error = (await failureOf(
      one.send(bodyOf('openai-chat', encodeAsk('openai-chat', 'word '.repeat(9_000))), provider.call),
    )) as UllageError;
    expect(error).toMatchObject({ code: 'payload_too_large', details: { limitBytes: 10_000, exhausted: true } });
    expect(error.message).toMatch(/\d+ bytes/);
    expect(error.message).not.toMatch(/window|context/i);
    const [outcome] = await one.outcomes();
    expect(outcome).toMatchObject({ exhausted: true, triggerReason: 'provider_413' });
    expect(outcome!.message).not.toMatch(/window|context/i);
    expect(provider.received).toHaveLength(1);
  });
});

describe('one request over a rate limit (F22, B153)', () => {
  const tpm = (limit: number, requested: number) =>
    apiError(
      429,
      `Request too large for m on tokens per min (TPM): Limit ${limit}, Requested ${requested}. The input or output tokens must be reduced.`,
      {
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    );

  it('is compacted below the limit, which is never taken for a window', async () => {
    const provider = fakeProvider('openai-chat', ({ tokens }) => {
      if (tokens > 12_000) throw tpm(12_000, tokens);
      return undefined;
    });
    const one = await session('openai-chat');
    await one.send(grown('openai-chat').ask(), provider.call);
    expect(provider.received).toHaveLength(2);
    expect((await one.prepare(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')))).budget.window).toBe(40_000);
  });

  it('asks for less output first, where that is what is too much', async () => {
    const provider = fakeProvider('openai-chat', ({ tokens, body }) => {
      const requested = tokens + (body.max_tokens as number);
      if (requested > 30_000) throw tpm(30_000, requested);
      return undefined;
    });
    const one = await session('openai-chat');
    const body = { ...bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')), max_tokens: 32_000 };
    await one.send(body, provider.call);
    expect(provider.received.map((received) => received.body.max_tokens)).toEqual([32_000, 7_500]);
    expect(await one.outcomes()).toEqual([]);
  });

  it('that no compaction can lower surfaces as the provider said it', async () => {
    const error = tpm(1_000, 30_000);
    const provider = fakeProvider('openai-chat', () => {
      throw error;
    });
    const one = await session('openai-chat');
    expect(await failureOf(one.send(bodyOf('openai-chat', encodeAsk('openai-chat', 'word '.repeat(9_000))), provider.call))).toBe(error);
    expect(provider.received.length).toBeLessThanOrEqual(4);
    expect((await one.outcomes()).some(({ exhausted }) => exhausted)).toBe(false);
  });
});

describe('a suspected overflow (F22)', () => {
  it('is tried once, then the provider’s own error is thrown', async () => {
    const errors = [apiError(400, 'Error'), apiError(400, 'Error')];
    const provider = fakeProvider('openai-chat', ({ index }) => {
      throw errors[index] ?? new Error('a third request');
    });
    const one = await session('openai-chat');
    expect(await failureOf(one.send(grown('openai-chat').ask(), provider.call))).toBe(errors[1]);
    expect(provider.received).toHaveLength(2);
    expect((await one.outcomes()).some(({ exhausted }) => exhausted)).toBe(false);
  });

  it('that could only move a little is not tried: nothing is folded for a bare suspicion', async () => {
    const one = await session('openai-chat');
    const messages = [
      ...encodeAsk('openai-chat', 'Mend it.'),
      ...encodeAnswer('openai-chat', `Done. ${'So it was. '.repeat(40)}`),
      ...encodeAsk('openai-chat', 'word '.repeat(20_000)),
    ];
    const error = apiError(400, 'Error');
    const provider = fakeProvider('openai-chat', () => {
      throw error;
    });
    expect(await failureOf(one.send(bodyOf('openai-chat', messages), provider.call))).toBe(error);
    expect(provider.received).toHaveLength(1);
    expect(provider.received[0]!.tokens).toBeGreaterThan(0.4 * 40_000);
    expect((await one.outcomes())[0]).toMatchObject({ status: 'no_op', exhausted: false });
  });

  it('is not suspected of a request that was compacted below suspicion, nor of a reasoning model that was cut off', async () => {
    const one = await session('openai-chat');
    const small = fakeProvider('openai-chat', () => {
      throw apiError(400, 'Error');
    });
    await failureOf(one.send(grown('openai-chat', 30).ask(), small.call));
    expect(small.received[0]!.tokens).toBeLessThan(0.4 * 40_000);
    expect(small.received).toHaveLength(1);
    const cut = fakeProvider('openai-chat', () => {
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    });
    const large = makeWorld({ api: 'openai-chat', models: { window: 28_000, maxOutputTokens: 1_000 } });
    await failureOf((await large.open().session('k')).send({ ...grown('openai-chat', 11).ask(), reasoning_effort: 'high' }, cut.call));
    expect(cut.received).toHaveLength(1);
  });
});

describe('all other errors surface unchanged', () => {
  const errors: [string, unknown][] = [
    ['rate', apiError(429, 'Rate limit reached for requests per minute', { code: 'rate_limit_exceeded' })],
    ['rate', apiError(529, 'Overloaded', { type: 'overloaded_error' })],
    ['rate', apiError(429, 'Too many tokens, please wait before trying again.')],
    ['auth', apiError(401, 'invalid x-api-key', { type: 'authentication_error' })],
    ['auth', apiError(402, 'Your credit balance is too low')],
    [
      'policy',
      apiError(400, 'The response was filtered due to the prompt triggering content management policy', { code: 'content_filter' }),
    ],
    ['structure', apiError(400, 'messages: roles must alternate between "user" and "assistant"')],
    ['structure', apiError(400, 'tools.0.input_schema: Extra inputs are not permitted')],
    ['other', apiError(500, 'Internal server error')],
    ['other', new TypeError('fetch failed')],
    ['other', 'a string'],
    ['other', undefined],
    ['other', { weird: true }],
  ];

  it.each(errors)('%s: %s', async (kind, error) => {
    const { open, store } = makeWorld({ api: 'openai-chat', store: memoryStore() });
    const one = await open().session('k');
    const body = bodyOf('openai-chat', encodeAsk('openai-chat', 'hi'));
    const provider = fakeProvider('openai-chat', () => {
      throw error;
    });
    expect(await failureOf(one.send(body, provider.call))).toBe(error);
    expect(provider.received).toHaveLength(1);
    const prepared = await one.prepare(body);
    const recovery = await one.recover(prepared.id, error);
    expect(recovery).toMatchObject({ action: 'surface', error: { code: 'provider_error', details: { kind } } });
    expect((recovery as { error: UllageError }).error.cause).toBe(error);
    expect(await store.calibrations({ route: 'openai-chat', model: 'm' })).toBeUndefined();
    expect(await one.guard()).toMatchObject({ state: 'clear', strikes: 0 });
  });

  it('an error of this package that the call threw, too', async () => {
    const error = new UllageError('store_unavailable', 'another one is down');
    const one = await session('openai-chat');
    expect(await failureOf(one.send(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')), () => Promise.reject(error)))).toBe(error);
  });
});

describe('requests that are passed through', () => {
  it('are not compacted by an error either: state the server holds is not ours', async () => {
    const error = overflowError('openai-responses', { limit: 10_000, actual: 20_000 });
    const provider = fakeProvider('openai-responses', () => {
      throw error;
    });
    const one = await session('openai-responses');
    const body = { ...grown('openai-responses').ask(), previous_response_id: 'resp_1' };
    expect(await failureOf(one.send(body, provider.call))).toBe(error);
    expect(provider.received).toHaveLength(1);
  });
});

describe('recover by hand', () => {
  it('twice with one id retries once', async () => {
    const one = await session('openai-chat');
    const prepared: Prepared = await one.prepare(grown('openai-chat').ask());
    const error = overflowError('openai-chat', { limit: 10_000, actual: 20_000 });
    expect(await one.recover(prepared.id, error)).toMatchObject({ action: 'retry' });
    expect(await one.recover(prepared.id, error)).toMatchObject({ action: 'surface' });
  });

  it('an id of another tenant, or none of ours, is option_invalid', async () => {
    const { open } = makeWorld({ api: 'openai-chat' });
    const prepared = await (await open({ tenant: 'a' }).session('k')).prepare(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')));
    const other = await open({ tenant: 'b' }).session('k');
    await expect(other.recover(prepared.id, new Error('x'))).rejects.toMatchObject({ code: 'option_invalid' });
    await expect(other.observe(prepared.id, answerOf('openai-chat', 5))).rejects.toMatchObject({ code: 'option_invalid' });
    for (const id of ['', 'u1.', 'u1.e30', `u1.${Buffer.from('{"tenant":"b"}').toString('base64url')}`, prepared.id.slice(0, -9)])
      await expect(other.recover(id, new Error('x'))).rejects.toMatchObject({ code: 'option_invalid' });
  });

  it('keeps the caller’s message objects in the retry where nothing changed', async () => {
    const one = await session('openai-chat');
    const body = grown('openai-chat').ask();
    const prepared = await one.prepare(body);
    const recovery = await one.recover(prepared.id, overflowError('openai-chat', { limit: 10_000, actual: 20_000 }));
    expect(recovery.action).toBe('retry');
    const retry = (recovery as { prepared: Prepared }).prepared;
    expect(messagesOf(retry.body).at(-1)).toBe(messagesOf(body).at(-1));
    expect(retry.context.tokens).toBeLessThan(10_000);
  });
});
