// F05: every usage shape, its classes disjoint; sums, contradictions and silence are never read as a size.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../core/size/size.ts';
import { APIS, type Api } from '../core/transcript/entry.ts';
import { mergeUsage, normalizeUsage, readUsage } from './usage.ts';

type Classes = Omit<Usage, 'raw'>;

const TABLE: readonly (readonly [string, Api, unknown, Classes])[] = [
  [
    'OpenAI chat, cached inside',
    'openai-chat',
    {
      prompt_tokens: 184_704,
      completion_tokens: 49,
      prompt_tokens_details: { cached_tokens: 183_936 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    { uncachedInput: 768, cacheRead: 183_936, promptTokens: 184_704, output: 49, reasoning: 20 },
  ],
  [
    'OpenAI chat, cache writes inside',
    'openai-chat',
    { prompt_tokens: 5_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 3_000 } },
    { uncachedInput: 1_000, cacheRead: 1_000, cacheWrite: 3_000, promptTokens: 5_000, output: 10 },
  ],
  [
    'OpenAI chat, no details',
    'openai-chat',
    { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
    { uncachedInput: 7, promptTokens: 7, output: 1 },
  ],
  [
    'OpenAI Responses',
    'openai-responses',
    {
      input_tokens: 9_000,
      input_tokens_details: { cached_tokens: 8_000, cache_write_tokens: 500 },
      output_tokens: 70,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 9_070,
    },
    { uncachedInput: 500, cacheRead: 8_000, cacheWrite: 500, promptTokens: 9_000, output: 70, reasoning: 64 },
  ],
  [
    'Anthropic, cache outside',
    'anthropic',
    { input_tokens: 3, cache_read_input_tokens: 80_000, cache_creation_input_tokens: 5_000, output_tokens: 12 },
    { uncachedInput: 3, cacheRead: 80_000, cacheWrite: 5_000, promptTokens: 85_003, output: 12 },
  ],
  [
    'Anthropic, writes by lifetime only',
    'anthropic',
    {
      input_tokens: 3,
      cache_read_input_tokens: 10,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 1,
    },
    { uncachedInput: 3, cacheRead: 10, cacheWrite: 50, promptTokens: 63, output: 1 },
  ],
  [
    'Anthropic, null classes',
    'anthropic',
    { input_tokens: 30, cache_read_input_tokens: null, cache_creation_input_tokens: null, output_tokens: 1 },
    { uncachedInput: 30, promptTokens: 30, output: 1 },
  ],
  [
    'Anthropic with a compaction: its own sampling is not the size',
    'anthropic',
    {
      input_tokens: 20_000,
      output_tokens: 300,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 20_000, output_tokens: 300 },
      ],
    },
    { uncachedInput: 20_000, promptTokens: 20_000, output: 300 },
  ],
  [
    'Anthropic with server tools: the sum of samplings is not the size',
    'anthropic',
    {
      input_tokens: 50,
      cache_read_input_tokens: 41_000,
      output_tokens: 300,
      iterations: [
        { type: 'message', input_tokens: 20, cache_read_input_tokens: 20_000, output_tokens: 100 },
        { type: 'message', input_tokens: 30, cache_read_input_tokens: 21_000, output_tokens: 200 },
      ],
    },
    { uncachedInput: 20, cacheRead: 20_000, promptTokens: 20_020, output: 300 },
  ],
  [
    'Anthropic behind a chat route',
    'openai-chat',
    { input_tokens: 3, cache_read_input_tokens: 80_000, output_tokens: 1 },
    { uncachedInput: 3, cacheRead: 80_000, promptTokens: 80_003, output: 1 },
  ],
  [
    'Gemini, thoughts outside the answer',
    'openai-chat',
    { promptTokenCount: 1_000, cachedContentTokenCount: 900, candidatesTokenCount: 50, thoughtsTokenCount: 200, totalTokenCount: 1_250 },
    { uncachedInput: 100, cacheRead: 900, promptTokens: 1_000, output: 250, reasoning: 200 },
  ],
  [
    'Bedrock',
    'anthropic',
    { inputTokens: 3, outputTokens: 9, cacheReadInputTokens: 1_000, cacheWriteInputTokens: 200 },
    { uncachedInput: 3, cacheRead: 1_000, cacheWrite: 200, promptTokens: 1_203, output: 9 },
  ],
  [
    'DeepSeek',
    'openai-chat',
    { prompt_tokens: 1_000, completion_tokens: 5, prompt_cache_hit_tokens: 640, prompt_cache_miss_tokens: 360 },
    { uncachedInput: 360, cacheRead: 640, promptTokens: 1_000, output: 5 },
  ],
  [
    'OpenRouter',
    'openai-chat',
    { prompt_tokens: 1_000, completion_tokens: 5, cost: 0.01, prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 400 } },
    { uncachedInput: 600, cacheRead: 0, cacheWrite: 400, promptTokens: 1_000, output: 5 },
  ],
  [
    'LiteLLM copies Anthropic’s names',
    'openai-chat',
    { prompt_tokens: 1_000, completion_tokens: 5, cache_read_input_tokens: 900, cache_creation_input_tokens: 50 },
    { uncachedInput: 50, cacheRead: 900, cacheWrite: 50, promptTokens: 1_000, output: 5 },
  ],
  [
    'xAI, reasoning outside',
    'openai-chat',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 341, completion_tokens_details: { reasoning_tokens: 300 } },
    { uncachedInput: 32, promptTokens: 32, output: 309, reasoning: 300 },
  ],
  [
    'LangChain',
    'anthropic',
    {
      input_tokens: 1_000,
      output_tokens: 50,
      total_tokens: 1_050,
      input_token_details: { cache_read: 800, cache_creation: 100 },
      output_token_details: { reasoning: 10 },
    },
    { uncachedInput: 100, cacheRead: 800, cacheWrite: 100, promptTokens: 1_000, output: 50, reasoning: 10 },
  ],
  ['AI SDK 4', 'openai-chat', { promptTokens: 10, completionTokens: 2 }, { uncachedInput: 10, promptTokens: 10, output: 2 }],
  [
    'AI SDK 5',
    'openai-chat',
    { inputTokens: 1_000, outputTokens: 50, totalTokens: 1_050, reasoningTokens: 30, cachedInputTokens: 900 },
    { uncachedInput: 100, cacheRead: 900, promptTokens: 1_000, output: 50, reasoning: 30 },
  ],
  [
    'AI SDK 6',
    'openai-chat',
    {
      inputTokens: 1_000,
      inputTokenDetails: { noCacheTokens: 50, cacheReadTokens: 900, cacheWriteTokens: 50 },
      outputTokens: 40,
      outputTokenDetails: { textTokens: 10, reasoningTokens: 30 },
    },
    { uncachedInput: 50, cacheRead: 900, cacheWrite: 50, promptTokens: 1_000, output: 40, reasoning: 30 },
  ],
  [
    'AI SDK 6, provider level',
    'openai-chat',
    { inputTokens: { total: 1_000, noCache: 100, cacheRead: 900 }, outputTokens: { total: 40, text: 10, reasoning: 30 } },
    { uncachedInput: 100, cacheRead: 900, promptTokens: 1_000, output: 40, reasoning: 30 },
  ],
  ['Ollama', 'openai-chat', { prompt_eval_count: 26, eval_count: 298 }, { uncachedInput: 26, promptTokens: 26, output: 298 }],
  [
    'llama.cpp timings',
    'openai-chat',
    { cache_n: 38_000, prompt_n: 200, predicted_n: 40 },
    { uncachedInput: 200, cacheRead: 38_000, promptTokens: 38_200, output: 40 },
  ],
];

