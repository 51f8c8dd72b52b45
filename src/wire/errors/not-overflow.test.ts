// F22: rate limits and other causes that look like an overflow and are none.
import { describe, expect, test } from 'vitest';
import { classifyError } from './classify.ts';
import { anthropic, classOf, openai, status400 } from './testing/errors.ts';

describe('F22 limits of a rate', () => {
  test.each([
    [
      'OpenAI',
      {
        status: 429,
        body: {
          error: {
            message:
              'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 31538. The input or output tokens must be reduced in order to run successfully.',
            type: 'tokens',
            code: 'rate_limit_exceeded',
          },
        },
      },
      { limit: 30_000, requested: 31_538 },
    ],
    [
      'Groq with 413',
      {
        status: 413,
        body: {
          error: {
            message:
              'Request too large for model `x` in organization `y` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 7423, please reduce your message size and try again.',
            type: 'tokens',
            code: 'rate_limit_exceeded',
          },
        },
      },
      { limit: 6_000, requested: 7_423 },
    ],
    [
      'Anthropic’s long-context tier',
      anthropic('Extra usage is required for long context requests.', 'rate_limit_error', 429),
      { limit: 200_000, requested: 190_000 },
    ],
  ])('one request over it: %s', (_, error, expected) => {
    expect(classOf(error)).toEqual({ kind: 'single-request-over-rate', ...expected });
  });

  test.each([
    [
      'OpenAI',
      {
        status: 429,
        headers: { 'retry-after': '20' },
        body: {
          error: {
            message:
              'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 25000, Requested 8000. Please try again in 6s.',
            code: 'rate_limit_exceeded',
          },
        },
      },
      { retryAfterMs: 20_000 },
    ],
    [
      'a wait in the text',
      { status: 429, body: { error: { message: 'Rate limit reached. Please try again in 1m12.5s.' } } },
      { retryAfterMs: 72_500 },
    ],
    [
      'milliseconds',
      { status: 429, headers: new Headers({ 'retry-after-ms': '350', 'retry-after': '1' }), body: {} },
      { retryAfterMs: 350 },
    ],
    ['a date needs a clock', { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, body: {} }, {}],
    [
      'Bedrock',
      { name: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.', $metadata: { httpStatusCode: 429 } },
      {},
    ],
    ['too many tokens per day', openai('Too many tokens per day, please wait before trying again.'), {}],
    ['too many tokens per minute', { status: 429, body: { error: 'too many tokens per minute' } }, {}],
    [
      'Gemini’s quota names an input token count',
      {
        status: 429,
        body: {
          error: {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            message:
              'You exceeded your current quota. Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000',
            details: [{ '@type': 'RetryInfo', retryDelay: '34s' }],
          },
        },
      },
      { retryAfterMs: 34_000 },
    ],
    [
      'Anthropic',
      anthropic(
        'This request would exceed the rate limit for your organization of 30,000 input tokens per minute.',
        'rate_limit_error',
        429,
      ),
      {},
    ],
    ['Anthropic overloaded', anthropic('Overloaded', 'overloaded_error', 529), {}],
    [
      'GLM overloaded',
      { status: 429, body: { error: { code: '1305', message: 'The service may be temporarily overloaded, please try again later' } } },
      {},
    ],
    ['a 413 that speaks of a rate', { status: 413, body: { error: 'tokens per minute exhausted' } }, {}],
    ['503', { status: 503, body: 'Service Unavailable' }, {}],
  ])('a wait helps: %s', (_, error, expected) => {
    expect(classOf(error)).toEqual({ kind: 'rate', ...expected });
  });
});

describe('F22 other causes are named before a size is guessed', () => {
  test.each([
    ['auth', 'a key', { status: 401, body: { error: { message: 'Incorrect API key provided: sk-x', code: 'invalid_api_key' } } }],
    [
      'auth',
      'a key behind a 400',
      status400({ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } }),
    ],
    ['auth', 'billing', anthropic('Your credit balance is too low to access the API.')],
    [
      'auth',
      'a plan',
      { status: 429, body: { error: { message: 'You exceeded your current quota, please check your plan.', code: 'insufficient_quota' } } },
    ],
    ['auth', 'permission', { status: 403, body: 'Forbidden' }],
    [
      'policy',
      'Azure',
      status400({
        error: {
          code: 'content_filter',
          message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        },
      }),
    ],
    [
      'policy',
      'OpenRouter',
      { status: 403, body: { error: { message: 'openai/x requires moderation. Your input was flagged for "violence".' } } },
    ],
    [
      'thinking-binding',
      'a foreign prefix',
      anthropic('messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.'),
    ],
    [
      'thinking-binding',
      'an edited block',
      anthropic('messages.5.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.'),
    ],
    [
      'thinking-binding',
      'encrypted reasoning',
      openai('The encrypted content for item rs_1 could not be verified.', 'invalid_encrypted_content'),
    ],
    [
      'structure',
      'a parameter named max_tokens',
      openai(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'unsupported_parameter',
      ),
    ],
    [
      'structure',
      'a long parameter',
      openai(
        "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 90 instead.",
        'string_above_max_length',
      ),
    ],
    [
      'structure',
      'Anthropic pairing',
      anthropic(
        'messages.33: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      ),
    ],
    [
      'structure',
      'OpenAI pairing',
      openai(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1",
      ),
    ],
    ['structure', 'Responses pairing', openai("Item 'rs_1' of type 'reasoning' was provided without its required following item.")],
    ['structure', 'cache markers', anthropic('A maximum of 4 blocks with cache_control may be provided. Found 5.')],
    [
      'structure',
      'Gemini signatures',
      status400({ error: { message: 'Function call is missing a thought_signature in functionCall parts.' } }),
    ],
    ['structure', 'DeepSeek reasoning', openai('The `reasoning_content` in the thinking mode must be passed back to the API.')],
    ['structure', 'a template', status400({ error: 'Conversation roles must alternate user/assistant/user/assistant/...' })],
    ['structure', 'a split surrogate', openai('The request body is not valid JSON: no low surrogate in string: line 1 column 70000')],
    ['other', 'a beta header', anthropic('The long context beta is not yet available for this subscription.')],
    ['other', 'a model', { status: 404, body: { error: { message: 'The model `x` does not exist', code: 'model_not_found' } } }],
    [
      'other',
      'a fault of the server',
      { status: 500, body: { error: { message: 'The server had an error while processing your request. Sorry about that!' } } },
    ],
    ['other', 'a cancelled call', Object.assign(new Error('This operation was aborted'), { name: 'AbortError' })],
  ])('%s: %s', (kind, _, error) => {
    expect(classOf(error)).toEqual({ kind });
  });
});

describe('F22 a suspicion needs a large request', () => {
  const silent = Object.assign(new Error('400 status code (no body)'), { status: 400 });
  const cloudflare = { status: 502, body: '<!DOCTYPE html><title>502 Bad Gateway</title> cloudflare' };

  test.each([
    ['400 without a body', silent, 90_000, 'suspected-overflow'],
    ['400 without a body, small request', silent, 70_000, 'other'],
    ['400 that says nothing', anthropic('Error'), 90_000, 'suspected-overflow'],
    ['400 that says something', openai('The model is not able to call more than twelve functions.'), 190_000, 'other'],
    ['400 that speaks of a rate', openai('rate limit exceeded'), 190_000, 'rate'],
    ['a gateway', cloudflare, 130_000, 'suspected-overflow'],
    ['a gateway, small request', cloudflare, 110_000, 'other'],
    [
      'a lost connection',
      new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) }),
      130_000,
      'suspected-overflow',
    ],
    ['a failed handshake', new Error('connection reset: SSL alert number 40'), 130_000, 'other'],
    ['a refused connection', Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }), 190_000, 'other'],
  ])('%s', (_, error, ownTokens, kind) => {
    expect(classifyError({ error, ownTokens, windowTokens: 200_000 }).kind).toBe(kind);
  });

  test('a reasoning model that lost its connection was idle, not too large', () => {
    expect(classifyError({ error: cloudflare, ownTokens: 190_000, windowTokens: 200_000, isReasoningModel: true }).kind).toBe('other');
  });

  test('without sizes nothing is suspected', () => {
    expect(classifyError({ error: silent }).kind).toBe('other');
    expect(classifyError({ error: silent, ownTokens: 190_000 }).kind).toBe('other');
  });
});
