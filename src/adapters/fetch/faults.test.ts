// What goes wrong upstream, through ullage.fetch: recovered where the request can be changed, else the provider's own bytes and errors.
import { afterEach, describe, expect, test } from 'vitest';
import { bodyOf, encodeAsk } from '../../../test/support/conversation.ts';
import { grown } from '../../../test/support/recovery.ts';
import type { Api } from '../../core/transcript/entry.ts';
import { createUllage, type Fetch } from '../../index.ts';
import { memoryStore, type StrictProvider, type StrictProviderOptions, strictProvider } from '../../testkit/index.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const PATHS: Readonly<Record<Api, string>> = { anthropic: 'messages', 'openai-chat': 'chat/completions', 'openai-responses': 'responses' };
type Script = Extract<NonNullable<StrictProviderOptions['script']>, readonly unknown[]>;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface World {
  readonly provider: StrictProvider;
  ask(body: object, by?: Fetch): Promise<Response>;
}

async function start(api: Api, options: StrictProviderOptions = {}): Promise<World> {
  const provider = await strictProvider(options);
  const models = { window: 60_000, maxOutputTokens: 4_000 };
  const ullage = createUllage({ store: memoryStore(), api, models, policy: { tailTokens: 2_000 } });
  closing.push(
    () => provider.close(),
    () => ullage.close(),
  );
  const through = ullage.fetch('k');
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  return {
    provider,
    ask: (body, by = through) => by(`${provider.url}/v1/${PATHS[api]}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

const OUTPUT: Readonly<Record<Api, string>> = {
  anthropic: 'max_tokens',
  'openai-chat': 'max_tokens',
  'openai-responses': 'max_output_tokens',
};

/** About 20,000 tokens. */
const large = (api: Api, more: object = {}) => ({ ...grown(api).ask(), [OUTPUT[api]]: 2_000, ...more });
const small = (api: Api, more: object = {}) => ({ ...bodyOf(api, encodeAsk(api, 'hi')), ...more });

/** Ids differ from request to request. */
const plain = (text: string) => text.replace(/(req|msg|chatcmpl|resp|call)[-_]\w+/g, '$1_').replace(/"created(_at)?":\d+/g, '');

describe.each(APIS)('%s', (api) => {
  const recovered: Readonly<Record<string, Script>> = {
    'an overflow as a status (F22)': [{ type: 'overflow' }],
    'an overflow as the first event (F22, B159)': [{ type: 'overflow', as: 'first-event' }],
    'an overflow without numbers (F22)': [{ type: 'overflow', numbers: false }],
    'a body over the limit (F23)': [{ type: 'too-large' }],
    'one request over a rate (F22)': [{ type: 'request-over-rate' }],
    'an overflow behind a rate limit of old (F22)': [{ type: 'overflow' }, { type: 'overflow' }],
  };

  test.each(Object.keys(recovered))('%s is recovered before the caller sees a byte', async (name) => {
    // Anthropic has no words for one request that is over a rate by itself.
    const script = api === 'anthropic' && name.startsWith('one request') ? recovered['a body over the limit (F23)']! : recovered[name]!;
    for (const stream of [false, true]) {
      const world = await start(api, { script, answer: () => 'All is well.' });
      const response = await world.ask(large(api, { stream }));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('well.');
      const { requests } = world.provider;
      expect(requests.length).toBe(script.length + 1);
      expect(new Set(requests.map(({ bytes }) => Buffer.from(bytes).toString())).size).toBe(requests.length);
      expect(response.headers.get('x-ullage-outcome')).toMatch(/^compacted; \d+->\d+$/);
    }
  });

  const passed: Readonly<Record<string, Script>> = {
    'a rate limit': [{ type: 'rate-limit' }],
    'a failing server': [{ type: 'server-error' }],
    'an overload inside a stream': [{ type: 'server-error', as: 'first-event' }],
    'a refused credential': [{ type: 'auth' }],
    'a page in HTML': [{ type: 'html' }],
    'a status nobody knows': [{ type: 'status', status: 418, body: '{ "error" : {"message":"I am a teapot", "n":1.0}}' }],
    'an error after content': [{ type: 'overflow', as: 'after-content' }],
    'an answer without content': [{ type: 'empty' }],
    'a stream without events': [{ type: 'empty', what: 'stream' }],
    'no body at all': [{ type: 'empty', what: 'body' }],
    'usage that is missing': [{ type: 'usage', usage: 'missing' }],
    'a stream that ends too early': [{ type: 'cut', how: 'end' }],
  };

  test.each(Object.keys(passed))('%s reaches the caller as it came (F05, F22)', async (name) => {
    for (const stream of [false, true]) {
      const script = passed[name]!.map((fault) => ({ ...fault, at: 'always' as const }));
      const body = small(api, { stream, ...(api === 'openai-chat' && stream ? { stream_options: { include_usage: true } } : {}) });
      const world = await start(api, { script });
      const direct = await world.ask(body, fetch);
      const through = await world.ask(body);
      expect(through.status).toBe(direct.status);
      expect(through.headers.get('content-type')).toBe(direct.headers.get('content-type'));
      expect(through.headers.get('retry-after')).toBe(direct.headers.get('retry-after'));
      const [given, wanted] = [await through.text().catch(messageOf), await direct.text().catch(messageOf)];
      expect(plain(given)).toBe(plain(wanted));
      expect(world.provider.requests).toHaveLength(2);
    }
  });

  test('a cut connection is the fetch’s own error, before and inside an answer', async () => {
    for (const script of [[{ type: 'reset', at: 'always' }], [{ type: 'cut', at: 'always' }]] as const) {
      const world = await start(api, { script });
      const errorOf = async (by?: Fetch) => {
        try {
          return await (await world.ask(small(api, { stream: true }), by)).text();
        } catch (error) {
          return [(error as Error).name, (error as Error).message];
        }
      };
      const direct = await errorOf(fetch);
      expect(direct).toBeInstanceOf(Array);
      expect(await errorOf()).toEqual(direct);
    }
  });

  test('requests side by side are answered once each, in their own words (F26, F27)', async () => {
    const world = await start(api, { answer: ({ bytes }) => `to ${/hi (\d)/.exec(Buffer.from(bytes).toString())![1]}` });
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (number) => (await world.ask(bodyOf(api, encodeAsk(api, `hi ${number}`)))).text()),
    );
    for (const [number, text] of answers.entries()) expect(text).toContain(`to ${number}`);
    expect(world.provider.requests).toHaveLength(6);
  });
});

test.each(['anthropic', 'openai-chat'] as const)('%s: the output alone is lowered when the input fits (F22)', async (api) => {
  const world = await start(api, { script: [{ type: 'output-cap', availableTokens: 1_000 }] });
  const response = await world.ask(large(api));
  expect(response.status).toBe(200);
  const [first, second] = world.provider.requests;
  expect(second!.body[OUTPUT[api]]).toBeLessThan(2_000);
  expect(second!.body.messages).toEqual(first!.body.messages);
  expect(response.headers.get('x-ullage-outcome')).toBeNull();
});

test('a thinking block that is refused is left out, whole (F09)', async () => {
  const world = await start('anthropic', { script: [{ type: 'signature' }], signatures: 'none' });
  const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'sig' };
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes.' }] },
    { role: 'user', content: 'and?' },
  ];
  const response = await world.ask({ model: 'm', max_tokens: 100, messages });
  expect(response.status).toBe(200);
  const sent = world.provider.requests.map(({ bytes }) => Buffer.from(bytes).toString().includes('Let me see.'));
  expect(sent).toEqual([true, false]);
});

function messageOf(error: unknown): string {
  return (error as Error).message;
}
