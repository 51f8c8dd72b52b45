// ullage.fetch inside the real SDKs, against the strict provider over loopback.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { encodeAsk } from '../../../test/support/conversation.ts';
import { createUllage, type Fetch, type Ullage, type UllageOptions } from '../../index.ts';
import { memoryStore, type ProviderRequest, type StrictProvider, type StrictProviderOptions, strictProvider } from '../../testkit/index.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface World {
  readonly provider: StrictProvider;
  readonly ullage: Ullage;
  readonly fetch: Fetch;
  /** Report headers of the answers so far. */
  readonly told: Record<string, string>[];
}

async function start(options: StrictProviderOptions = {}, given: Partial<UllageOptions> = {}): Promise<World> {
  const provider = await strictProvider(options);
  const models = { window: options.window ?? 200_000, maxOutputTokens: 1_000 };
  const ullage = createUllage({ store: memoryStore(), api: 'openai-chat', models, policy: { tailTokens: 2_000 }, ...given });
  closing.push(
    () => provider.close(),
    () => ullage.close(),
  );
  const told: Record<string, string>[] = [];
  const through = ullage.fetch('k');
  const fetch: Fetch = async (input, init) => {
    const response = await through(input, init);
    told.push(Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-ullage-'))));
    return response;
  };
  return { provider, ullage, fetch, told };
}

const user = { role: 'user' as const, content: 'Read a.txt, please.' };
const schema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };

const SAID = 'It says 📥 hello, and a little more than one chunk.';

/** Calls `read` first, then reports. */
const oneRound = ({ number }: ProviderRequest) =>
  number === 1 ? { text: 'Reading.', toolCalls: [{ name: 'read', arguments: { path: 'a.txt' } }] } : SAID;

const openaiOf = ({ provider, fetch }: World) => new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'sk-test', maxRetries: 0, fetch });
const anthropicOf = ({ provider, fetch }: World) => new Anthropic({ baseURL: provider.url, apiKey: 'sk-ant-test', maxRetries: 0, fetch });

describe('openai', () => {
  test('chat: whole, streamed, a round of tools; usage is the provider’s (F05, F07)', async () => {
    const world = await start({ answer: oneRound });
    const openai = openaiOf(world);
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters: schema } }];
    const first = await openai.chat.completions.create({ model: 'm', messages: [user], tools });
    const { message } = first.choices[0]!;
    const result = { role: 'tool' as const, tool_call_id: message.tool_calls![0]!.id, content: 'hello' };
    const messages = [user, message, result];
    const last = await openai.chat.completions
      .stream({ model: 'm', messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(last.choices[0]!.message.content).toBe(SAID);
    expect(last.usage?.prompt_tokens).toBe(world.provider.requests[1]!.tokens);
    expect(world.told).toMatchObject([{ 'x-ullage-session': 'k' }, { 'x-ullage-session': 'k' }]);
  });

  test('chat: usage is asked for upstream, and kept from a caller who did not ask (F05)', async () => {
    const world = await start({ answer: () => SAID });
    const stream = await openaiOf(world).chat.completions.create({ model: 'm', messages: [user], stream: true });
    let text = '';
    for await (const chunk of stream) {
      expect(chunk.choices).toHaveLength(1);
      text += chunk.choices[0]!.delta.content ?? '';
    }
    expect(text).toBe(SAID);
    const [received] = world.provider.requests;
    expect(received!.body.stream_options).toEqual({ include_usage: true });
    await openaiOf(world).chat.completions.create({ model: 'm', messages: [user] });
    expect(world.told[1]!['x-ullage-context-tokens']).toBe(String(received!.tokens));
  });

  test('responses: whole, streamed with reasoning, a round of tools (F05, F09)', async () => {
    const world = await start({ answer: (request) => ({ thinking: 'Let me see.', ...(oneRound(request) as object) }) });
    const openai = openaiOf(world);
    const tools = [{ type: 'function' as const, name: 'read', parameters: schema, strict: false }];
    const first = await openai.responses.create({ model: 'm', input: [user], tools });
    const call = first.output.find((item) => item.type === 'function_call')!;
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'hello' };
    const input = [user, ...first.output, result] as OpenAI.Responses.ResponseInput;
    const stream = openai.responses.stream({ model: 'm', input, tools });
    expect((await stream.finalResponse()).usage?.input_tokens).toBe(world.provider.requests[1]!.tokens);
    expect(world.told[1]).toMatchObject({ 'x-ullage-session': 'k@openai-responses' });
  });

  test('a refusal is the SDK’s own error, with the provider’s words (F22)', async () => {
    const world = await start({ script: [{ type: 'auth' }] });
    const error = await openaiOf(world)
      .chat.completions.create({ model: 'm', messages: [user] })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 401, name: 'Error' });
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  });

  test('an abort in the middle of a stream closes the upstream', async () => {
    const world = await start({ answer: () => SAID.repeat(20) });
    world.provider.hold('events');
    const opening = openaiOf(world).chat.completions.create({ model: 'm', messages: [user], stream: true });
    for (let event = 0; event < 3; event++) {
      await world.provider.until(() => world.provider.held === 1);
      world.provider.release(1);
    }
    const stream = await opening;
    for await (const _ of stream) stream.controller.abort();
    expect(await world.provider.until(({ end }) => end === 'aborted')).toBeDefined();
  });
});

