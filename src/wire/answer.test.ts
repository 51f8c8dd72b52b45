// F05, F22: what whole responses and streams of the three APIs say about themselves.
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { readAnswer } from './answer.ts';
import { createAnswerReader } from './answer-stream.ts';

function play(api: Api, events: readonly unknown[]) {
  const reader = createAnswerReader(api);
  return { stages: events.map((event) => reader.read(event)), answer: reader.answer() };
}

describe('whole responses', () => {
  it.each([
    ['openai-chat', { choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }, { hasContent: true, finishReason: 'stop' }],
    [
      'openai-chat',
      { choices: [{ message: { content: null, tool_calls: [{}] }, finish_reason: 'tool_calls' }] },
      { hasContent: true, finishReason: 'tool_calls' },
    ],
    [
      'openai-chat',
      { choices: [{ message: { content: '', reasoning_content: 'hm' }, finish_reason: 'length' }] },
      { hasContent: false, finishReason: 'length' },
    ],
    ['openai-chat', { choices: [] }, { hasContent: false }],
    ['anthropic', { content: [{ type: 'text', text: 'hi' }], stop_reason: 'end_turn' }, { hasContent: true, finishReason: 'end_turn' }],
    [
      'anthropic',
      { content: [{ type: 'thinking', thinking: 'hm' }], stop_reason: 'max_tokens' },
      { hasContent: false, finishReason: 'max_tokens' },
    ],
    ['anthropic', { content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }], stop_reason: 'tool_use' }, { hasContent: true }],
    [
      'openai-responses',
      { output: [{ type: 'reasoning' }], error: null, incomplete_details: { reason: 'max_output_tokens' } },
      { hasContent: false, finishReason: 'max_output_tokens' },
    ],
    ['openai-responses', { output: [{ type: 'message', content: [{ type: 'output_text', text: 'hi' }] }] }, { hasContent: true }],
    ['openai-responses', { output: [{ type: 'function_call', call_id: 'a' }] }, { hasContent: true }],
  ] as const)('%s %j', (api, response, expected) => {
    expect(readAnswer(api, response)).toMatchObject(expected);
    expect(readAnswer(api, response).failure).toBeUndefined();
  });

  it('finds an error object that came with a status of success', () => {
    const error = { code: 400, message: 'maximum context length is 1000 tokens' };
    expect(readAnswer('openai-chat', { error })).toMatchObject({ hasContent: false, failure: error });
    expect(readAnswer('openai-chat', { choices: [{ error, message: { content: '' } }] })).toMatchObject({
      hasContent: false,
      failure: error,
    });
    expect(readAnswer('openai-responses', { output: [], error })).toMatchObject({ hasContent: false, failure: error });
  });

  it.each([undefined, null, 'text', 7, {}, { prompt_tokens: 5, completion_tokens: 1 }, new Map(), { text: 'of another SDK' }])(
    'believes that something was said in %j',
    (value) => {
      expect(readAnswer('openai-chat', value)).toMatchObject({ hasContent: true });
    },
  );
});

describe('streams', () => {
  it('merges what message_start and message_delta of Anthropic report (F05)', () => {
    const { stages, answer } = play('anthropic', [
      {
        type: 'message_start',
        message: {
          content: [],
          usage: { input_tokens: 3, cache_read_input_tokens: 80_000, cache_creation_input_tokens: 5_000, output_tokens: 1 },
        },
      },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 0, output_tokens: 12 } },
      { type: 'message_stop' },
    ]);
    expect(stages).toEqual(['preface', 'preface', 'content', 'content', 'end', 'end', 'end']);
    expect(answer).toMatchObject({ hasContent: true, finishReason: 'end_turn', usage: { promptTokens: 85_003, output: 12 } });
  });

  it('takes the usage of the last chunk of a chat stream, where choices are empty', () => {
    const { stages, answer } = play('openai-chat', [
      { choices: [{ delta: { role: 'assistant', content: '', refusal: null } }], usage: null },
      { choices: [{ delta: { content: 'hi' } }], usage: null },
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: null },
      { choices: [], usage: { prompt_tokens: 184_704, completion_tokens: 49, prompt_tokens_details: { cached_tokens: 183_936 } } },
    ]);
    expect(stages).toEqual(['preface', 'content', 'end', 'end']);
    expect(answer).toMatchObject({
      hasContent: true,
      finishReason: 'stop',
      usage: { promptTokens: 184_704, cacheRead: 183_936, output: 49 },
    });
  });

  it('reads the events of Responses', () => {
    const usage = { input_tokens: 500, output_tokens: 5, total_tokens: 505 };
    const { stages, answer } = play('openai-responses', [
      { type: 'response.created', response: { output: [], error: null, usage: null } },
      { type: 'response.in_progress', response: { output: [], error: null, usage: null } },
      { type: 'response.output_item.added', item: { type: 'message', content: [] } },
      { type: 'response.output_text.delta', delta: 'hi' },
      { type: 'response.completed', response: { output: [], error: null, incomplete_details: null, usage } },
    ]);
    expect(stages).toEqual(['preface', 'preface', 'content', 'content', 'end']);
    expect(answer).toMatchObject({ hasContent: true, usage: { promptTokens: 500, output: 5 } });
  });

  it.each([
    ['openai-responses', { type: 'response.failed', response: { error: { code: 'context_length_exceeded', message: 'too long' } } }],
    ['openai-responses', { type: 'error', code: 'context_length_exceeded', message: 'too long' }],
    ['anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } }],
    ['openai-chat', { error: { code: 400, message: 'maximum context length is 1000 tokens' } }],
  ] as const)('finds an error inside a stream of %s (F22)', (api, event) => {
    const { stages, answer } = play(api, [event]);
    expect(stages).toEqual(['failure']);
    expect(answer).toMatchObject({ hasContent: false, failure: event });
  });

  it('tells reasoning alone from an answer', () => {
    const thinking = play('anthropic', [
      { type: 'content_block_start', content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } },
    ]);
    expect(thinking.stages).toEqual(['content', 'content', 'end']);
    expect(thinking.answer).toMatchObject({ hasContent: false, finishReason: 'max_tokens' });
    const chat = play('openai-chat', [
      { choices: [{ delta: { reasoning_content: 'hm' } }] },
      { choices: [{ delta: {}, finish_reason: 'length' }] },
    ]);
    expect(chat.stages).toEqual(['content', 'end']);
    expect(chat.answer).toMatchObject({ hasContent: false, finishReason: 'length' });
    const item = play('openai-responses', [
      { type: 'response.output_item.added', item: { type: 'reasoning' } },
      { type: 'response.reasoning_summary_text.delta', delta: 'hm' },
      { type: 'response.incomplete', response: { output: [{ type: 'reasoning' }], incomplete_details: { reason: 'max_output_tokens' } } },
    ]);
    expect(item.stages).toEqual(['content', 'content', 'end']);
    expect(item.answer).toMatchObject({ hasContent: false, finishReason: 'max_output_tokens' });
  });

  it.each([undefined, null, 'data: x', new Uint8Array([1]), { type: 'text-delta', text: 'hi' }, { odd: true }])(
    'does not hold back what it does not know: %j',
    (event) => {
      expect(play('openai-chat', [event])).toMatchObject({ stages: ['content'], answer: { hasContent: true } });
    },
  );
});
