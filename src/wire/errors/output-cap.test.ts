// F22: the input fits, the requested output does not.
import { describe, expect, test } from 'vitest';
import { anthropic, classOf, openai, status400 } from './testing/errors.ts';

describe('F22 output caps: the input fits', () => {
  test.each([
    [
      'Anthropic',
      anthropic(
        'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      { available: 11_941 },
    ],
    [
      'Anthropic, spelled out',
      anthropic('max_tokens: 32768 > context_window: 200000 - input_tokens: 190000 = available_tokens: 10000'),
      { available: 10_000 },
    ],
    [
      'Anthropic, of the model',
      anthropic('max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-x'),
      { limit: 64_000 },
    ],
    [
      'Anthropic, unreadable numbers',
      anthropic('input length and `max_tokens` exceed context limit: decrease input length or `max_tokens`'),
      {},
    ],
    [
      'Bedrock',
      {
        name: 'ValidationException',
        message: 'The maximum tokens you requested exceeds the model limit of 32768. Try again with a maximum tokens value that is lower.',
      },
      { limit: 32_768 },
    ],
    [
      'OpenAI',
      openai(
        'max_tokens is too large: 65536. This model supports at most 32768 completion tokens, whereas you provided 65536.',
        'invalid_value',
      ),
      { limit: 32_768 },
    ],
    [
      'OpenAI split',
      openai(
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
        'context_length_exceeded',
      ),
      { available: 3_192 },
    ],
    [
      'old OpenAI split',
      openai(
        "This model's maximum context length is 4097 tokens, however you requested 4200 tokens (200 in your prompt; 4000 for the completion). Please reduce your prompt; or completion length.",
      ),
      { available: 3_897 },
    ],
    [
      'OpenRouter',
      status400({
        error: {
          code: 400,
          message:
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (20000 of text input, 4000 of tool input, 16000 in the output). Please reduce the length of either one.",
        },
      }),
      { available: 8_768 },
    ],
    [
      'vLLM',
      status400({
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 2048 output tokens and your prompt contains 3000 input tokens, for a total of 5048 tokens.",
      }),
      { available: 1_096 },
    ],
    [
      'vLLM, other words',
      status400({
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1217 input tokens (8192 > 8192 - 1217).",
      }),
      { available: 6_975 },
    ],
    [
      'SGLang',
      status400({
        message:
          "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 107232 tokens from the input messages and 32768 tokens for the completion.",
      }),
      { available: 23_840 },
    ],
    [
      'TGI',
      {
        status: 422,
        body: { error: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`' },
      },
      { available: 1_096 },
    ],
    ['DashScope', status400({ message: 'Range of max_tokens should be [1, 8192]' }), { limit: 8_192 }],
    ['DeepSeek', openai('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'), { limit: 8_192 }],
    ['Scaleway', openai('max_completion_tokens is limited to 16384 for this model'), { limit: 16_384 }],
    ['a gateway', openai("the requested value exceeds model's maximum output tokens (4096)"), { limit: 4_096 }],
    ['another gateway', openai('max_tokens is above the model output limit of 8192'), { limit: 8_192 }],
    [
      'Vertex',
      status400({
        error: {
          message:
            'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
        },
      }),
      { limit: 65_536 },
    ],
    ['words alone', openai('max_tokens is too large'), {}],
    [
      'through a relay that says 429',
      openai('max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for x', null, 429),
      { limit: 64_000 },
    ],
  ])('%s', (_, error, expected) => {
    expect(classOf(error)).toEqual({ kind: 'output-cap', ...expected });
  });

  test('vLLM’s "at least" is derived from the output: half of it is offered, nothing is computed', () => {
    const error = status400({
      message:
        "This model's maximum context length is 40960 tokens. However, you requested 16384 output tokens and your prompt contains at least 24577 input tokens, for a total of at least 40961 tokens.",
    });
    expect(classOf(error, 30_000)).toEqual({ kind: 'output-cap', available: 8_192 });
    expect(classOf(error, 50_000)).toEqual({ kind: 'overflow', limit: 40_960 });
  });
});
