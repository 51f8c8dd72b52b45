// The laws as properties over random histories, in all three formats: accounting, byte-stable prefix, whole steps, budgets, validity.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { createUllage, type Prepared, type Session } from '../../src/index.ts';
import { manualClock, memoryStore } from '../../src/testkit/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { makeConversation, messagesOf } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const SEEDS = [1, 2, 3, 4, 5, 6];

interface Step {
  readonly prepared: Prepared;
  readonly sent: readonly string[];
}

/** Plays a conversation of many turns at a small window, with a new process (new session object) now and then. */
async function play(api: Api, seed: number): Promise<{ steps: Step[]; session: Session }> {
  const random = seededRandom(seed * 77);
  const store = memoryStore();
  const clock = manualClock(0);
  const open = () =>
    createUllage({ store, clock, api, models: { window: 24_000, maxOutputTokens: 2_000 }, policy: { tailTokens: 3_000 } }).session('laws');
  const conversation = makeConversation(api, seed);
  let session = await open();
  const steps: Step[] = [];
  for (let turn = 0; turn < 25; turn++) {
    conversation.grow({ steps: random.int(1, 4), resultWords: random.int(10, 300) });
    if (random.next() < 0.3) session = await open();
    const prepared = await session.prepare(conversation.ask());
    const promptTokens = Math.round(prepared.context.tokens * 1.05);
    const usage =
      api === 'openai-chat' ? { prompt_tokens: promptTokens, completion_tokens: 5 } : { input_tokens: promptTokens, output_tokens: 5 };
    if (random.next() < 0.8) await session.observe(prepared.id, usage);
    await clock.advance(20_000);
    steps.push({ prepared, sent: messagesOf(prepared.body).map((message) => JSON.stringify(message)) });
  }
  return { steps, session };
}

describe.each(APIS)('laws in %s', (api) => {
  it.each(SEEDS)('seed %i: every request is valid, within the window, and steps are whole', async (seed) => {
    const { steps } = await play(api, seed);
    expect(steps.some(({ prepared }) => prepared.outcome?.status === 'compacted')).toBe(true);
    for (const { prepared } of steps) {
      expect(codecFor(api).validate(prepared.text)).toEqual([]);
      expect(prepared.context.tokens).toBeLessThanOrEqual(prepared.budget.usable);
      if (prepared.outcome?.status === 'compacted')
        expect(prepared.outcome.newRequestTokens).toBeLessThanOrEqual(prepared.budget.threshold);
    }
  });

  it.each(SEEDS)('seed %i: Law 7, the prefix is byte-stable between compactions, across restarts (F33)', async (seed) => {
    const { steps } = await play(api, seed);
    for (let index = 1; index < steps.length; index++) {
      if (steps[index]!.prepared.outcome?.status === 'compacted') continue;
      const before = steps[index - 1]!.sent;
      expect(steps[index]!.sent.slice(0, before.length)).toEqual(before);
    }
  });

  it.each(SEEDS)('seed %i: nothing said is lost: every entry comes back byte for byte from the store (Law 2)', async (seed) => {
    const { session } = await play(api, seed);
    const conversation = makeConversation(api, seed);
    const random = seededRandom(seed * 77);
    for (let turn = 0; turn < 25; turn++) {
      conversation.grow({ steps: random.int(1, 4), resultWords: random.int(10, 300) });
      random.next();
      conversation.ask();
      random.next();
    }
    const exported = messagesOf(JSON.parse(await session.export()));
    expect(exported).toEqual(conversation.messages.slice(0, -1));
  });
});
