// A provider that plays a script: counts tokens its own way, refuses as real ones do, answers whole or as a stream, remembers all it got.
import type { Api } from '../../src/core/transcript/entry.ts';

/** An error as the SDKs throw it. */
export function apiError(status: number | undefined, message: string, extra: object = {}): Error {
  return Object.assign(new Error(message), {
    ...(status === undefined ? {} : { status }),
    error: { type: 'error', error: { message, ...extra } },
  });
}

/** The provider's own words for a request over its window; without numbers it prints none. */
export function overflowError(api: Api, numbers?: { readonly limit: number; readonly actual: number }): Error {
  if (api === 'anthropic')
    return apiError(400, numbers ? `prompt is too long: ${numbers.actual} tokens > ${numbers.limit} maximum` : 'prompt is too long', {
      type: 'invalid_request_error',
    });
  const words = numbers
    ? `This model's maximum context length is ${numbers.limit} tokens. However, your messages resulted in ${numbers.actual} tokens.`
    : 'Your input exceeds the context window of this model. Please adjust your input and try again.';
  return apiError(400, words, { code: 'context_length_exceeded' });
}

/** A whole response. */
export function answerOf(api: Api, promptTokens: number, text = 'Well done.'): Record<string, unknown> {
  if (api === 'anthropic')
    return { content: [{ type: 'text', text }], stop_reason: 'end_turn', usage: { input_tokens: promptTokens, output_tokens: 3 } };
  if (api === 'openai-chat')
    return {
      choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: promptTokens, completion_tokens: 3, total_tokens: promptTokens + 3 },
    };
  return {
    status: 'completed',
    error: null,
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    usage: { input_tokens: promptTokens, output_tokens: 3, total_tokens: promptTokens + 3 },
  };
}

/** The same as events of a stream. */
export function eventsOf(api: Api, promptTokens: number, text = 'Well done.'): readonly object[] {
  if (api === 'anthropic')
    return [
      { type: 'message_start', message: { content: [], usage: { input_tokens: promptTokens, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ];
  if (api === 'openai-chat')
    return [
      { choices: [{ delta: { role: 'assistant', content: '' } }], usage: null },
      { choices: [{ delta: { content: text } }], usage: null },
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: null },
      { choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: 3 } },
    ];
  return [
    { type: 'response.created', response: { output: [], error: null, usage: null } },
    { type: 'response.output_text.delta', delta: text },
    { type: 'response.completed', response: answerOf(api, promptTokens, text) },
  ];
}

/** One request as the provider got it. */
export interface Received {
  readonly text: string;
  readonly body: Record<string, unknown>;
  /** Characters / 4: another count than ours. */
  readonly tokens: number;
  readonly sizeBytes: number;
  /** From 0. */
  readonly index: number;
}

export interface FakeProvider {
  readonly received: Received[];
  /** What `send` calls. */
  call(body: unknown): Promise<Record<string, unknown>>;
}

/** `answer` gives a response, or throws; default: a plain answer. */
export function fakeProvider(api: Api, answer: (received: Received) => Record<string, unknown> | undefined): FakeProvider {
  const received: Received[] = [];
  return {
    received,
    async call(given) {
      const text =
        typeof given === 'string' ? given : given instanceof Uint8Array ? new TextDecoder().decode(given) : JSON.stringify(given);
      const body = JSON.parse(text) as Record<string, unknown>;
      const one = { text, body, tokens: Math.ceil(text.length / 4), sizeBytes: Buffer.byteLength(text), index: received.length };
      received.push(one);
      return answer(one) ?? answerOf(api, one.tokens);
    },
  };
}

/** One that serves a window and refuses what is larger, with numbers or without. */
export function windowedProvider(api: Api, windowTokens: number, prints: 'numbers' | 'nothing' = 'numbers'): FakeProvider {
  return fakeProvider(api, ({ tokens }) => {
    if (tokens <= windowTokens) return undefined;
    throw overflowError(api, prints === 'numbers' ? { limit: windowTokens, actual: tokens } : undefined);
  });
}
