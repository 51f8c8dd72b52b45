// A history, a message, a summarizer of any size: only legal requests go to it, and all that was said stands in one of them (F13).
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/core/size/estimator.ts';
import { composeSummaryPrompt } from '../../src/core/summary/prompt.ts';
import type { SummarizerRequest } from '../../src/index.ts';
import { type ScriptedSummarizer, scriptedSummarizer } from '../../src/testkit/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, encodeTurn, makeTurn, prose } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { makeWorld } from '../support/world.ts';

const API = 'openai-chat';
const WINDOW = 20_000;

const sizeOf = (request: SummarizerRequest): number => {
  const { system, user } = composeSummaryPrompt(request);
  return estimateTokens(system) + estimateTokens(user) + request.maxOutputTokens;
};

function expectLegal(summarizer: ScriptedSummarizer): void {
  expect(summarizer.calls).toBeGreaterThan(0);
  for (const request of summarizer.requests) expect(sizeOf(request)).toBeLessThanOrEqual(summarizer.windowTokens ?? 32_000);
}

/** What every request added to the one before: each is given what the last one wrote. */
function expectChain(summarizer: ScriptedSummarizer): void {
  const [, ...later] = summarizer.requests;
  for (const request of later) expect(request.previousSummary).toContain('## Goal');
}

describe('a summarizer with a quarter of the window', () => {
  it('reads a history of three windows in pieces, each with the summary so far', async () => {
    const random = seededRandom(5);
    const summarizer = scriptedSummarizer({ type: 'text' }, { windowTokens: WINDOW / 4 });
    const history: object[] = [];
    let tokens = 0;
    for (let turn = 0; tokens < 3 * WINDOW; turn++) {
      const messages = encodeTurn(API, makeTurn(random, turn, { steps: 3, resultWords: 250 }));
      history.push(...messages);
      tokens += estimateTokens(JSON.stringify(messages));
    }
    const session = await makeWorld(API, { summarizer }).session();
    const { outcome } = await session.prepare(bodyOf(API, [...history, ...encodeAsk(API, 'Go on.')]));
    expect(outcome).toMatchObject({ status: 'compacted', summary: 'model', fitsWindow: true });
    expectLegal(summarizer);
    expectChain(summarizer);
    expect(summarizer.calls).toBeGreaterThan(3);
    const read = summarizer.requests.map((request) => request.text).join('\n');
    const folded = history.length - (outcome!.newMessageCount - 3);
    for (const message of history.slice(0, folded) as { role: string; content: string }[])
      if (message.role === 'user') expect(read).toContain(message.content);
  });
});

describe('one message of twice the window of the summarizer', () => {
  it.each([4_000, 8_000])('is read whole, in numbered parts (%i)', async (windowTokens) => {
    const words = Array.from({ length: windowTokens }, (_, index) => `word${index}`);
    const summarizer = scriptedSummarizer({ type: 'text' }, { windowTokens });
    const random = seededRandom(6);
    const history = [
      ...encodeAsk(API, `Read this. ${words.join(' ')}`),
      ...encodeAnswer(API, 'I have.'),
      ...Array.from({ length: 6 }, (_, turn) => [...encodeAsk(API, `Part ${turn}?`), ...encodeAnswer(API, prose(random, 300))]).flat(),
      ...encodeAsk(API, 'Go on.'),
    ];
    const session = await makeWorld(API, { summarizer, models: { window: 24_000, maxOutputTokens: 2_000 } }).session();
    const { outcome } = await session.prepare(bodyOf(API, history));
    expect(outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expectLegal(summarizer);
    const read = summarizer.requests.map((request) => request.text).join('\n');
    for (const word of words) expect(read).toContain(word);
    expect(read).toContain('[#0 user], part 2');
  });
});

describe('a window that holds nothing', () => {
  it('is a failure of its path, without a call, and the next that is large enough is asked', async () => {
    const tiny = scriptedSummarizer({ type: 'text' }, { id: 'tiny', windowTokens: 1_000 });
    const large = scriptedSummarizer({ type: 'text' }, { id: 'large', windowTokens: 100_000 });
    const random = seededRandom(5);
    const history = Array.from({ length: 8 }, (_, turn) => encodeTurn(API, makeTurn(random, turn, { steps: 3, resultWords: 250 }))).flat();
    const session = await makeWorld(API, { summarizer: [tiny, large] }).session();
    const { outcome } = await session.prepare(bodyOf(API, [...history, ...encodeAsk(API, 'Go on.')]));
    expect(outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect([tiny.calls, large.calls]).toEqual([0, 1]);
  });
});

describe('the shares of a summary', () => {
  it('are about half prose and half facts, and the facts fill what a short prose leaves', async () => {
    const random = seededRandom(8);
    const lines = Array.from({ length: 90 }, (_, index) => `${index + 1}. Worked on ${prose(random, 12)}`);
    const history = Array.from({ length: 14 }, (_, turn) => encodeTurn(API, makeTurn(random, turn, { steps: 3, resultWords: 250 }))).flat();
    const body = bodyOf(API, [...history, ...encodeAsk(API, 'Go on.')]);
    const shares: number[] = [];
    for (const done of [lines, lines.slice(0, 4)]) {
      const summarizer = scriptedSummarizer({ type: 'text', text: `## Goal\nMend it.\n## Done\n${done.join('\n')}` });
      const models = { window: 60_000, maxOutputTokens: 4_000 };
      const session = await makeWorld(API, {
        summarizer,
        models,
        policy: { tailTokens: 3_000, threshold: 20_000, target: 9_000 },
      }).session();
      const { outcome, text } = await session.prepare(body);
      expect(outcome).toMatchObject({ status: 'compacted', summary: 'model' });
      const frame = /<ullage-summary>.*<\/ullage-summary>/s.exec(text)![0];
      const [proseText, facts] = frame.split('Excerpts (');
      shares.push(estimateTokens(facts!) / estimateTokens(frame));
      expect(proseText).toContain('Mend it.');
      expect(outcome!.newRequestTokens).toBeGreaterThan(0.95 * outcome!.targetTokens);
      expect(outcome!.newRequestTokens).toBeLessThanOrEqual(1.05 * outcome!.targetTokens);
    }
    expect(shares[0]).toBeGreaterThan(0.35);
    expect(shares[0]).toBeLessThan(0.6);
    expect(shares[1]).toBeGreaterThan(0.75);
  });
});
