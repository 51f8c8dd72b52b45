// The bench on made-up sessions in three languages: realistic data that is always there.
import { describe, expect, test } from 'vitest';
import { languageTranscripts } from '../../bench/quality/languages/transcripts.ts';
import { largeRequest } from '../../bench/quality/large-request.ts';
import { sqliteStore } from '../../src/adapters/sqlite/index.ts';
import { planReplay, replayWithEngine } from '../../src/apps/cli/bench/measures/replay.ts';
import { budgetAt, contextText, examsOf, inputAt, measureAt } from '../../src/apps/cli/bench/measures/retention.ts';
import { planRounds, playRounds } from '../../src/apps/cli/bench/measures/rounds.ts';
import { replayWithStrategy } from '../../src/apps/cli/bench/measures/strategy-replay.ts';
import { checkCompacted, checkOtherApis, checkRepeats } from '../../src/apps/cli/bench/measures/validity.ts';
import { retentionRows } from '../../src/apps/cli/bench/report/summary.ts';
import { BASELINES } from '../../src/apps/cli/bench/strategies/baselines.ts';
import type { Strategy } from '../../src/apps/cli/bench/strategies/strategy.ts';
import { ullageStrategy } from '../../src/apps/cli/bench/strategies/ullage.ts';
import { runSuite } from '../../src/apps/cli/bench/suite.ts';
import { loadFile } from '../../src/apps/cli/bench/transcript/load-file.ts';
import { deriveBudget } from '../../src/core/size/budget.ts';
import { createUllage } from '../../src/index.ts';
import { messageTexts } from '../../src/wire/index.ts';

const loaded = languageTranscripts().map((source) => loadFile(source));
const ullage = ullageStrategy({ name: 'Ullage', canOpenHandles: false });
const withHandles = ullageStrategy({ name: 'Ullage + handles', canOpenHandles: true });

describe('made-up sessions', () => {
  test('are valid, about 15,000 tokens, the same each time, and in three formats', () => {
    expect(languageTranscripts()).toEqual(languageTranscripts());
    expect(loaded.map(({ whole }) => whole.api)).toEqual(['openai-chat', 'anthropic', 'openai-responses']);
    for (const { whole, transcript } of loaded) {
      expect(transcript.codec.validate(whole.bodyText)).toEqual([]);
      const tokens = transcript.entries.reduce((sum, entry) => sum + entry.tokens, 0);
      expect(tokens).toBeGreaterThan(12_000);
      expect(tokens).toBeLessThan(18_000);
    }
  });

  test('hold enough that is needed again, in every language', () => {
    for (const { transcript } of loaded) {
      const { exams } = examsOf(transcript);
      expect(exams).toHaveLength(4);
      for (const { cut } of exams) {
        expect(cut.facts.filter(({ isCold }) => isCold).length).toBeGreaterThan(5);
        expect(cut.constraints.length).toBeGreaterThan(1);
      }
    }
  });

  test('a large request is as large as it was asked for', () => {
    const raws = largeRequest(200_000);
    expect(raws.reduce((sum, raw) => sum + Buffer.byteLength(raw), 0)).toBeGreaterThanOrEqual(200_000);
  });
});

describe.each([ullage, withHandles, ...BASELINES].map((strategy) => [strategy.name, strategy] as const))('%s', (_, strategy) => {
  test.each([0.1, 0.25, 0.5])('stays within its budget, keeps what was asked first, is valid: %s', async (share) => {
    for (const { transcript } of loaded) {
      const firstAsk = transcript.events.find(({ kind }) => kind === 'user')!.text;
      for (const exam of examsOf(transcript).exams) {
        const { graded, compacted } = await measureAt(exam, strategy, share);
        expect(graded.isOverBudget).toBe(false);
        expect(graded.deadHandles).toBe(0);
        expect(checkCompacted(exam, compacted).added).toEqual([]);
        expect(contextText(transcript.codec, [], compacted.messages).includes(firstAsk)).toBe(true);
      }
    }
  });
});

