// Any model of the AI SDK as a summarizer, with the SDK's own mock model.
import { APICallError } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { classifySummarizerFailure } from '../../core/summary/failure.ts';
import { aiSdkSummarizer } from './index.ts';

const TEXT = '## Goal\nShip it.\n## Done\n1. Read it.';
const usage = {
  inputTokens: { total: 900, noCache: 900, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

function modelOf(text: string, finish = 'stop', modelId?: string) {
  const chunks = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: text },
    { type: 'text-end', id: '1' },
    { type: 'finish', finishReason: { unified: finish, raw: finish }, usage },
  ];
  return new MockLanguageModelV3({
    ...(modelId === undefined ? {} : { modelId }),
    doStream: async () => ({ stream: simulateReadableStream({ chunks: chunks as never[], chunkDelayInMs: null, initialDelayInMs: null }) }),
  });
}

const request = { text: 'TRANSCRIPT', instructions: 'WRITE', maxOutputTokens: 800, signal: new AbortController().signal };

describe('aiSdkSummarizer', () => {
  it('streams, passes the cap, and gives text, finish reason and usage', async () => {
    const model = modelOf(TEXT);
    const summarizer = aiSdkSummarizer(model, { id: 'sdk' });
    expect(await summarizer(request)).toMatchObject({ text: TEXT, finishReason: 'stop', usage: { inputTokens: 900, outputTokens: 20 } });
    expect(summarizer.id).toBe('sdk');
    const [call] = model.doStreamCalls;
    expect(call!.maxOutputTokens).toBe(1_000);
    expect(call!.tools ?? []).toEqual([]);
    expect(JSON.stringify(call!.prompt)).toMatch(/WRITE.*TRANSCRIPT/s);
  });

  it('F12: leaves a reasoning model room to think, and asks no model for more than it can write', async () => {
    const reasoning = modelOf(TEXT, 'stop', 'gpt-5-mini');
    await aiSdkSummarizer(reasoning)(request);
    expect(reasoning.doStreamCalls[0]!.maxOutputTokens).toBe(1_000 + 4_096);
    const small = modelOf(TEXT, 'stop', 'gpt-4-turbo');
    const summarizer = aiSdkSummarizer(small);
    await summarizer({ ...request, maxOutputTokens: 60_000 });
    expect(small.doStreamCalls[0]!.maxOutputTokens).toBe(4_096);
    expect(summarizer.maxOutputTokens).toBe(3_276);
  });

  it.each([
    ['length', 'length'],
    ['content-filter', 'refusal'],
    ['tool-calls', 'tool_calls'],
  ])('tells %s as %s', async (finish, word) => {
    expect((await aiSdkSummarizer(modelOf(TEXT, finish))(request)).finishReason).toBe(word);
  });

  it('throws what the provider said, after one call', async () => {
    const model = new MockLanguageModelV3({
      doStream: async () => {
        throw new APICallError({ message: 'slow down', url: 'https://x', requestBodyValues: {}, statusCode: 429 });
      },
    });
    const error = await aiSdkSummarizer(model)(request).catch((reason: unknown) => reason);
    expect(classifySummarizerFailure(error)).toBe('rate');
    expect(model.doStreamCalls).toHaveLength(1);
  });

  it('says what to install when the SDK is not there', async () => {
    vi.resetModules();
    vi.doMock('ai', () => {
      throw new Error('Cannot find package ai');
    });
    const { aiSdkSummarizer: alone } = await import('./ai-sdk.ts');
    const error = await alone('openai/gpt-5-mini')(request).catch((reason: unknown) => reason);
    vi.doUnmock('ai');
    expect(error).toMatchObject({ code: 'option_invalid', message: expect.stringContaining('npm install ai') });
  });
});
