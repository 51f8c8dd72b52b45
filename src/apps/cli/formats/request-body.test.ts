import { describe, expect, test } from 'vitest';
import { readTranscript } from './index.ts';

const read = (value: unknown) => readTranscript({ name: 'f.json', text: typeof value === 'string' ? value : JSON.stringify(value) });

describe('request bodies', () => {
  test.each([
    ['openai-chat', { model: 'gpt', messages: [{ role: 'user', content: 'a' }] }],
    ['openai-chat', { model: 'gpt', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }],
    ['openai-chat', { messages: [{ role: 'user', content: 'a' }], tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['anthropic', { model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content: 'a' }] }],
    ['anthropic', { model: 'x', system: 's', messages: [{ role: 'user', content: 'a' }] }],
    ['anthropic', { model: 'x', messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '' }] }] }],
    ['anthropic', { messages: [{ role: 'user', content: 'a' }], tools: [{ name: 'f', input_schema: {} }] }],
    ['openai-responses', { model: 'gpt', input: 'a' }],
    ['openai-responses', { model: 'gpt', input: [{ role: 'user', content: 'a' }] }],
    ['openai-responses', [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }]],
    [
      'openai-responses',
      [
        { role: 'user', content: 'a' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ],
    ],
    ['anthropic', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }]],
    ['openai-chat', [{ role: 'user', content: 'a' }]],
    ['openai-chat', { task_id: 1, traj: [{ role: 'user', content: 'a' }] }],
    ['openai-chat', '{"role":"user","content":"a"}\n{"role":"assistant","content":"b"}\n'],
  ])('%s is recognised: %j', (format, value) => {
    const transcript = read(value);
    expect([transcript.format, transcript.api]).toEqual([format, format]);
    expect(() => JSON.parse(transcript.bodyText)).not.toThrow();
  });

  test('a real request body keeps every byte', () => {
    const text = '{\n "model": "gpt", "messages":[ {"role":"user","content":"\\u00e9"} ], "temperature": 1.0 }\n';
    expect(read(text).bodyText).toBe(text);
  });

  test('out of a log only the request is taken, with the tools, the model and the measured size of its response', () => {
    const log = {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'S' }] },
        { role: 'user', content: 'a' },
      ],
      tools: [{ type: 'function', function: { name: 'f' } }],
      response: { model: 'm', usage: { prompt_tokens: 12 } },
      cost: 1,
    };
    const { bodyText, preamble, model, measuredTokens } = read(log);
    expect(JSON.parse(bodyText)).toEqual({ model: 'm', messages: log.messages, tools: log.tools });
    expect({ preamble, model, measuredTokens }).toEqual({ preamble: 'S', model: 'm', measuredTokens: 12 });
  });

  test('--format decides where plain texts leave it open', () => {
    const text = '[{"role":"user","content":"a"}]';
    expect(readTranscript({ name: 'f', text }, 'anthropic').api).toBe('anthropic');
    expect(readTranscript({ name: 'f', text }, 'openai-responses').bodyText).toContain('"input":');
  });
});

describe('what cannot be read', () => {
  const failure = (text: string) => {
    try {
      read(text);
    } catch (error) {
      return error as { code: string; message: string; exitCode: number };
    }
    throw new Error('nothing was thrown');
  };

  test.each([
    ['', 'transcript_invalid', 'f.json is empty'],
    [' \n\t', 'transcript_invalid', 'f.json is empty'],
    ['hello there', 'format_unknown', 'f.json, line 1: expected JSON or JSONL, which begins with { or [, found "hello there"'],
    ['{"a":1}', 'format_unknown', 'f.json, line 1: an object with "a" is none of the known formats (openai-chat,'],
    ['[]', 'format_unknown', 'f.json, line 1: an empty array is none of the known formats'],
    ['[1,2]', 'format_unknown', 'an array without messages'],
    ['{"a":1}\n{"a":2}', 'format_unknown', 'an object with "a"'],
    ['{"model":"m","messages":[]}', 'transcript_invalid', 'at least one message in "messages"'],
    [
      '{"model":"m",\n"messages":[{"role":"user","content":"a"},\n 5]}',
      'transcript_invalid',
      'line 3: expected message 1 to be an object with a "role"',
    ],
    [
      '{"model":"m","messages":[{"role":"user","content":"a"',
      'transcript_invalid',
      "line 1, column 54: the JSON is damaged: expected ',' or '}', the text ends there",
    ],
    ['{\n"messages": [\n  {"role": "user" "content": "a"}\n]}', 'transcript_invalid', 'line 3, column 19: the JSON is damaged'],
    [
      '{"messages":[{"role":"user","content":"a\u0001"}]}',
      'transcript_invalid',
      'line 1, column 39: the JSON is damaged: this string holds',
    ],
    ['{"messages":[{"role":"user","content":"\\x"}]}', 'transcript_invalid', 'column 39: the JSON is damaged: this string holds'],
    ['{"messages":[]} extra', 'transcript_invalid', 'line 1, column 17: the JSON is damaged: expected the end of the text'],
    [
      '{"role":"user","content":"a"}\n{"role":"user","content":"b"}\n{"role":"us',
      'transcript_invalid',
      'line 3, column 12: the JSON is damaged',
    ],
    ['{"role":"user","content":"a"}\n\n[1]', 'transcript_invalid', 'f.json, line 3: expected a JSON object, found an array'],
  ])('%j: %s', (text, code, message) => {
    const error = failure(text);
    expect(error.code).toBe(code);
    expect(error.exitCode).toBe(65);
    expect(error.message).toContain(message);
  });

  test('a reader that is named says what it expects', () => {
    expect(() => readTranscript({ name: 'f', text: '{"messages":[{"role":"user","content":"a"}]}' }, 'swe-agent')).toThrow(
      'f, line 1: expected a JSON object with "trajectory" and "history"',
    );
  });

  test('megabytes of nothing but brackets, quotes or one letter are refused in one pass', () => {
    for (const text of ['['.repeat(1_000_000), `{"a":"${'a'.repeat(1_000_000)}`, '"'.repeat(1_000_000), '{}\n'.repeat(300_000)]) {
      expect(['transcript_invalid', 'format_unknown']).toContain(failure(text).code);
    }
  });
});
