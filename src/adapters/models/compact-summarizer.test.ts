// The provider's own compaction over HTTP: what is asked, which part of the answer is read, what counts as no summary (F11).
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicCompactSummarizer } from './index.ts';

const TEXT = '## Goal\nShip it.\n## Done\n1. Read it.';
const SENT = {
  model: 'm',
  system: 'You build.',
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 9,
  stop_sequences: ['x'],
  thinking: { type: 'enabled', budget_tokens: 2_000 },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
};

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

interface Seen {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
}

async function serve(answer: { readonly events: readonly object[] } | { readonly json: object }) {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const isStream = 'events' in answer;
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(isStream ? answer.events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : JSON.stringify(answer.json));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const request = {
  text: '',
  prefix: { api: 'anthropic', body: JSON.stringify(SENT) },
  instructions: 'WRITE',
  maxOutputTokens: 800,
  signal: new AbortController().signal,
} as const;

const whole = (content: readonly object[], stop_reason = 'compaction') => ({
  json: { type: 'message', role: 'assistant', content, stop_reason, usage: { input_tokens: 5, output_tokens: 7 } },
});
const item = (content: unknown) => ({ type: 'compaction', content, encrypted_content: 'U0VBTEVE', signature: 's' });

describe('compaction by Anthropic as a summarizer', () => {
  it('is asked behind the request as it was sent, tools and all, with the instructions in place of a message', async () => {
    const { url, seen } = await serve(whole([item(TEXT)]));
    const headers = () => ({ 'Anthropic-Beta': 'one-2026-01-01, two-2026-01-01' });
    await anthropicCompactSummarizer({ url, model: 'm', apiKey: 'KEY', headers })(request);
    const { model, system, tools, messages, thinking } = SENT;
    const compaction = { type: 'summarize', instructions: 'WRITE' };
    expect(seen[0]!.body).toEqual({ model, system, tools, messages, thinking, compaction, stream: true, max_tokens: 3_000 });
    expect(seen[0]!.headers).toMatchObject({
      'x-api-key': 'KEY',
      'anthropic-beta': 'one-2026-01-01,two-2026-01-01,compact-2026-09-04',
    });
  });

  it('gives the readable text of the block alone, whole and streamed', async () => {
    const usage = { input_tokens: 5, output_tokens: 7 };
    const events = [
      { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { ...item(''), content: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: TEXT.slice(0, 9) } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: TEXT.slice(9) } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'compaction' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ];
    for (const answer of [whole([item(TEXT), { type: 'text', text: 'More?' }]), { events }]) {
      const { url } = await serve(answer);
      const result = await anthropicCompactSummarizer({ url, model: 'm' })(request);
      expect(result).toMatchObject({ text: TEXT, finishReason: 'stop', usage });
    }
  });

  it.each<[string, readonly object[]]>([
    ['a block that failed', [item(null)]],
    ['a block that is sealed', [{ type: 'compaction', encrypted_content: 'U0VBTEVE' }]],
    ['no block', [{ type: 'text', text: TEXT }]],
  ])('%s is an empty answer (F11)', async (_, content) => {
    const { url } = await serve(whole(content));
    expect(await anthropicCompactSummarizer({ url, model: 'm' })(request)).toMatchObject({ text: '', finishReason: 'stop' });
  });

  it('one that was cut off is not complete (F12)', async () => {
    const { url } = await serve(whole([item(TEXT)], 'max_tokens'));
    expect(await anthropicCompactSummarizer({ url, model: 'm' })(request)).toMatchObject({ finishReason: 'length' });
  });

  it('has a path of its own, and takes no plain text', async () => {
    const { url, seen } = await serve(whole([item(TEXT)]));
    const summarizer = anthropicCompactSummarizer({ url, model: 'm' });
    expect(summarizer.id).toMatch(/#m:compact$/);
    expect(summarizer.usesPrefix).toEqual({ api: 'anthropic', model: 'm', isOnly: true });
    await expect(summarizer({ ...request, prefix: undefined, text: 'TRANSCRIPT' })).rejects.toThrow('plain text');
    expect(seen).toHaveLength(0);
  });
});
