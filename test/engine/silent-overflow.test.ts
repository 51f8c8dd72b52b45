// Overflows that come as a success: nothing was answered because the window was full (B158), or the window ended the answer.
import { describe, expect, it } from 'vitest';
import { type Prepared, UllageError } from '../../src/index.ts';
import { bodyOf, encodeAsk } from '../support/conversation.ts';
import { answerOf, fakeProvider } from '../support/provider.ts';
import { grown, makeWorld } from '../support/recovery.ts';

const WINDOW = 26_000;
const models = { window: WINDOW, maxOutputTokens: 1_000 };
const body = () => grown('openai-chat', 9).ask();

/** A local server: 200, empty, `length`, the prompt cut to the window. */
const emptyAtWindow = {
  choices: [{ message: { content: '' }, finish_reason: 'length' }],
  usage: { prompt_tokens: WINDOW - 1, completion_tokens: 1 },
};

describe('an empty answer at the end of the window (F22, B158)', () => {
  it('is recovered like an overflow: another, smaller request', async () => {
    const session = await makeWorld({ api: 'openai-chat', models }).open().session('k');
    const provider = fakeProvider('openai-chat', ({ index }) => (index === 0 ? emptyAtWindow : undefined));
    const response = await session.send(body(), provider.call);
    expect(response).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(provider.received[1]!.tokens).toBeLessThan(0.8 * provider.received[0]!.tokens);
    expect((await session.outcomes())[0]).toMatchObject({ triggerReason: 'provider_overflow', status: 'compacted' });
  });

  it('in a stream, too: the caller sees only the second one', async () => {
    const session = await makeWorld({ api: 'openai-chat', models }).open().session('k');
    async function* events(isEmpty: boolean) {
      yield { choices: [{ delta: { role: 'assistant', content: '' } }] };
      if (!isEmpty) yield { choices: [{ delta: { content: 'hi' } }] };
      yield { choices: [{ delta: {}, finish_reason: isEmpty ? 'length' : 'stop' }] };
      yield { choices: [], usage: { prompt_tokens: isEmpty ? WINDOW - 1 : 9_000, completion_tokens: 1 } };
    }
    let calls = 0;
    const seen: unknown[] = [];
    for await (const event of await session.send(body(), async () => events(calls++ === 0))) seen.push(event);
    expect(calls).toBe(2);
    expect(JSON.stringify(seen)).toContain('"content":"hi"');
    expect(JSON.stringify(seen)).not.toContain('length');
  });

  it('that stays empty goes to the caller as it came, after a few different requests', async () => {
    const session = await makeWorld({ api: 'openai-chat', models }).open().session('k');
    const responses: object[] = [];
    const provider = fakeProvider('openai-chat', () => {
      const response = structuredClone(emptyAtWindow);
      responses.push(response);
      return response;
    });
    const response = await session.send(body(), provider.call);
    expect(response).toBe(responses.at(-1));
    expect(provider.received.length).toBeLessThanOrEqual(4);
    expect(new Set(provider.received.map(({ text }) => text)).size).toBe(provider.received.length);
  });

  it('is no overflow below the window: reasoning used the output up', async () => {
    const session = await makeWorld({ api: 'openai-chat', models }).open().session('k');
    const response = {
      choices: [{ message: { content: '' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 15_000, completion_tokens: 1_000 },
    };
    const provider = fakeProvider('openai-chat', () => response);
    expect(await session.send(body(), provider.call)).toBe(response);
    expect(provider.received).toHaveLength(1);
    const small = await session.send(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')), async () => response);
    expect(small).toBe(response);
  });

  it('by hand: observe tells it, and recover takes the response', async () => {
    const session = await makeWorld({ api: 'openai-chat', models }).open().session('k');
    const prepared: Prepared = await session.prepare(body());
    expect(await session.observe(prepared.id, emptyAtWindow)).toMatchObject({ silentOverflow: 'empty-at-window' });
    const recovery = await session.recover(prepared.id, emptyAtWindow);
    expect(recovery).toMatchObject({ action: 'retry' });
    const other: Prepared = await session.prepare(bodyOf('openai-chat', encodeAsk('openai-chat', 'hi')));
    await session.observe(other.id, answerOf('openai-chat', 20));
    const surfaced = await session.recover(other.id, answerOf('openai-chat', 20));
    expect(surfaced).toMatchObject({ action: 'surface' });
    expect(UllageError.is((surfaced as { error: unknown }).error)).toBe(true);
  });
});

describe('an answer that the window ended (F22)', () => {
  const stopped = (text: string) => ({
    content: text === '' ? [] : [{ type: 'text', text }],
    stop_reason: 'model_context_window_exceeded',
    usage: { input_tokens: WINDOW - 300, output_tokens: 300 },
  });

  it('with words in it goes to the caller; without any it is recovered', async () => {
    const world = makeWorld({ api: 'anthropic', models });
    const session = await world.open().session('k');
    const partial = stopped('so far');
    const provider = fakeProvider('anthropic', () => partial);
    expect(await session.send(grown('anthropic', 9).ask(), provider.call)).toBe(partial);
    expect(provider.received).toHaveLength(1);
    expect((await session.guard()).lastFault).toContain('stopped-at-window');
    const other = await world.open().session('other');
    const emptied = fakeProvider('anthropic', ({ index }) => (index === 0 ? stopped('') : undefined));
    await other.send(grown('anthropic', 9).ask(), emptied.call);
    expect(emptied.received).toHaveLength(2);
  });

  it('makes the next request due: its size was measured', async () => {
    const session = await makeWorld({ api: 'anthropic', models }).open().session('k');
    const conversation = grown('anthropic', 9);
    await session.send(conversation.ask(), async () => stopped('so far'));
    expect((await session.prepare(conversation.ask())).outcome).toMatchObject({ status: 'compacted', triggerReason: 'token_threshold' });
  });
});