describe('@anthropic-ai/sdk', () => {
  const tools = [{ name: 'read', input_schema: schema }];

  test('whole, streamed with thinking, a round of tools, a count (F05, F07, F09)', async () => {
    const world = await start({ answer: (request) => ({ thinking: 'Let me see.', ...(oneRound(request) as object) }) });
    const anthropic = anthropicOf(world);
    const first = await anthropic.messages.create({ model: 'm', max_tokens: 1_000, messages: [user], tools });
    const call = first.content.find((block) => block.type === 'tool_use')!;
    const messages = [
      user,
      { role: 'assistant' as const, content: first.content },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: call.id, content: 'hello' }] },
    ];
    const last = await anthropic.messages.stream({ model: 'm', max_tokens: 1_000, messages, tools }).finalMessage();
    expect(last.content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me see.' });
    expect(last.usage.input_tokens).toBe(world.provider.requests[1]!.tokens);
    const counted = await anthropic.messages.countTokens({ model: 'm', messages, tools });
    expect(counted.input_tokens).toBe(world.provider.requests[1]!.tokens);
  });
});

describe('growth over the threshold', () => {
  const filler = (turn: number) => `Ask ${turn}: ${`word${turn} `.repeat(1_000)}`;

  test.each(['chat', 'responses', 'messages'] as const)(
    '%s: folds once it is due, and no request overflows (F02, F10, F19)',
    async (door) => {
      const world = await start({ window: 20_000, answer: ({ number }) => `Answer ${number}.` });
      const openai = openaiOf(world);
      const anthropic = anthropicOf(world);
      const said: { role: 'user' | 'assistant'; content: string }[] = [];
      for (let turn = 0; turn < 20; turn++) {
        said.push({ role: 'user', content: filler(turn) });
        const text =
          door === 'chat'
            ? (await openai.chat.completions.create({ model: 'm', max_tokens: 500, messages: said })).choices[0]!.message.content
            : door === 'responses'
              ? (await openai.responses.create({ model: 'm', max_output_tokens: 500, input: said })).output_text
              : ((await anthropic.messages.create({ model: 'm', max_tokens: 500, messages: said })).content[0] as Anthropic.TextBlock).text;
        expect(text).toBe(`Answer ${turn + 1}.`);
        said.push({ role: 'assistant', content: text! });
      }
      const { requests } = world.provider;
      expect(requests).toHaveLength(20);
      expect(Math.max(...requests.map(({ tokens }) => tokens))).toBeLessThan(20_000);
      const outcomes = world.told.map((headers) => headers['x-ullage-outcome']).filter((value) => value?.startsWith('compacted;'));
      expect(outcomes.length).toBeGreaterThanOrEqual(1);
      expect(outcomes.length).toBeLessThanOrEqual(6);
      expect(outcomes[0]).toMatch(/^compacted; \d+->\d+$/);
    },
  );

  test.each(['status', 'first-event'] as const)('an overflow as %s is recovered (F22, B159)', async (place) => {
    // The provider serves less than the window it is believed to have.
    const world = await start({ window: 9_000, overflow: place }, { models: { window: 30_000, maxOutputTokens: 1_000 } });
    const messages = Array.from({ length: 9 }, (_, turn) => [
      ...(turn === 0 ? [] : [{ role: 'assistant' as const, content: `Answer ${turn}.` }]),
      { role: 'user' as const, content: filler(turn) },
    ]).flat();
    const message = await anthropicOf(world).messages.stream({ model: 'm', max_tokens: 500, messages }).finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'Well done.' }]);
    expect(world.provider.requests.length).toBeGreaterThan(1);
    expect(message.usage.input_tokens).toBe(world.provider.requests.at(-1)!.tokens);
    expect(world.told[0]!['x-ullage-outcome']).toMatch(/^compacted; /);
  });

  test('what cannot be recovered comes back in the provider’s own bytes (F22)', async () => {
    const world = await start({ window: 50 });
    const body = JSON.stringify({ model: 'm', max_tokens: 10, messages: encodeAsk('anthropic', 'word '.repeat(500)) });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' } };
    const direct = await fetch(`${world.provider.url}/v1/messages`, init);
    const through = await world.fetch(`${world.provider.url}/v1/messages`, init);
    expect(through.status).toBe(direct.status);
    const own = (text: string) => text.replace(/req_\w+/, 'req_');
    expect(own(await through.text())).toBe(own(await direct.text()));
  });
});

