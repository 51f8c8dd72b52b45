import { describe, expect, it } from 'vitest';
import { scriptedSummarizer } from './scripted-summarizer.ts';

const request = (signal = new AbortController().signal) => ({ text: 'INPUT', instructions: 'do', maxOutputTokens: 100, signal });

describe('scriptedSummarizer', () => {
  it('plays its steps in order, repeats the last, and remembers the requests', async () => {
    const summarizer = scriptedSummarizer([{ type: 'text', text: 'one' }, { type: 'echo' }], { id: 'main', windowTokens: 8_000 });
    expect((await summarizer(request())).text).toBe('one');
    expect((await summarizer(request())).text).toBe('INPUT');
    expect((await summarizer(request())).text).toBe('INPUT');
    expect(summarizer.calls).toBe(3);
    expect(summarizer.requests[0]!.text).toBe('INPUT');
    expect([summarizer.id, summarizer.windowTokens]).toEqual(['main', 8_000]);
  });

  it('throws what it is told to throw', async () => {
    await expect(scriptedSummarizer({ type: 'status', status: 429 })(request())).rejects.toMatchObject({ status: 429 });
    await expect(scriptedSummarizer({ type: 'throw', error: new TypeError('x') })(request())).rejects.toThrow(TypeError);
  });

  it('hangs until it is aborted, and counts that', async () => {
    const controller = new AbortController();
    const summarizer = scriptedSummarizer({ type: 'hang' });
    const answer = summarizer(request(controller.signal));
    controller.abort(new Error('deadline'));
    await expect(answer).rejects.toThrow('deadline');
    expect(summarizer.aborted).toBe(1);
  });
});