describe('validity and repeats', () => {
  const exam = examsOf(loaded[0]!.transcript).exams[1]!;

  test('Ullage is valid in the formats of the other APIs, and changes nothing the second time', async () => {
    for (const { added } of await checkOtherApis(exam, ullage, 0.25)) expect(added).toEqual([]);
    const compacted = await ullage.compact(inputAt(exam, budgetAt(exam, 0.25)));
    expect(await checkRepeats(exam, ullage, { compacted, share: 0.25 })).toEqual({ isSame: true, isStable: true });
  });

  test('a strategy that tears calls from their results is found out', async () => {
    const torn: Strategy = {
      name: 'every second message',
      compact: ({ entries }) => ({ messages: entries.filter((_, index) => index % 2 === 0).map(({ message }) => message.raw) }),
    };
    const { compacted } = await measureAt(exam, torn, 0.25);
    expect(checkCompacted(exam, compacted).added.length).toBeGreaterThan(0);
  });

  test('a strategy that forgets a little more each time is found out', async () => {
    const fading: Strategy = {
      name: 'fading',
      compact: ({ entries }) => ({ messages: entries.slice(1).map(({ message }) => message.raw) }),
    };
    const compacted = await fading.compact(inputAt(exam, budgetAt(exam, 0.25)));
    expect(await checkRepeats(exam, fading, { compacted, share: 0.25 })).toEqual({ isSame: true, isStable: false });
  });

  test('a context over its budget is told as such', async () => {
    const everything: Strategy = {
      name: 'everything',
      compact: ({ entries }) => ({ messages: entries.map(({ message }) => message.raw) }),
    };
    const { graded } = await measureAt(exam, everything, 0.25);
    expect(graded.isOverBudget).toBe(true);
    expect(graded.grades.all.kept).toBe(graded.grades.all.asked);
  });
});

describe('the strategy called Ullage', () => {
  test('gives the bytes that the engine gives', async () => {
    for (const { transcript, whole } of loaded) {
      const targetTokens = Math.floor((transcript.preambleTokens + transcript.entries.reduce((sum, entry) => sum + entry.tokens, 0)) / 4);
      const budgetTokens = targetTokens - transcript.preambleTokens;
      const made = await ullage.compact({ codec: transcript.codec, entries: transcript.entries, budgetTokens });
      expect(await throughTheEngine(whole.bodyText, { api: whole.api, targetTokens, budgetTokens })).toEqual(made.messages);
    }
  });
});

async function throughTheEngine(
  bodyText: string,
  asked: { readonly api: 'anthropic' | 'openai-chat' | 'openai-responses'; readonly targetTokens: number; readonly budgetTokens: number },
): Promise<readonly string[]> {
  const facts = { windowTokens: Math.round(asked.budgetTokens / 0.352), preambleTokens: 0, unexplainedTokens: 0 };
  const { tail } = deriveBudget({ reserveTokens: 0 }, { ...facts, pinTokens: 0, firstAskTokens: 0, contextTokens: 0, contributors: [] });
  const engine = createUllage({
    store: sqliteStore(':memory:'),
    api: asked.api,
    models: { window: 1_000_000 },
    policy: { threshold: 1, target: asked.targetTokens, tailTokens: tail },
  });
  const session = await engine.session('test');
  await session.prepare(bodyText);
  await session.compact({ targetTokens: asked.targetTokens });
  const { text } = await session.prepare(bodyText);
  await engine.close();
  const { codec } = loaded.find(({ whole }) => whole.api === asked.api)!.transcript;
  const body = codec.decodeBody(text);
  return messageTexts(body).slice(body.preambleCount);
}

