// Overflows as providers are known to word and wrap them; the numbers are made up.
import { anthropic, openai as openaiError, status400 } from './errors.ts';

/** The numbers an overflow prints. */
export interface Expected {
  readonly limit?: number;
  readonly actual?: number;
}

const openai = (message: string, code: string | null = 'context_length_exceeded') => openaiError(message, code);

/** Name, error, and what must be read from it. */
export const OVERFLOWS: readonly (readonly [string, unknown, Expected])[] = [
  [
    'OpenAI chat',
    openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131042 tokens. Please reduce the length of the messages.",
    ),
    { limit: 128_000, actual: 131_042 },
  ],
  [
    'OpenAI chat with max_tokens, the input alone too long',
    openai(
      "This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8500 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    ),
    { limit: 8_192, actual: 8_500 },
  ],
  [
    'OpenAI chat with functions that fill the window',
    openai(
      "This model's maximum context length is 8192 tokens. However, you requested 10000 tokens (5000 in the messages, 4000 in the functions, 1000 in the completion).",
    ),
    { limit: 8_192, actual: 9_000 },
  ],
  ['OpenAI Responses', openai('Your input exceeds the context window of this model. Please adjust your input and try again.'), {}],
  [
    'OpenAI Responses, the code alone in a failed stream event',
    { type: 'response.failed', response: { status: 'failed', error: { code: 'context_length_exceeded', message: 'Request failed.' } } },
    {},
  ],
  [
    'OpenAI, configured limit',
    openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 290111 tokens. Please reduce the length of the messages.',
      null,
    ),
    { limit: 272_000, actual: 290_111 },
  ],
  [
    'Azure',
    status400({
      error: {
        code: 'context_length_exceeded',
        message:
          "(context_length_exceeded) This model's maximum context length is 16385 tokens. However, your messages resulted in 20001 tokens.",
      },
    }),
    { limit: 16_385, actual: 20_001 },
  ],
  ['Azure, the code only inside the text', 'BadRequestError: (context_length_exceeded) Please see the documentation.', {}],
  ['Anthropic', anthropic('prompt is too long: 213462 tokens > 200000 maximum'), { limit: 200_000, actual: 213_462 }],
  [
    'Anthropic, number with separators',
    anthropic('prompt is too long: 1,213,462 tokens > 1,000,000 maximum'),
    { limit: 1_000_000, actual: 1_213_462 },
  ],
  ['Anthropic without numbers', anthropic('Prompt is too long'), {}],
  [
    'Anthropic, input and output, the input alone too long',
    anthropic(
      'input length and `max_tokens` exceed context limit: 201000 + 8000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    { limit: 200_000, actual: 201_000 },
  ],
  ['Bedrock', { name: 'ValidationException', message: 'Input is too long for requested model.', $metadata: { httpStatusCode: 400 } }, {}],
  [
    'Bedrock around Anthropic',
    { name: 'ValidationException', message: 'The model returned the following errors: prompt is too long: 204100 tokens > 199999 maximum' },
    { limit: 199_999, actual: 204_100 },
  ],
  ['Bedrock inside an event stream', { validationException: { message: 'Input is too long for requested model.' } }, {}],
  ['Bedrock, characters are no tokens', status400({ message: 'Malformed input request: expected maxLength: 2048, actual: 50000' }), {}],
  ['Bedrock, input tokens', status400({ message: 'Too many input tokens. Max input tokens: 8000' }), {}],
  [
    'Bedrock Mantle',
    status400({ error: { type: 'validation_error', message: 'prompt tokens (250000) exceed model maximum (200000)' } }),
    { limit: 200_000, actual: 250_000 },
  ],
  [
    'Vertex',
    status400({ type: 'error', error: { type: 'invalid_request_error', message: 'Prompt is too long' }, request_id: 'req_vrtx_01' }),
    {},
  ],
  [
    'Gemini',
    status400({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
      },
    }),
    { limit: 1_048_575, actual: 1_196_265 },
  ],
  [
    'Gemini without parentheses',
    status400([{ error: { code: 400, message: 'The input token count exceeds the maximum number of tokens allowed 1048576.' } }]),
    { limit: 1_048_576 },
  ],
  [
    'Gemini, supports only',
    status400({
      error: { message: 'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.' },
    }),
    { limit: 1_048_576, actual: 1_200_000 },
  ],
  [
    'Gemini, JSON inside JSON',
    status400({
      error: {
        code: 400,
        message:
          '{\n  "error": {\n    "code": 400,\n    "message": "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",\n    "status": "INVALID_ARGUMENT"\n  }\n}\n',
        status: 'Bad Request',
      },
    }),
    { limit: 32_768, actual: 40_000 },
  ],
  [
    'OpenRouter',
    status400({
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 163840 tokens. However, you requested about 200000 tokens (190000 of text input, 9000 of tool input, 1000 in the output). Please reduce the length of either one, or use the context-compression plugin.",
      },
    }),
    { limit: 163_840, actual: 199_000 },
  ],
  [
    'OpenRouter around a provider',
    status400({
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: {
          provider_name: 'X',
          raw: '{"error":{"message":"This model\'s maximum prompt length is 131072 but the request contains 136973 tokens."}}',
        },
      },
    }),
    { limit: 131_072, actual: 136_973 },
  ],
  ['Groq', openai('Please reduce the length of the messages or completion.'), {}],
  [
    'xAI',
    status400({
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    }),
    { limit: 131_072, actual: 136_973 },
  ],
  [
    'Mistral',
    status400({
      type: 'invalid_request_error',
      message: 'Prompt contains 40100 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    }),
    { limit: 32_768, actual: 40_100 },
  ],
  [
    'DeepSeek',
    openai(
      "This model's maximum context length is 65536 tokens. However, you requested 90000 tokens (86000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      'invalid_request_error',
    ),
    { limit: 65_536, actual: 86_000 },
  ],
  [
    'Cerebras',
    {
      status: 413,
      body: {
        message: 'Please reduce the length of the messages or completion. Current length is 9100 while limit is 8192',
        code: 'context_length_exceeded',
      },
    },
    { limit: 8_192, actual: 9_100 },
  ],
  [
    'Together',
    { status: 422, body: { error: { message: "The input (70000 tokens) is longer than the model's context length (65536 tokens)." } } },
    { limit: 65_536, actual: 70_000 },
  ],
  [
    'TGI, the input alone too long',
    {
      status: 422,
      body: { error: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 512 `max_new_tokens`' },
    },
    { limit: 4_096, actual: 5_000 },
  ],
  [
    'Moonshot',
    openai('Invalid request: Your request exceeded model token limit: 262144 (requested: 287431)', null),
    { limit: 262_144, actual: 287_431 },
  ],
  [
    'Moonshot behind a 401',
    { status: 401, body: { error: { message: 'Your request exceeded model token limit: 262144' } } },
    { limit: 262_144 },
  ],
  ['MiniMax', status400({ base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } }), {}],
  ['GLM', status400({ error: { code: '1261', message: 'Prompt exceeds max length' } }), {}],
  ['GLM, the code alone', status400({ error: { code: 1261, message: 'request rejected by the service for its input' } }), {}],
  ['DashScope', status400({ message: 'Range of input length should be [1, 30720]' }), { limit: 30_720 }],
  [
    'vLLM',
    status400({
      error: {
        code: 400,
        type: 'BadRequestError',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains 4500 input tokens, for a total of 5012 tokens.",
      },
    }),
    { limit: 4_096, actual: 4_500 },
  ],
  [
    'vLLM, flat envelope',
    status400({
      object: 'error',
      message:
        'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that max_model_len is no smaller',
      type: 'BadRequestError',
      code: 400,
    }),
    { limit: 8_192, actual: 9_000 },
  ],
  ['vLLM, max_model_len', status400({ object: 'error', message: 'Input length exceeds the max_model_len (16384)' }), { limit: 16_384 }],
  ['vLLM, nothing left for the output', status400({ message: 'max_tokens must be at least 1, got -1204.' }), {}],
  [
    'llama.cpp',
    status400({
      error: {
        code: 400,
        type: 'exceed_context_size_error',
        message: 'request (9011 tokens) exceeds the available context size (8192 tokens), try increasing it',
        n_prompt_tokens: 9_011,
        n_ctx: 8_192,
      },
    }),
    { limit: 8_192, actual: 9_011 },
  ],
  [
    'llama.cpp, numbers only in fields',
    {
      status: 500,
      body: {
        error: {
          type: 'exceed_context_size_error',
          message: 'the request exceeds the available context size',
          n_prompt_tokens: 70_000,
          n_ctx: 65_536,
        },
      },
    },
    { limit: 65_536, actual: 70_000 },
  ],
  ['llama.cpp, number behind a parenthesis', 'the request exceeds the available context size (65536 tokens)', { limit: 65_536 }],
  [
    'llama.cpp, larger than',
    status400({ error: { message: 'input (5000 tokens) is larger than the max context size (4096 tokens). skipping' } }),
    { limit: 4_096, actual: 5_000 },
  ],
  [
    'llama.cpp, n_ctx in the text',
    status400({ error: { message: 'context size has been exceeded, n_prompt_tokens = 9000, n_ctx = 8192' } }),
    { limit: 8_192, actual: 9_000 },
  ],
  [
    'LM Studio',
    status400({
      error:
        'Trying to keep the first 22000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens, which is not enough.',
    }),
    { limit: 8_192, actual: 22_000 },
  ],
  ['LM Studio, keep', status400({ error: 'The number of tokens to keep from the initial prompt is greater than the context length.' }), {}],
  ['LM Studio MLX', status400({ error: 'Context size has been exceeded.' }), {}],
  ['Ollama prints a difference, no limit', status400({ error: 'prompt too long; exceeded max context length by 1204 tokens' }), {}],
  [
    'SGLang',
    status400({
      object: 'error',
      type: 'BadRequestError',
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    }),
    { limit: 40_960, actual: 61_709 },
  ],
  [
    'SGLang, a total',
    status400({
      message:
        "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 139000 tokens from the input messages and 1000 tokens for the completion.",
    }),
    { limit: 131_072, actual: 139_000 },
  ],
  [
    'SGLang, allowed length',
    status400({ message: 'Input length (5000 tokens) exceeds the maximum allowed length (4096 tokens).' }),
    { limit: 4_096, actual: 5_000 },
  ],
  [
    'LiteLLM',
    status400({
      error: {
        message:
          'litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
        type: null,
        param: null,
        code: '400',
      },
    }),
    { limit: 200_000, actual: 210_000 },
  ],
  [
    'LiteLLM, maximum context length of',
    status400({ error: { message: 'The request exceeds the maximum context length of 32000 tokens', code: '400' } }),
    { limit: 32_000 },
  ],
  [
    'GitHub Copilot',
    status400({ error: { message: 'prompt token count of 146270 exceeds the limit of 128000', code: 'model_max_prompt_tokens_exceeded' } }),
    { limit: 128_000, actual: 146_270 },
  ],
  [
    'GitHub Models',
    {
      status: 413,
      body: { error: { code: 'tokens_limit_reached', message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.' } },
    },
    { limit: 8_000 },
  ],
  ['Replicate', { status: 422, body: { detail: 'input is too long' } }, {}],
  ['a gateway', status400({ error: { message: 'tokens in request more than max tokens allowed' } }), {}],
  ['an aggregator', status400({ error: { message: 'The prompt passes the maximum allowed input length' } }), {}],
  ['a Chinese gateway', status400({ message: '输入超过最大长度' }), {}],
  ['another Chinese gateway', status400({ message: '超出模型上下文长度限制' }), {}],
  [
    'Cohere',
    status400({ message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.' }),
    { limit: 4_081, actual: 5_000 },
  ],
  ['an unknown server that says so', status400({ error: 'Requested tokens exceed context window of this deployment' }), {}],
];
