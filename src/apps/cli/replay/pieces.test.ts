// The parts a replay is made of.
import { describe, expect, test } from 'vitest';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import type { Api } from '../../../core/transcript/entry.ts';
import { createUllage } from '../../../create-ullage.ts';
import { codecFor, openaiChatCodec } from '../../../wire/index.ts';
import { readTranscript } from '../formats/index.ts';
import type { LoadedRequest } from '../shared/load-transcript.ts';
import { measureRequest } from '../shared/request-size.ts';
import { agentBody } from '../shared/testing/scratch.ts';
import { readHistory, requestText } from './history.ts';
import { parsePolicy, policyFor } from './policy.ts';
import { scriptedProvider } from './provider.ts';
import { sizeLine } from './size-lines.ts';
import { addTotals, totalsOf } from './totals.ts';
import { chooseWindow } from './window.ts';

function load(text: string): LoadedRequest {
  const transcript = readTranscript({ name: 'test', text });
  const codec = codecFor(transcript.api);
  return { name: 'test', transcript, codec, body: codec.decodeBody(transcript.bodyText) };
}

describe('the requests of a transcript', () => {
  test('one before each run of assistant messages, and one at the end when the last word is not the assistant’s', () => {
    const loaded = load(agentBody(2));
    const { requests, peakTokens } = readHistory(loaded);
    // system, user | call, result | call, result | answer, user |
    expect(requests.map(({ messages }) => messages)).toEqual([2, 4, 6, 8]);
    expect(peakTokens).toBe(measureRequest(openaiChatCodec, loaded.transcript.bodyText).tokens);
    expect(requests.map(({ answerTokens }) => answerTokens > 0)).toEqual([true, true, true, false]);
  });

  test('a transcript that ends with an answer asks nothing more', () => {
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'assistant', content: 'c' },
    ];
    expect(readHistory(load(JSON.stringify({ model: 'm', messages }))).requests.map((request) => request.messages)).toEqual([1]);
  });

  test('items of one answer in the Responses format are one run', () => {
    const input = [
      { role: 'user', content: 'a' },
      { type: 'function_call', call_id: '1', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: '2', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'x' },
      { type: 'function_call_output', call_id: '2', output: 'y' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
    ];
    expect(readHistory(load(JSON.stringify({ model: 'm', input }))).requests.map((request) => request.messages)).toEqual([1, 5]);
  });

  test('the text of a request is the body with its first messages, byte for byte', () => {
    const loaded = load(agentBody(3));
    const whole = JSON.parse(loaded.transcript.bodyText);
    const text = requestText(loaded, 4);
    expect(JSON.parse(text)).toEqual({ ...whole, messages: whole.messages.slice(0, 4) });
    expect(text).toContain('"seed":12345678901234567890');
    expect(requestText(loaded, whole.messages.length)).toBe(loaded.transcript.bodyText);
  });
});

describe('the scripted provider', () => {
  const body = (messages: readonly object[]) => JSON.stringify({ model: 'm', messages });
  const first = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'one two three' },
  ];

  test('measures what the engine estimates, and caches what two requests begin with', () => {
    const provider = scriptedProvider(openaiChatCodec, 10_000);
    const one = provider.answer(body(first), 0);
    expect(one).toMatchObject({ tokens: measureRequest(openaiChatCodec, body(first)).tokens, cachedTokens: 0 });
    const longer = provider.answer(body([...first, { role: 'assistant', content: 'four' }, { role: 'user', content: 'five' }]), 0);
    expect(longer.cachedTokens).toBe(one.tokens);
    const other = provider.answer(body([first[0]!, { role: 'user', content: 'another' }]), 0);
    expect(other.cachedTokens).toBeLessThan(one.tokens);
    expect(other.cachedTokens).toBeGreaterThan(0);
  });

  test.each<Api>(['anthropic', 'openai-chat', 'openai-responses'])('%s: its usage is read back as the same numbers', (api) => {
    const text = JSON.stringify(
      api === 'openai-responses'
        ? { model: 'm', input: [{ role: 'user', content: 'a b' }] }
        : { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'a b' }] },
    );
    const provider = scriptedProvider(codecFor(api), 10_000);
    provider.answer(text, 5);
    const { tokens, usage } = provider.answer(text, 5);
    expect(codecFor(api).usage(usage)).toMatchObject({ promptTokens: tokens, cacheRead: tokens, output: 5 });
  });

  test.each<Api>(['anthropic', 'openai-chat', 'openai-responses'])('%s: its refusal is understood as an overflow', async (api) => {
    const message = { role: 'user', content: 'word '.repeat(2_000) };
    const text = JSON.stringify(
      api === 'openai-responses' ? { model: 'm', input: [message] } : { model: 'm', max_tokens: 9, messages: [message] },
    );
    const ullage = createUllage({ store: sqliteStore(':memory:'), api, models: { window: 100_000 } });
    const session = await ullage.session('refused');
    const provider = scriptedProvider(codecFor(api), 500);
    const sent = session.send(text, async (own) => provider.answer(own, 0));
    await expect(sent).rejects.toMatchObject({ code: 'context_window_exceeded' });
    await ullage.close();
  });
});

