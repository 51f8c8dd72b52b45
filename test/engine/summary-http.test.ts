// Summaries by a model behind a real server, strict about its API: in the library, over all three APIs, with everything that goes wrong there.
import { afterEach, describe, expect, it } from 'vitest';
import { createModelSummarizer } from '../../src/adapters/models/index.ts';
import { APIS, type Api } from '../../src/core/transcript/entry.ts';
import { type Fault, type StrictProvider, type StrictProviderOptions, strictProvider } from '../../src/testkit/index.ts';
import { encodeAsk } from '../support/conversation.ts';
import { grown, makeWorld, occurrences } from '../support/world.ts';

const SUMMARY = '## Goal\nMend the build.\n## Done\n1. ZEBRA was read and mended.\n## Current state\nIt runs.';

const providers: StrictProvider[] = [];
afterEach(async () => {
  for (const provider of providers.splice(0)) await provider.close();
});

async function serve(options: StrictProviderOptions = {}) {
  const provider = await strictProvider({ rules: 'openai', strictHeaders: true, answer: () => SUMMARY, ...options });
  providers.push(provider);
  return provider;
}

const ofApi = (api: Api, provider: StrictProvider, more: object = {}) =>
  createModelSummarizer({ api, url: provider.url, model: 'sum-1', apiKey: 'KEY', id: `at-${api}`, ...more });

describe.each(APIS)('a summary over %s', (api) => {
  it('is bought from a strict server, once, and its cost is told', async () => {
    const provider = await serve();
    const world = makeWorld('anthropic', { summarizer: ofApi(api, provider) });
    const prepared = await (await world.session()).prepare(grown('anthropic', 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(occurrences(prepared.text, 'ZEBRA was read and mended.')).toBe(1);
    expect(provider.requests.map(({ api: asked, status, isStream }) => [asked, status, isStream])).toEqual([[api, 200, true]]);
    const usage = prepared.outcome!.summarizerUsage as Record<string, number>;
    const { requests } = provider;
    expect(usage.prompt_tokens ?? usage.input_tokens).toBe(requests[0]!.tokens);
    expect(requests[0]!.body).not.toHaveProperty('tools');
  });

  const faults: readonly (readonly [string, Fault | readonly Fault[], string])[] = [
    ['429', { type: 'rate-limit' }, 'rate'],
    ['500', { type: 'server-error' }, 'network'],
    ['401', { type: 'auth' }, 'auth'],
    ['a page of a gateway', { type: 'html' }, 'network'],
    ['an empty answer', { type: 'empty' }, 'empty'],
    ['a stream without events', { type: 'empty', what: 'stream' }, 'empty'],
    ['a stream cut short', { type: 'cut' }, 'network'],
    ['a reset connection', { type: 'reset' }, 'network'],
    ['an overload as the first event', { type: 'rate-limit', as: 'first-event' }, 'rate'],
  ];

  it.each(faults)('that meets %s leaves the facts (F11, F21)', async (_, script, reason) => {
    const provider = await serve({ script: [script].flat() as Fault[] });
    const world = makeWorld('openai-chat', { summarizer: ofApi(api, provider) });
    const prepared = await (await world.session()).prepare(grown('openai-chat', 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect(world.logged.join('\n')).toContain(`Summarizer at-${api} failed: ${reason}`);
    expect(provider.requests).toHaveLength(1);
  });

  it('of a server whose window is smaller than told is asked for in smaller pieces (F13)', async () => {
    const provider = await serve({ window: 9_000, count: (text) => Math.ceil(text.length / 2.5) });
    const world = makeWorld('openai-chat', { summarizer: ofApi(api, provider, { windowTokens: 18_000 }) });
    const prepared = await (await world.session()).prepare(grown('openai-chat', 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    const statuses = provider.requests.map(({ status }) => status);
    expect(statuses[0]).toBe(400);
    expect(statuses.slice(-2)).toEqual([200, 200]);
  });

  it('holds no secret, in no request (F34)', async () => {
    const secret = ['sk', 'ant', 'api03', 'Zz3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA'].join('-');
    const provider = await serve();
    const world = makeWorld('openai-chat', { summarizer: ofApi(api, provider) });
    const session = await world.session();
    const conversation = grown('openai-chat', 5);
    conversation.messages.unshift(...encodeAsk('openai-chat', `Deploy with ${secret}.`), { role: 'assistant', content: 'Done.' });
    await session.prepare(conversation.ask());
    await session.compact({ focus: `the key ${secret}`, targetTokens: 3_000 });
    expect(provider.requests.length).toBeGreaterThan(0);
    for (const { bytes } of provider.requests) expect(new TextDecoder().decode(bytes)).not.toContain(secret);
    expect(world.logged.join('\n')).not.toContain(secret);
  });
});

describe('a chain over HTTP', () => {
  it('[down, out of tokens, good] ends in the good one, and every path is told by its name', async () => {
    const down = await serve();
    await down.close();
    const tired = await serve({ script: [{ type: 'rate-limit', at: 'always' }] });
    const good = await serve();
    const summarizer = [
      ofApi('openai-chat', down, { id: 'down' }),
      ofApi('anthropic', tired, { id: 'tired' }),
      ofApi('openai-responses', good, { id: 'good' }),
    ];
    const world = makeWorld('openai-chat', { summarizer });
    const prepared = await (await world.session()).prepare(grown('openai-chat', 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(world.logged.join('\n')).toMatch(/down failed: network[\s\S]*tired failed: rate/);
  });

  it('a silent server is left at the deadline, its connection closed', async () => {
    const provider = await serve();
    provider.hold('first-byte');
    const world = makeWorld('openai-chat', { summarizer: ofApi('openai-chat', provider) });
    const preparing = (await world.session()).prepare(grown('openai-chat', 5).ask());
    await provider.until(() => provider.held === 1);
    await world.clock.advance(20_000);
    expect((await preparing).outcome).toMatchObject({ status: 'compacted', summary: 'facts', durationMs: 20_000 });
    await provider.until((request) => request.end === 'aborted');
  });
});