const classesOf = ({ raw: _, ...classes }: Usage): Classes => classes;

describe('F05 shapes', () => {
  test.each(TABLE)('%s', (_, api, usage, expected) => {
    const read = normalizeUsage(api, usage);
    expect(classesOf(read)).toEqual(expected);
    expect(read.raw).toBe(usage);
  });
});

describe('F05 numbers that are no size', () => {
  test.each([
    ['more cached than input', { prompt_tokens: 900, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 41_000_000 } }],
    ['all zero', { prompt_tokens: 0, completion_tokens: 4 }],
    ['not a number', { prompt_tokens: Number.NaN, completion_tokens: 4 }],
    ['negative', { prompt_tokens: -1, completion_tokens: 4 }],
    ['text', { prompt_tokens: '900', completion_tokens: 4 }],
    ['the input is missing', { completion_tokens: 4, prompt_tokens_details: { cached_tokens: 10 } }],
  ])('%s: the prompt is unknown, the output stays', (_, usage) => {
    expect(classesOf(normalizeUsage('openai-chat', usage))).toEqual({ output: 4 });
  });

  test('a missing partition of Anthropic leaves the size unknown', () => {
    expect(classesOf(normalizeUsage('anthropic', { cache_read_input_tokens: 80_000, output_tokens: 4 }))).toEqual({ output: 4 });
  });

  test.each([undefined, null, 'usage', 7, [], { foo: 1 }])('an unknown shape keeps only itself: %j', (usage) => {
    for (const api of APIS) expect(normalizeUsage(api, usage)).toEqual({ raw: usage });
  });

  test('classes are never negative and add up, for any numbers in any shape', () => {
    const count = fc.oneof(
      fc.nat(1_000_000),
      fc.constantFrom<unknown>(-5, Number.NaN, Number.POSITIVE_INFINITY, '12', null, undefined, {}),
    );
    const names = [
      'prompt_tokens',
      'completion_tokens',
      'input_tokens',
      'output_tokens',
      'cache_read_input_tokens',
      'inputTokens',
      'cacheReadInputTokens',
      'promptTokenCount',
      'cachedContentTokenCount',
      'prompt_eval_count',
      'prompt_n',
      'cache_n',
      'cached_tokens',
    ];
    const flat = fc.dictionary(fc.constantFrom(...names), count);
    const usage = fc
      .record({ flat, prompt_tokens_details: flat, input_tokens_details: flat })
      .map(({ flat: top, ...rest }) => ({ ...rest, ...top }));
    fc.assert(
      fc.property(fc.constantFrom(...APIS), usage, (api, value) => {
        const { uncachedInput = 0, cacheRead = 0, cacheWrite = 0, promptTokens, output = 0 } = readUsage(api, value);
        expect(Math.min(uncachedInput, cacheRead, cacheWrite, output)).toBeGreaterThanOrEqual(0);
        if (promptTokens !== undefined) expect(promptTokens).toBe(uncachedInput + cacheRead + cacheWrite);
      }),
      { seed: 5, numRuns: 1_000 },
    );
  });
});

