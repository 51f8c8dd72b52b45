// The real SDKs against the strict provider: what they cannot read, no client could.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import type { StrictProviderOptions } from './options.ts';
import type { ProviderRequest } from './request.ts';
import { type StrictProvider, strictProvider } from './strict-provider.ts';

const running: StrictProvider[] = [];
afterEach(async () => {
  for (const provider of running.splice(0)) await provider.close();
});

async function start(options: StrictProviderOptions = {}): Promise<StrictProvider> {
  const provider = await strictProvider(options);
  running.push(provider);
  return provider;
}

const user = { role: 'user' as const, content: 'Read a.txt, please.' };
const schema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };

/** Calls `read` first, then reports. */
const oneRound = ({ number }: ProviderRequest) =>
  number === 1
    ? { text: 'Reading.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] }
    : 'It says 📥 hello, and a little more than one chunk.';

describe('openai', () => {
  const client = (provider: StrictProvider) => new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });

  test('chat: whole, streamed, a round of tools', async () => {
    const provider = await start({ answer: oneRound });
    const openai = client(provider);
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: schema } }];
    const first = await openai.chat.completions.create({ model: 'm', messages: [user], tools });
    const { message, finish_reason } = first.choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    expect(message.tool_calls).toMatchObject([{ function: { name: 'read', arguments: '{"path":"a.txt"}' } }]);
    const result = { role: 'tool' as const, tool_call_id: message.tool_calls![0]!.id, content: 'hello' };
    const stream = openai.chat.completions.stream({
      model: 'm',
      messages: [user, message, result],
      tools,
      stream_options: { include_usage: true },
    });
    const last = await stream.finalChatCompletion();
    expect(last.choices[0]!.message.content).toBe('It says 📥 hello, and a little more than one chunk.');
    expect(last.usage?.prompt_tokens).toBe(provider.requests[1]!.tokens);
  });

  test('responses: whole, streamed with reasoning, a round of tools', async () => {
    const provider = await start({ answer: (request) => ({ thinking: 'Let me see.', ...(oneRound(request) as object) }) });
    const openai = client(provider);
    const tools = [{ type: 'function' as const, name: 'read', parameters: schema, strict: false }];
    const first = await openai.responses.create({ model: 'm', input: [user], tools });
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    const call = first.output.find((item) => item.type === 'function_call')!;
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'hello' };
    const types: string[] = [];
    const stream = openai.responses.stream({
      model: 'm',
      input: [user, ...(first.output as OpenAI.Responses.ResponseInputItem[]), result],
      tools,
    });
    for await (const event of stream) types.push(event.type);
    expect(types[0]).toBe('response.created');
    expect(types.at(-1)).toBe('response.completed');
    expect((await stream.finalResponse()).usage?.input_tokens).toBe(provider.requests[1]!.tokens);
  });

  test('an overflow is an error with its code', async () => {
    const openai = client(await start({ window: 10 }));
    const error = await openai.chat.completions.create({ model: 'm', messages: [user, user] }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });
});

describe('@anthropic-ai/sdk', () => {
  const client = (provider: StrictProvider) => new Anthropic({ baseURL: provider.url, apiKey: 'sk-ant-test', maxRetries: 0 });
  const tools = [{ name: 'read', input_schema: schema }];

  test('whole, streamed with thinking, a round of tools, a count', async () => {
    const provider = await start({ answer: (request) => ({ thinking: 'Let me see.', ...(oneRound(request) as object) }) });
    const anthropic = client(provider);
    const first = await anthropic.messages.create({ model: 'm', max_tokens: 1_000, messages: [user], tools });
    expect(first.stop_reason).toBe('tool_use');
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
    const call = first.content.find((block) => block.type === 'tool_use')!;
    const messages = [
      user,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'hello' }] },
    ];
    const last = await anthropic.messages.stream({ model: 'm', max_tokens: 1_000, messages, tools }).finalMessage();
    expect(last.stop_reason).toBe('end_turn');
    expect(last.content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me see.' });
    expect(last.usage.input_tokens).toBe(provider.requests[1]!.tokens);
    const counted = await anthropic.messages.countTokens({ model: 'm', messages, tools });
    expect(counted.input_tokens).toBe(provider.requests[1]!.tokens);
  });

  test('an overflow inside a stream is thrown', async () => {
    const anthropic = client(await start({ window: 10, overflow: 'first-event' }));
    const stream = anthropic.messages.stream({ model: 'm', max_tokens: 10, messages: [user, user] });
    await expect(stream.finalMessage()).rejects.toThrow('prompt is too long');
  });
});

describe('ai', () => {
  const models: Record<string, (url: string) => LanguageModel> = {
    '@ai-sdk/openai chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('m'),
    '@ai-sdk/openai responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).responses('m'),
    '@ai-sdk/anthropic': (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('m'),
    '@ai-sdk/openai-compatible': (url) => createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, includeUsage: true })('m'),
  };
  const read = tool({ inputSchema: jsonSchema<{ path: string }>(schema), execute: async ({ path }) => `content of ${path}` });

  test.each(Object.keys(models))('%s: a plain text, a streamed round of tools', async (name) => {
    const plain = await start();
    const text = await generateText({ model: models[name]!(plain.url), prompt: 'Hello.', maxOutputTokens: 500 });
    expect(text.text).toBe('Well done.');
    expect(text.usage.inputTokens).toBe(plain.requests[0]!.tokens);

    const provider = await start({ answer: oneRound });
    const stream = streamText({
      model: models[name]!(provider.url),
      prompt: user.content,
      maxOutputTokens: 500,
      tools: { read },
      stopWhen: ({ steps }) => steps.length === 2,
    });
    expect(await stream.text).toBe('It says 📥 hello, and a little more than one chunk.');
    expect((await stream.usage).inputTokens).toBe(provider.requests[1]!.tokens);
  });
});

describe('@langchain/openai', () => {
  test('a plain text, streamed tools, an overflow by its own name', async () => {
    const provider = await start({ answer: oneRound, window: 500 });
    const model = new ChatOpenAI({ model: 'm', apiKey: 'k', maxRetries: 0, configuration: { baseURL: `${provider.url}/v1` } });
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: schema } }];
    let calls = 0;
    for await (const chunk of await model.bindTools(tools).stream(user.content)) calls += chunk.tool_call_chunks?.length ?? 0;
    expect(calls).toBeGreaterThan(0);
    const answer = await model.invoke(user.content);
    expect(answer.usage_metadata?.input_tokens).toBe(provider.requests[1]!.tokens);
    await expect(model.invoke('long '.repeat(1_000))).rejects.toMatchObject({ name: 'ContextOverflowError' });
  });
});
