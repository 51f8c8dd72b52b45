// The two founding incidents, through the public doors.
import { describe, expect, it } from 'vitest';
import { createUllage } from '../../src/index.ts';
import { manualClock, memoryStore, scriptedSummarizer } from '../../src/testkit/index.ts';
import { prose } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';

const SUMMARY = { type: 'text', text: '## Goal\nMigrate the service.\n\n## Done\n1. Read the files and noted their values.\n' } as const;

function longHistory(): object[] {
  const messages: object[] = [{ role: 'user', content: 'Migrate the service. Never drop a table.' }];
  for (let index = 0; index < 40; index++) {
    const call = { id: `c${index}`, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: `f${index}` }) } };
    messages.push({ role: 'assistant', content: `reading ${index}`, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: `c${index}`, content: `line ${index} value ${index * 37}\n`.repeat(200) });
  }
  messages.push({ role: 'assistant', content: 'done reading' });
  return messages;
}

describe('founding incident 1: an incompressible floor, restarts (F20)', () => {
  it('buys at most two useless summaries, whatever the number of restarts, and says why and until when', async () => {
    const store = memoryStore();
    const clock = manualClock(1_000_000);
    const summarizer = scriptedSummarizer(Array.from({ length: 100 }, () => SUMMARY));
    const messages = longHistory();
    const reasons: (string | undefined)[] = [];
    for (let process = 0; process < 6; process++) {
      const ullage = createUllage({
        store,
        clock,
        summarizer,
        api: 'openai-chat',
        models: () => ({ window: 200_000, maxOutputTokens: 4_000 }),
        policy: { threshold: 50_000, target: 30_000, tailTokens: 4_000 },
      });
      const session = await ullage.session('restart');
      for (let turn = 0; turn < 3; turn++) {
        messages.push({ role: 'user', content: `go on ${messages.length}` });
        const prepared = await session.prepare({ model: 'm', messages });
        reasons.push(prepared.outcome?.reason);
        const promptTokens = Math.ceil(prepared.text.length / 4) + 52_000;
        await session.observe(prepared.id, { prompt_tokens: promptTokens, completion_tokens: 10 });
        messages.push({ role: 'assistant', content: `ok ${turn}` });
      }
      const guard = await session.guard();
      expect(guard.decision).toBe('blocked');
      expect(guard.reason).toBeDefined();
    }
    expect(summarizer.calls).toBeGreaterThanOrEqual(1);
    expect(summarizer.calls).toBeLessThanOrEqual(2);
    expect(new Set(reasons.slice(3))).toEqual(new Set(['floor_above_target']));
  });
});

describe('founding incident 2: tokens fall, messages stay (F28, F03)', () => {
  function session220(): object[] {
    const random = seededRandom(7);
    const messages: object[] = [
      { role: 'system', content: 'You mend builds.' },
      { role: 'user', content: 'Find why the nightly build fails and mend it. Never push to main.' },
    ];
    for (let index = 0; messages.length < 218; index++) {
      const call = {
        id: `c${index}`,
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify({ path: `src/f${index}.ts` }) },
      };
      messages.push({ role: 'assistant', content: `Looking at part ${index}`, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: `c${index}`, content: prose(random, 1_080) });
    }
    messages.push({ role: 'assistant', content: 'One more thing to check.' }, { role: 'user', content: 'And now?' });
    return messages;
  }

  const models = () => ({ window: 1_000_000, maxOutputTokens: 8_000 });

  it('is compacted by the token threshold with 220 messages before and after, and nothing is exhausted', async () => {
    const ullage = createUllage({ store: memoryStore(), api: 'openai-chat', models, policy: { threshold: 250_000, target: 183_000 } });
    const session = await ullage.session('incident');
    const messages = session220();
    const prepared = await session.prepare({ model: 'gpt-5.5', messages });
    const outcome = prepared.outcome!;
    expect(outcome.oldRequestTokens).toBeGreaterThan(270_000);
    expect(outcome).toMatchObject({
      status: 'compacted',
      triggerReason: 'token_threshold',
      exhausted: false,
      oldMessageCount: 220,
      newMessageCount: 220,
    });
    expect(outcome.newRequestTokens).toBeLessThan((2 / 3) * outcome.oldRequestTokens);
    expect((prepared.body as { messages: unknown[] }).messages).toHaveLength(220);
    expect(outcome.message).not.toMatch(/context length|exhaust/i);
  });

  it('as message hygiene it lowers the count, or says message_limit_unreachable, and never speaks of context length', async () => {
    const policy = { threshold: 0.95, messageLimit: 150 };
    const ullage = createUllage({ store: memoryStore(), api: 'openai-chat', models, policy });
    const session = await ullage.session('incident');
    const { outcome } = await session.prepare({ model: 'gpt-5.5', messages: session220() });
    expect(outcome).toMatchObject({ triggerReason: 'message_hygiene', exhausted: false });
    expect(outcome!.status === 'compacted' ? outcome!.newMessageCount : outcome!.reason).toSatisfy(
      (value: unknown) => value === 'message_limit_unreachable' || (value as number) < 150,
    );
    expect(outcome!.message).not.toMatch(/context length/i);
  });
});