describe('F05 where the usage stands', () => {
  const usage = { prompt_tokens: 70, completion_tokens: 1 };
  const anthropic = { input_tokens: 70, output_tokens: 1 };
  test.each([
    ['a response', 'openai-chat', { choices: [], usage }],
    ['the last chunk', 'openai-chat', { object: 'chat.completion.chunk', choices: [], usage }],
    ['a finished Responses event', 'openai-responses', { type: 'response.completed', response: { usage: anthropic } }],
    ['an incomplete Responses event', 'openai-responses', { type: 'response.incomplete', response: { usage: anthropic } }],
    ['message_start', 'anthropic', { type: 'message_start', message: { usage: anthropic } }],
    ['message_delta', 'anthropic', { type: 'message_delta', delta: {}, usage: anthropic }],
    ['Bedrock metadata', 'anthropic', { metadata: { usage: { inputTokens: 70, outputTokens: 1 } } }],
    ['Gemini', 'openai-chat', { candidates: [], usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 1 } }],
    ['LangChain', 'openai-chat', { content: 'x', usage_metadata: { ...anthropic, total_tokens: 71 } }],
    ['timings', 'openai-chat', { choices: [], timings: { prompt_n: 70, predicted_n: 1 } }],
    ['bare', 'openai-chat', usage],
  ] as const)('%s', (_, api, response) => {
    expect(readUsage(api, response)).toMatchObject({ promptTokens: 70, output: 1 });
  });

  test('the sum over all steps is not read', () => {
    expect(readUsage('openai-chat', { content: [], totalUsage: { inputTokens: 161_800_000 } })).toEqual({ raw: undefined });
  });

  test('a response without usage is not kept as if it were one', () => {
    expect(readUsage('openai-chat', { choices: [{ message: { content: 'long' } }] })).toEqual({ raw: undefined });
    expect(readUsage('openai-chat', { choices: [], usage: null })).toEqual({ raw: undefined });
  });
});

describe('F05 a stream that reports twice', () => {
  const start = readUsage('anthropic', {
    type: 'message_start',
    message: { usage: { input_tokens: 25, cache_read_input_tokens: 900, output_tokens: 1 } },
  });

  test('the end brings the output and keeps the input', () => {
    const end = readUsage('anthropic', { type: 'message_delta', usage: { output_tokens: 80 } });
    expect(mergeUsage('anthropic', start, end)).toMatchObject({ uncachedInput: 25, cacheRead: 900, promptTokens: 925, output: 80 });
  });

  test('cumulative input replaces, zero and null do not', () => {
    const end = readUsage('anthropic', {
      type: 'message_delta',
      usage: { input_tokens: 27, cache_read_input_tokens: 0, cache_creation_input_tokens: null, output_tokens: 80 },
    });
    expect(mergeUsage('anthropic', start, end)).toMatchObject({ uncachedInput: 27, cacheRead: 900, promptTokens: 927, output: 80 });
  });

  test('one half missing is the other half', () => {
    expect(mergeUsage('anthropic', { raw: undefined }, start)).toBe(start);
    expect(mergeUsage('anthropic', start, { raw: undefined })).toBe(start);
  });
});