describe('ai', () => {
  const models: Record<string, (url: string, fetch: Fetch) => LanguageModel> = {
    '@ai-sdk/openai chat': (url, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k', fetch }).chat('m'),
    '@ai-sdk/openai responses': (url, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k', fetch }).responses('m'),
    '@ai-sdk/anthropic': (url, fetch) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k', fetch })('m'),
    '@ai-sdk/openai-compatible': (url, fetch) =>
      createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, includeUsage: true, fetch })('m'),
  };
  const read = tool({ inputSchema: jsonSchema<{ path: string }>(schema), execute: async ({ path }) => `content of ${path}` });

  test.each(Object.keys(models))('%s: a plain text, a streamed round of tools (F05, F07)', async (name) => {
    const plain = await start();
    const text = await generateText({ model: models[name]!(plain.provider.url, plain.fetch), prompt: 'Hello.' });
    expect(text.text).toBe('Well done.');
    expect(text.usage.inputTokens).toBe(plain.provider.requests[0]!.tokens);
    const world = await start({ answer: oneRound });
    const stream = streamText({
      model: models[name]!(world.provider.url, world.fetch),
      prompt: user.content,
      tools: { read },
      stopWhen: ({ steps }) => steps.length === 2,
    });
    expect(await stream.text).toBe(SAID);
    expect((await stream.usage).inputTokens).toBe(world.provider.requests[1]!.tokens);
    expect(world.told).toHaveLength(2);
  });
});

describe('@langchain/openai', () => {
  test('a plain turn and a stream', async () => {
    const world = await start({ answer: () => SAID });
    const model = new ChatOpenAI({
      model: 'm',
      apiKey: 'k',
      maxRetries: 0,
      configuration: { baseURL: `${world.provider.url}/v1`, fetch: world.fetch },
    });
    expect((await model.invoke('Hello.')).content).toBe(SAID);
    let text = '';
    for await (const chunk of await model.stream('Hello.')) text += chunk.content;
    expect(text).toBe(SAID);
    expect(world.told.map((headers) => headers['x-ullage-session'])).toEqual(['k', 'k']);
  });
});
