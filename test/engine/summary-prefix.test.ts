// A summary asked for behind the request that was sent already: read from the provider's cache where that is safe, else plain text and the reason.
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicCompactSummarizer, createModelSummarizer } from '../../src/adapters/models/index.ts';
import type { Api } from '../../src/core/transcript/entry.ts';
import type { Summarizer } from '../../src/ports/summarizer.ts';
import { type ScriptedAnswer, type StrictProvider, strictProvider } from '../../src/testkit/index.ts';
import { makeConversation } from '../support/conversation.ts';
import { makeWorld } from '../support/world.ts';

const SUMMARY = '## Goal\nMend the build.\n## Done\n1. ZEBRA was read and mended.';
const PATHS = { 'openai-chat': '/v1/chat/completions', 'openai-responses': '/v1/responses', anthropic: '/v1/messages' } as const;
const isSummary = (body: object): boolean => JSON.stringify(body).includes('Summarise the transcript');

const providers: StrictProvider[] = [];
afterEach(async () => {
  for (const provider of providers.splice(0)) await provider.close();
});

/** Plays requests to a real server until one is compacted. */
async function play(
  api: Api,
  options: {
    readonly tools?: boolean;
    readonly answer?: () => ScriptedAnswer | string;
    readonly idleMs?: number;
    readonly more?: object;
    readonly summarizer?: (url: string) => Summarizer;
  } = {},
) {
  const answer = (body: object) => (isSummary(body) ? (options.answer?.() ?? SUMMARY) : 'Well done.');
  const provider = await strictProvider({ window: 20_000, answer: (request) => answer(request.body) });
  providers.push(provider);
  const ownModel = (url: string) =>
    createModelSummarizer({ api, url, model: 'm', apiKey: 'KEY', usesPrefix: true, windowTokens: 20_000, id: 'a' });
  const summarizer = (options.summarizer ?? ownModel)(provider.url);
  const world = makeWorld(api, { summarizer, models: { window: 20_000, maxOutputTokens: 1_000 } });
  const session = await world.session();
  const conversation = makeConversation(api, 4);
  for (let turn = 0; turn < 40; turn++) {
    conversation.grow({ steps: 1, resultWords: 150 });
    const { tools: _, ...body } = conversation.ask() as Record<string, unknown>;
    const asked = { ...body, ...options.more, ...(options.tools ? { tools: toolsOf(api) } : {}) };
    const prepared = await session.prepare(asked);
    if (prepared.outcome) return { prepared, world, provider, summaries: provider.requests.filter((request) => isSummary(request.body)) };
    const response = await fetch(`${provider.url}${PATHS[api]}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accountOf(api) },
      body: prepared.text,
    });
    expect(response.status).toBe(200);
    await session.observe(prepared.id, await response.json());
    await world.clock.advance(options.idleMs ?? 1_000);
  }
  throw new Error('Nothing became due.');
}

function accountOf(api: Api): Record<string, string> {
  return api === 'anthropic' ? { 'x-api-key': 'KEY', 'anthropic-version': '2023-06-01' } : { authorization: 'Bearer KEY' };
}

function toolsOf(api: Api): readonly object[] {
  const schema = { type: 'object', properties: {} };
  if (api === 'anthropic') return [{ name: 'read', description: 'Reads.', input_schema: schema }];
  if (api === 'openai-responses') return [{ type: 'function', name: 'read', description: 'Reads.', parameters: schema }];
  return [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema } }];
}

describe.each(['openai-chat', 'openai-responses'] as const)('a summary on the cached prefix over %s', (api) => {
  it('is read from the cache, with the tools held back, and checked like any other', async () => {
    const { prepared, summaries } = await play(api, { tools: true });
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(prepared.text).toContain('ZEBRA was read');
    expect(summaries).toHaveLength(1);
    expect(summaries[0]!.body).toMatchObject({ tool_choice: 'none', stream: true, model: 'm' });
    expect(summaries[0]!.cachedTokens).toBeGreaterThan(summaries[0]!.tokens * 0.7);
  });

  it('that is no summary is asked for once more, as plain text without tools (F11)', async () => {
    let calls = 0;
    const { prepared, summaries } = await play(api, {
      tools: true,
      answer: () => (++calls === 1 ? 'I shall read the file first.' : SUMMARY),
    });
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    const [first, ...plain] = summaries.map(({ body }) => 'tools' in body);
    expect(first).toBe(true);
    expect(new Set(plain)).toEqual(new Set([false]));
  });

  it('is not asked for when the cache has forgotten it: plain text, and the log says why', async () => {
    const { prepared, summaries, world } = await play(api, { idleMs: 400_000 });
    expect(prepared.outcome).toMatchObject({ summary: 'model' });
    expect(summaries[0]!.cachedTokens).toBe(0);
    expect(JSON.stringify(summaries[0]!.body)).toContain('<ullage-transcript>');
    expect(world.logged.join('\n')).toContain('is given plain text, not the cached prefix: cold');
  });
});

describe('over anthropic', () => {
  it('tools cannot be held back without losing the cache: plain text, and the log says why', async () => {
    const { summaries, world } = await play('anthropic', { tools: true });
    expect(JSON.stringify(summaries[0]!.body)).toContain('<ullage-transcript>');
    expect(world.logged.join('\n')).toContain('not the cached prefix: tools');
  });
});

describe('compaction by the provider over anthropic', () => {
  const compact = (url: string) => anthropicCompactSummarizer({ url, model: 'm', apiKey: 'KEY', id: 'compact' });
  const cached = { cache_control: { type: 'ephemeral' } };

  it('writes the summary on the cached prefix, with the tools there: its text is checked and used, its item is not', async () => {
    const { prepared, summaries } = await play('anthropic', { tools: true, more: cached, summarizer: compact });
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(prepared.text).toContain('ZEBRA was read');
    expect(prepared.text).not.toContain('encrypted_content');
    expect(summaries).toHaveLength(1);
    expect(summaries[0]!.body).toMatchObject({ compaction: { type: 'summarize' }, tools: toolsOf('anthropic') });
    expect(summaries[0]!.cachedTokens).toBeGreaterThan(summaries[0]!.tokens * 0.7);
  });

  it.each<[string, string]>([
    ['', 'empty'],
    ['The conversation so far, in short.', 'no_headings'],
  ])('that gives %j leaves the facts, and is asked once (F11)', async (text, reason) => {
    const { prepared, summaries } = await play('anthropic', { tools: true, more: cached, summarizer: compact, answer: () => ({ text }) });
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts', summarizerFailures: [{ path: 'compact', reason }] });
    expect(summaries).toHaveLength(1);
  });

  it.each<[string, { readonly more?: object; readonly idleMs?: number }]>([
    ['cold', {}],
    ['cold', { more: cached, idleMs: 400_000 }],
    ['format', { more: { ...cached, context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } } }],
    ['other_model', { more: { ...cached, model: 'n' } }],
  ])('is passed over without a failure where it may not be (%s): the facts stand, and the log says why', async (reason, options) => {
    const { prepared, summaries, world } = await play('anthropic', { ...options, summarizer: compact });
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect(prepared.outcome?.summarizerFailures ?? []).toEqual([]);
    expect(summaries).toHaveLength(0);
    expect(world.logged.join('\n')).toContain(`it reads the cached prefix only: ${reason}`);
  });
});