describe('other strategies beside them', () => {
  test('one that cannot aim is graded at the size it makes, and as if it could', async () => {
    const everything: Strategy = {
      name: 'everything',
      compact: ({ entries }) => ({ messages: entries.map(({ message }) => message.raw) }),
    };
    const others = [everything, { ...everything, name: 'unaimed', isUnaimed: true }];
    const files = await runSuite(loaded.slice(0, 1), { budgets: [0.25], others, windowTokens: 60_000 });
    const rows = new Map(retentionRows(files, [0.25]).map((row) => [row.strategy, row]));
    expect(rows.get('everything')).toMatchObject({ overBudget: 4, metrics: { cold: { mean: 0 }, o2: { mean: 0 } } });
    expect(rows.get('everything')?.zeroed).toBeUndefined();
    expect(rows.get('unaimed')).toMatchObject({ overBudget: 4, metrics: { cold: { mean: 1 } }, zeroed: { cold: 0, o2: 0 } });
    expect(rows.get('unaimed')?.size).toBeCloseTo(1);
  });
});

describe('five rounds', () => {
  test('the context never grows over its budget; what the user and the agent said survives the first rounds', async () => {
    for (const { transcript } of loaded) {
      const plan = planRounds(transcript)!;
      const rounds = await playRounds(plan, ullage);
      expect(rounds).toHaveLength(5);
      for (const { filled } of rounds) expect(filled).toBeLessThanOrEqual(1);
      expect(rounds[0]?.types).toMatchObject({ constraint: 1, argument: 1, decision: 1 });
    }
  });

  test('a strategy that keeps nothing loses every canary; one that keeps all loses none', async () => {
    const plan = planRounds(loaded[0]!.transcript)!;
    const nothing = await playRounds(plan, { name: 'nothing', compact: () => ({ messages: [] }) });
    expect(nothing.map(({ survival, stale }) => [survival, stale])).toEqual(Array(5).fill([0, 0]));
    const all = await playRounds(plan, {
      name: 'all',
      compact: ({ entries }) => ({ messages: entries.map(({ message }) => message.raw) }),
    });
    expect(all.map(({ survival, stale }) => [survival, stale])).toEqual(Array(5).fill([1, 0]));
    expect(all.at(-1)?.filled).toBeGreaterThan(1);
  });
});

describe('cost replay', () => {
  test('Ullage through engine and store, and the same strategy by itself, send the same, and less than never compacting', async () => {
    for (const { name, whole } of loaded) {
      const plan = planReplay(name, whole, 10_000);
      const engine = (await replayWithEngine(plan, 0.6))!;
      const alone = await replayWithStrategy(plan, ullage, engine);
      expect(engine).toMatchObject({ requests: plan.history.requests.length, overWindow: 0 });
      expect(engine.compactions).toBeGreaterThan(0);
      expect(engine.stored.messages).toBeGreaterThan(50);
      expect(engine.stored.same).toBe(engine.stored.messages);
      expect(engine.never).toEqual(alone.never);
      expect(alone.sent.tokens / engine.sent.tokens).toBeCloseTo(1, 1);
      expect(engine.sent.tokens).toBeLessThan(engine.never.tokens);
    }
  });

  test('a transcript that never comes near the threshold has no replay', async () => {
    expect(await replayWithEngine(planReplay('x', loaded[0]!.whole, 1_000_000), 0.6)).toBeUndefined();
  });

  test('what is sent unchanged is cached, what is rewritten in front is not', async () => {
    const plan = planReplay('x', loaded[0]!.whole, 10_000);
    const marks = { threshold: 5_000, target: 2_000 };
    const rewriting: Strategy = {
      name: 'rewriting',
      compact: ({ entries }) => ({ messages: entries.map(({ message }) => `${message.raw} `) }),
    };
    const idle: Strategy = { name: 'idle', compact: ({ entries }) => ({ messages: entries.map(({ message }) => message.raw) }) };
    const [rewritten, kept] = [await replayWithStrategy(plan, rewriting, marks), await replayWithStrategy(plan, idle, marks)];
    expect(kept.sent).toEqual(kept.never);
    expect(rewritten.sent.tokens).toBe(kept.sent.tokens);
    expect(rewritten.sent.cachedTokens).toBeLessThan(kept.sent.cachedTokens / 2);
  });
});