describe('the window', () => {
  const history = (peakTokens: number, preambleTokens = 100) => ({ requests: [], preambleTokens, peakTokens });
  test.each([
    [{ told: 50_000, model: 'gpt-4o' }, history(1_000), 50_000, 'told'],
    [{ model: 'gpt-4o' }, history(120_000), 128_000, 'model'],
    [{ model: 'gpt-4o' }, history(30_000), 16_000, 'chosen'],
    [{ model: 'nobody-knows' }, history(300_000), 256_000, 'chosen'],
    [{}, history(100), 4_000, 'chosen'],
    [{}, history(16_000, 15_000), 64_000, 'chosen'],
  ])('%j of %j', (known, of, tokens, source) => {
    expect(chooseWindow(of, known)).toMatchObject({ tokens, source });
  });
});

describe('the policy', () => {
  test('shares and tokens go to the engine as they were said', () => {
    expect(policyFor(parsePolicy({ threshold: '80%', target: '20k' }), 100_000)).toEqual({ threshold: 0.8, target: 20_000 });
    expect(policyFor(parsePolicy({}), 100_000)).toEqual({});
  });

  test.each([
    [{ threshold: '50%', target: '60%' }, '--target'],
    [{ threshold: '50k', target: '60%' }, '--target'],
    [{ target: '80%' }, '--target'],
    [{ threshold: '200k' }, '--threshold'],
  ])('%j is refused in a window of 100,000', (flags, option) => {
    expect(() => policyFor(parsePolicy(flags), 100_000)).toThrow(
      expect.objectContaining({ code: 'option_invalid', message: expect.stringContaining(option) }),
    );
  });
});

describe('the totals', () => {
  const request = (historyTokens: number, tokens: number | undefined, cachedTokens = 0) => ({
    historyTokens,
    sent: tokens === undefined ? undefined : { tokens, cachedTokens },
    prepareMs: 1,
    brokenRules: 0,
  });

  test('cost weighs cached and new tokens, against repeating everything', () => {
    const totals = totalsOf([request(1_000, 1_000), request(2_000, 500, 400)], 1_500);
    expect(totals).toMatchObject({ requests: 2, sentTokens: 1_500, largestTokens: 1_000, cacheShare: 400 / 1_500, cost: 1_250 + 40 + 125 });
    expect(totals.never).toEqual({ largestTokens: 2_000, sentTokens: 3_000, cost: 1_250 + 100 + 1_250, overWindow: 1 });
    expect(totals.costRatio).toBeCloseTo(1_415 / 2_600);
  });

  test('a request that was not sent counts as such, and nothing is divided by nothing', () => {
    const totals = totalsOf([request(1_000, undefined)], 500);
    expect(totals).toMatchObject({ unsent: 1, sentTokens: 0, cacheShare: 0, costRatio: undefined });
    expect(totalsOf([], 500)).toMatchObject({ requests: 0, costRatio: undefined });
  });

  test('several transcripts add up', () => {
    const one = totalsOf([request(1_000, 1_000)], 500);
    const both = addTotals([one, one]);
    expect(both).toMatchObject({
      requests: 2,
      sentTokens: 2_000,
      costRatio: one.costRatio,
      never: { overWindow: 2, largestTokens: 1_000 },
    });
  });
});

describe('a line of sizes', () => {
  test('is drawn to the scale it is given, with gaps', () => {
    expect(sizeLine([0, 50, 100, undefined, 200], { width: 10, top: 100 })).toBe('▁▅█ █');
    expect(sizeLine([0, 0], { width: 10, top: 0 })).toBe('▁▁');
  });

  test('puts many values into few bars, the largest of each', () => {
    expect(sizeLine([0, 100, 0, 0, undefined, undefined], { width: 3, top: 100 })).toBe('█▁ ');
  });
});
