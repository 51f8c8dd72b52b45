// A provider that binds reasoning to the bytes before it, as the strictest do: what is sent must be a prefix it has seen, or the block must be gone.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { prose } from '../support/conversation.ts';
import { apiError, fakeProvider, overflowError } from '../support/provider.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { makeWorld } from '../support/recovery.ts';

const TOOLS = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }];

interface Block {
  readonly type: string;
  readonly signature?: string;
}

interface Sent {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

/** What a block that follows `count` messages is bound to. */
function signatureOf({ system, tools, messages }: Sent, count: number): string {
  return createHash('sha256')
    .update(JSON.stringify([system, tools, messages.slice(0, count)]))
    .digest('base64');
}

function thinkingIn(sent: Sent): { readonly at: number; readonly signature: string }[] {
  return sent.messages.flatMap(({ content }, at) =>
    typeof content === 'string'
      ? []
      : content.flatMap(({ type, signature }) => (type === 'thinking' ? [{ at, signature: signature! }] : [])),
  );
}

function bindingProvider(random: Random, windowTokens: number) {
  const counts = { refused: 0, overflows: 0, thoughtful: 0, requests: 0 };
  const provider = fakeProvider('anthropic', ({ tokens, body }) => {
    const sent = body as unknown as Sent;
    counts.requests++;
    if (thinkingIn(sent).some(({ at, signature }) => signature !== signatureOf(sent, at))) {
      counts.refused++;
      throw apiError(400, 'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.');
    }
    if (tokens > windowTokens) {
      counts.overflows++;
      throw overflowError('anthropic', { limit: windowTokens, actual: tokens });
    }
    if (thinkingIn(sent).length > 0) counts.thoughtful++;
    const thinking = { type: 'thinking', thinking: prose(random, 5), signature: signatureOf(sent, sent.messages.length) };
    const call = { type: 'tool_use', id: `c${counts.requests}`, name: 'read', input: { path: `f${counts.requests}` } };
    const rest = random.next() < 0.5 ? [{ type: 'text', text: prose(random, 20) }] : [{ type: 'text', text: 'Look.' }, call];
    return { content: [thinking, ...rest], stop_reason: 'end_turn', usage: { input_tokens: tokens, output_tokens: 30 } };
  });
  return { ...provider, counts };
}

/** `changesTools`: the client declares another tool from the 20th request on, which is in front of everything. */
async function play(seed: number, windowTokens: number, changesTools = false) {
  const random = seededRandom(seed * 17);
  const world = makeWorld({ api: 'anthropic', models: { window: 12_000, maxOutputTokens: 1_000 }, summarizer: scriptedSummarizer() });
  const provider = bindingProvider(random, windowTokens);
  const messages: object[] = [{ role: 'user', content: 'Mend the build. Never push to main.' }];
  let session = await world.open().session('k');
  for (let request = 0; request < 40; request++) {
    if (random.next() < 0.2) session = await world.open().session('k');
    if (random.next() < 0.05) await session.pin(`Rule ${request}`);
    const tools = changesTools && request >= 20 ? [...TOOLS, { name: 'write', input_schema: { type: 'object' } }] : TOOLS;
    const body = { model: 'm', max_tokens: 1_000, system: 'You mend builds.', tools, messages: [...messages] };
    const { content } = (await session.send(body, provider.call)) as { content: Block[] };
    messages.push({ role: 'assistant', content });
    const call = content.find(({ type }) => type === 'tool_use') as { id?: string } | undefined;
    const words = prose(random, random.int(5, 400));
    messages.push({
      role: 'user',
      content: call ? [{ type: 'tool_result', tool_use_id: call.id, content: words }] : `Ask ${request}: ${words}`,
    });
    await world.clock.advance(random.int(1, 60) * 1_000);
  }
  return { counts: provider.counts, outcomes: await session.outcomes({ limit: 100 }) };
}

describe('reasoning bound to its prefix (F09, F33)', () => {
  it.each([1, 2, 3, 4])('seed %i: over compactions, restarts and pins nothing we send is refused, and reasoning is sent', async (seed) => {
    const { counts, outcomes } = await play(seed, 100_000);
    expect(outcomes.some(({ status }) => status === 'compacted')).toBe(true);
    expect(counts.refused).toBe(0);
    expect(counts.thoughtful).toBeGreaterThan(15);
  });

  it.each([5, 6, 7])('seed %i: nor over overflows and their recovery', async (seed) => {
    const { counts } = await play(seed, 7_000);
    expect(counts.overflows).toBeGreaterThan(0);
    expect(counts.refused).toBe(0);
    expect(counts.thoughtful).toBeGreaterThan(10);
  });

  it.each([8, 9])('seed %i: another preamble is refused once at most; then all goes on', async (seed) => {
    const { counts } = await play(seed, 100_000, true);
    expect(counts.refused).toBeLessThanOrEqual(1);
    expect(counts.thoughtful).toBeGreaterThan(15);
  });
});
