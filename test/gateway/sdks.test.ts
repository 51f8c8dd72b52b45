// SDKs that are pointed at a gateway by their base URL alone: a conversation that outgrows the window, streamed and whole, is answered to its end.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type LanguageModel, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { clientFolder } from '../clients/install-client.ts';
import { pi } from '../clients/real-clients.ts';
import { useWorld } from './world.ts';

const world = useWorld();
const WINDOW_TOKENS = 8_000;
const TURNS = 8;

interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Asks with the whole conversation, and answers what the model said. */
type Ask = (messages: Said[], isStream: boolean) => Promise<string>;

/** About 1,500 tokens. */
const question = (turn: number) => `Question ${turn}: ${`harbour-${turn} keeps the boats of row ${turn} in the wind. `.repeat(120)}`;

const aiSdk =
  (model: LanguageModel): Ask =>
  async (messages, isStream) => {
    const options = { model, messages, maxRetries: 0, maxOutputTokens: 500 };
    return isStream ? streamText(options).text : (await generateText(options)).text;
  };

const SDKS: readonly { readonly name: string; readonly of: (url: string) => Ask }[] = [
  {
    name: 'openai, chat',
    of: (url) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
      return async (messages, isStream) => {
        if (!isStream) return (await client.chat.completions.create({ model: 'm', messages })).choices[0]?.message.content ?? '';
        return (await client.chat.completions.stream({ model: 'm', messages }).finalContent()) ?? '';
      };
    },
  },
  {
    name: 'openai, responses',
    of: (url) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
      return async (input, isStream) =>
        isStream
          ? (await client.responses.stream({ model: 'm', input }).finalResponse()).output_text
          : (await client.responses.create({ model: 'm', input })).output_text;
    },
  },
  {
    name: '@anthropic-ai/sdk',
    of: (url) => {
      const client = new Anthropic({ baseURL: url, apiKey: 'sk-ant-test', maxRetries: 0 });
      return async (messages, isStream) => {
        const body = { model: 'm', max_tokens: 500, messages };
        const message = isStream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
        return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      };
    },
  },
  { name: 'AI SDK, openai chat', of: (url) => aiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('m')) },
  { name: 'AI SDK, openai responses', of: (url) => aiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).responses('m')) },
  { name: 'AI SDK, anthropic', of: (url) => aiSdk(createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('m')) },
  {
    name: 'AI SDK, compatible',
    of: (url) => aiSdk(createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey: 'k', includeUsage: true })('m')),
  },
  {
    name: 'LangChain',
    of: (url) => {
      const model = new ChatOpenAI({ model: 'm', apiKey: 'sk-test', maxRetries: 0, configuration: { baseURL: `${url}/v1` } });
      return async (said, isStream) => {
        const messages = said.map(({ role, content }): [string, string] => [role, content]);
        if (!isStream) return String((await model.invoke(messages)).content);
        let text = '';
        for await (const chunk of await model.stream(messages)) text += chunk.content;
        return text;
      };
    },
  },
];

describe.each(SDKS)('$name', ({ of }) => {
  test('F02 F22 a conversation that outgrows the window', async () => {
    const provider = await world.provider({ window: WINDOW_TOKENS, answer: ({ number }) => `Answer ${number}.` });
    const { gateway } = await world.start(provider.url, { models: { window: WINDOW_TOKENS, maxOutputTokens: 500 } });
    const ask = of(gateway.url);
    const messages: Said[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      messages.push({ role: 'user', content: question(turn) });
      const content = await ask([...messages], turn % 2 === 0);
      expect(content).toBe(`Answer ${turn}.`);
      messages.push({ role: 'assistant', content });
    }
    expect(provider.requests.map(({ status }) => status)).toEqual(Array.from({ length: TURNS }, () => 200));
    expect(gateway.totals().compactions).toBeGreaterThanOrEqual(1);
    expect(Math.max(...provider.requests.map(({ tokens }) => tokens))).toBeLessThan(WINDOW_TOKENS);
  });
});

describe('Pi', () => {
  const folder = clientFolder('pi');
  const home = mkdtempSync(path.join(os.tmpdir(), 'ullage-pi-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  // 204 MB are not installed for one test: `npm run test:clients` does it, and `.ci/run` before this.
  test.skipIf(!existsSync(path.join(folder, 'node_modules')))(
    'a turn and the next one (skipped until `npm run test:clients` has installed Pi)',
    async () => {
      const provider = await world.provider({ answer: () => 'The answer is forty-two.' });
      const { gateway } = await world.start(provider.url);
      const client = pi('anthropic', folder);
      for (const [prompt, isResumed] of [
        ['Say something.', false],
        ['And more.', true],
      ] as const) {
        const run = await client.run({ url: gateway.url, prompt, home, isResumed });
        expect(run, run.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('forty-two') });
      }
      expect(provider.requests.map(({ status }) => status)).toEqual([200, 200]);
    },
  );
});
