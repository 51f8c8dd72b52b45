// F22: the wrappers an error comes in, hostile ones included.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyError } from './classify.ts';

const MESSAGE = 'prompt is too long: 213462 tokens > 200000 maximum';
const BODY = { type: 'error', error: { type: 'invalid_request_error', message: MESSAGE }, request_id: 'req_1' };
const JSON_BODY = JSON.stringify(BODY);

const WRAPPERS: readonly (readonly [string, unknown, number | undefined])[] = [
  [
    'Anthropic SDK',
    Object.assign(new Error(`400 ${JSON_BODY}`), { status: 400, error: BODY, headers: new Headers(), requestID: 'req_1' }),
    400,
  ],
  [
    'OpenAI SDK',
    Object.assign(new Error(`400 ${MESSAGE}`), { status: 400, error: BODY.error, code: null, type: 'invalid_request_error' }),
    400,
  ],
  [
    'AI SDK',
    Object.assign(new Error('Bad Request'), {
      name: 'AI_APICallError',
      statusCode: 400,
      responseBody: JSON_BODY,
      requestBodyValues: { prompt: 'image exceeds 5 MB maximum' },
      isRetryable: false,
    }),
    400,
  ],
  [
    'AI SDK after retries',
    Object.assign(new Error('Failed after 3 attempts.'), {
      name: 'AI_RetryError',
      errors: [new Error('other'), Object.assign(new Error(MESSAGE), { statusCode: 400 })],
    }),
    400,
  ],
  [
    'LangChain',
    Object.assign(new Error(`${MESSAGE}\n\nTroubleshooting URL: https://example.invalid/errors/`), {
      name: 'ContextOverflowError',
      cause: Object.assign(new Error(MESSAGE), { status: 400 }),
    }),
    400,
  ],
  [
    'axios',
    Object.assign(new Error('Request failed with status code 400'), {
      response: { status: 400, data: BODY },
      config: { data: 'API key not valid' },
    }),
    400,
  ],
  ['fetch-like, parsed', { status: 400, body: BODY }, 400],
  ['fetch-like, text', { status: 400, body: JSON_BODY }, 400],
  ['a body', BODY, undefined],
  ['text', JSON_BODY, undefined],
  ['bytes printed by Python', `Error code: 400 - b'${JSON_BODY}'`, 400],
  [
    'an object printed by Python',
    `Error code: 400 - {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': '${MESSAGE}'}}`,
    400,
  ],
  ['a wrapped cause', new Error('call failed', { cause: new Error('inner', { cause: { status: 400, body: BODY } }) }), 400],
  ['a list', [{ error: { message: MESSAGE } }], undefined],
  ['a FastAPI detail', { status: 422, body: { detail: [{ loc: ['body'], msg: MESSAGE, type: 'value_error' }] } }, 422],
  [
    'an event of a 200 stream',
    { status: 200, body: `event: message_start\ndata: {"type":"message_start"}\n\nevent: error\ndata: ${JSON_BODY}\n\n` },
    undefined,
  ],
  [
    'an error object in a chat stream',
    { status: 200, body: `data: {"choices":[]}\n\ndata: ${JSON.stringify({ error: { message: MESSAGE, code: 400 } })}\n\ndata: [DONE]\n` },
    400,
  ],
  [
    'a failed response event',
    { type: 'response.failed', response: { id: 'resp_1', status: 'failed', error: { code: 'invalid_prompt', message: MESSAGE } } },
    undefined,
  ],
  [
    'JSON three times over',
    { message: JSON.stringify({ error: { message: JSON.stringify({ error: { message: JSON_BODY } }) } }) },
    undefined,
  ],
];

describe('F22 wrappers', () => {
  test.each(WRAPPERS)('%s', (_, error, status) => {
    const found = classifyError({ error });
    expect(found).toMatchObject({ kind: 'overflow', limit: 200_000, actual: 213_462 });
    expect(found.status).toBe(status);
    expect(found.text).toContain(MESSAGE);
  });

  test('B159 what the model wrote in a stream is no error', () => {
    const delta = JSON.stringify({ choices: [{ delta: { content: `the error was: ${MESSAGE}` } }] });
    expect(classifyError({ error: { status: 200, body: `data: ${delta}\n\ndata: [DONE]\n` } })).toEqual({ kind: 'other', text: '' });
  });

  test('a Response whose body is not read has only its status', () => {
    expect(classifyError({ error: new Response(MESSAGE, { status: 413 }) })).toMatchObject({ kind: 'payload', status: 413 });
  });
});

describe('F22 hostile errors', () => {
  test('cycles, throwing getters and odd values are survived', () => {
    const cycle: Record<string, unknown> = { message: MESSAGE };
    cycle.cause = cycle;
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(classifyError({ error: cycle }).kind).toBe('overflow');
    for (const error of [throwing, { headers: throwing, status: 429 }, undefined, null, 42, Symbol('x'), () => MESSAGE]) {
      expect(['other', 'rate']).toContain(classifyError({ error }).kind);
    }
  });

  test.each([
    ['digits', '1'.repeat(1_000_000)],
    ['blanks', `${' '.repeat(500_000)}x{${' '.repeat(500_000)}`],
    ['braces', '{'.repeat(1_000_000)],
    ['nested JSON', '{"error":'.repeat(50_000)],
    ['lone surrogates', '\ud83d'.repeat(1_000_000)],
    ['one phrase', 'thinking '.repeat(100_000)],
    ['events', 'data: {"error":1}\n'.repeat(50_000)],
  ])('a megabyte of %s is other, and its text is short', (_, error) => {
    const found = classifyError({ error });
    expect(found.kind).toBe('other');
    expect(found.text.length).toBeLessThanOrEqual(8_000);
  });

  test('no value is thrown at, and no limit is learnt from noise', () => {
    const error = fc.oneof(
      fc.anything(),
      fc.record({ status: fc.integer({ min: 100, max: 599 }), body: fc.anything() }),
      fc.string().map((message) => new Error(message)),
    );
    fc.assert(
      fc.property(error, fc.nat(300_000), (value, ownTokens) => {
        expect(classifyError({ error: value, ownTokens, windowTokens: 200_000 })).not.toHaveProperty('limit');
      }),
      { seed: 22, numRuns: 500 },
    );
  });
});
