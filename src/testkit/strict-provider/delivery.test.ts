// F23, F29: answers that come late, in part, or not at all. No test sleeps: answers wait at a gate or by a clock moved by hand.
import { afterEach, describe, expect, test } from 'vitest';
import type { Api } from '../../core/transcript/entry.ts';
import { manualClock } from '../manual-clock.ts';
import { ask, bodyOf, type Json, PATHS, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const APIS = Object.keys(PATHS) as Api[];
const LONG_ANSWER = 'A text of some length, in several pieces, so that it can be cut in its middle.';

const typesOf = (events: readonly Json[]) => events.map((event) => event.type);

describe('streams as the APIs send them', () => {
  const answer = () => ({ thinking: 'Hm.', text: 'Yes.', toolCalls: [{ name: 'read', arguments: { path: 'a' }, id: 'id_1' }] });

  test('anthropic', async () => {
    const { events, text } = await ask(await start({ answer }), 'anthropic', 'hi', { stream: true });
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop'];
    const thinking = ['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'];
    expect(typesOf(events)).toEqual(['message_start', 'ping', ...thinking, ...block, ...block, 'message_delta', 'message_stop']);
    expect(text).toMatch(/^event: message_start\ndata: \{"type":"message_start"/);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: expect.any(Number) } });
  });

  test('openai-chat: usage only when it is asked for', async () => {
    const provider = await start({ answer });
    const plain = await ask(provider, 'openai-chat', 'hi', { stream: true });
    expect(plain.events.at(-1)).toBe('[DONE]');
    expect(plain.text).not.toContain('"usage"');
    expect(plain.events.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
    const asked = await ask(provider, 'openai-chat', 'hi', { stream: true, stream_options: { include_usage: true } });
    expect(asked.events.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: provider.requests[0]!.tokens } });
    expect(asked.events[0]).toMatchObject({ usage: null });
  });

  test('openai-responses: numbered from the first to the last', async () => {
    const { events } = await ask(await start({ answer }), 'openai-responses', 'hi', { stream: true });
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    expect(typesOf(events).slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added']);
    const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed', output: items } });
  });

  test.each(APIS)('%s: an answer over the asked output is cut and says so', async (api) => {
    const key = api === 'openai-responses' ? 'max_output_tokens' : 'max_tokens';
    const provider = await start({ answer: () => LONG_ANSWER.repeat(10) });
    const { text, body } = await ask(provider, api, 'hi', { [key]: 20 });
    expect(text).toMatch(/"(?:length|max_tokens|max_output_tokens)"/);
    expect(JSON.stringify(body.usage)).toMatch(/"(?:completion|output)_tokens":20\b/);
    expect(provider.bill().output).toBe(20);
  });
});

describe('F29 slow answers', () => {
  test.each(APIS)('%s: held before the headers, before the first byte, before each event', async (api) => {
    const provider = await start({ answer: () => LONG_ANSWER });
    provider.hold('headers', 'first-byte', 'events');
    const asking = fetch(provider.url + PATHS[api], { method: 'POST', body: JSON.stringify(bodyOf(api, 'hi', { stream: true })) });
    await provider.until(() => provider.held === 1);
    expect(provider.requests[0]!.status).toBeUndefined();
    provider.release(1);
    const response = await asking;
    const reader = response.body!.getReader();
    await provider.until(() => provider.held === 1);
    provider.release(1);
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value).match(/data: /g)).toHaveLength(1);
    await provider.until(() => provider.held === 1);
    provider.release();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += new TextDecoder().decode(part.value);
    expect(rest).toContain('pieces');
    await provider.until(({ end }) => end === 'sent');
  });

  test('by a clock', async () => {
    const clock = manualClock();
    const provider = await start({ clock, script: [{ type: 'slow', headersMs: 5_000, eventMs: 10 }] });
    let isDone = false;
    const asking = ask(provider, 'anthropic', 'hi', { stream: true }).finally(() => {
      isDone = true;
    });
    await provider.until(() => clock.pendingWaits === 1);
    await clock.advance(4_999);
    expect([isDone, clock.pendingWaits]).toEqual([false, 1]);
    while (!isDone) {
      await clock.advance(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await asking).status).toBe(200);
  });

  test('a client that goes away is noted, and waits no more', async () => {
    const provider = await start();
    provider.hold();
    const leaving = new AbortController();
    const asking = fetch(provider.url + PATHS.anthropic, {
      method: 'POST',
      body: JSON.stringify(bodyOf('anthropic')),
      signal: leaving.signal,
    });
    await provider.until(() => provider.held === 1);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    const request = await provider.until(({ end }) => end !== undefined);
    expect([request.end, request.status, provider.held]).toEqual(['aborted', undefined, 0]);
  });

  test('what was never going to happen is no longer waited for', async () => {
    const provider = await start();
    const waiting = provider.until(() => false);
    await Promise.all([expect(waiting).rejects.toThrow('closed'), provider.close()]);
    await provider.close();
  });
});

describe('F23 broken answers', () => {
  test.each(APIS)('%s: a stream whose connection is closed, and one that ends too early', async (api) => {
    const provider = await start({
      answer: () => LONG_ANSWER,
      script: [
        { type: 'cut', afterEvents: 3 },
        { type: 'cut', afterEvents: 3, how: 'end' },
      ],
    });
    const body = JSON.stringify(bodyOf(api, 'hi', { stream: true }));
    const reader = (await fetch(provider.url + PATHS[api], { method: 'POST', body })).body!.getReader();
    let seen = '';
    const reading = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) seen += new TextDecoder().decode(part.value);
    };
    await expect(reading()).rejects.toThrow();
    expect(seen.match(/data: /g)).toHaveLength(3);
    const ended = await ask(provider, api, 'hi', { stream: true });
    expect(ended.events).toHaveLength(3);
    expect(provider.requests.map(({ end }) => end)).toEqual(['cut', 'cut']);
  });

  test('a whole body cut, a connection reset before the status', async () => {
    const provider = await start({ script: [{ type: 'cut' }, { type: 'reset' }] });
    await expect(ask(provider, 'anthropic')).rejects.toThrow();
    await expect(ask(provider, 'anthropic')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(provider.requests.map(({ status }) => status)).toEqual([200, undefined]);
  });

  test.each(APIS)('%s: nothing said, no event, no body', async (api) => {
    const provider = await start({ script: [{ type: 'empty' }, { type: 'empty', what: 'stream' }, { type: 'empty', what: 'body' }] });
    const silent = await ask(provider, api);
    expect([silent.status, silent.text.includes('Well done')]).toEqual([200, false]);
    expect(silent.body.content ?? silent.body.output ?? (silent.body.choices as Json[])[0]!.message).toMatchObject(
      api === 'openai-chat' ? { content: '' } : [],
    );
    expect(await ask(provider, api, 'hi', { stream: true })).toMatchObject({ status: 200, text: '' });
    expect(await ask(provider, api)).toMatchObject({ status: 200, text: '' });
  });
});

test('an answer function that throws is seen by the test', async () => {
  const provider = await start({
    answer: () => {
      throw new Error('my own mistake');
    },
  });
  const got = await ask(provider, 'openai-chat');
  expect([got.status, got.text.includes('my own mistake')]).toEqual([500, true]);
});
