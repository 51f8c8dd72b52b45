// The chain of summarizers: what fails is named and cools, the next one is asked, and without any the facts are the summary (F11, F21).
import { describe, expect, it } from 'vitest';
import { type SummarizerStep, scriptedSummarizer } from '../../src/testkit/index.ts';
import { exchange, grown, makeWorld, settled, type World } from '../support/world.ts';

const API = 'openai-chat';

async function coolingOf(world: World) {
  const row = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
  return (await world.store.loadConversation({ tenant: 'local', conversationId: row.currentConversationId! })).guard.paths;
}

describe('names', () => {
  it.each([['same', 'same'], ['none'], ['facts'], [undefined, 'summarizer:0']])('%s, %s are refused: cooling is kept by name', (...ids) => {
    const summarizer = ids.map((id) => scriptedSummarizer({ type: 'text' }, { id }));
    expect(() => makeWorld(API).ullage({ summarizer })).toThrow(expect.objectContaining({ code: 'option_invalid' }));
  });
});

describe('one summarizer', () => {
  it('writes half of the summary, the facts the other half', async () => {
    const summarizer = scriptedSummarizer({
      type: 'text',
      text: '## Goal\nZEBRA-GOAL\n\n## Done\n1. ZEBRA-DONE\n',
      usage: { input_tokens: 7 },
    });
    const session = await makeWorld(API, { summarizer }).session();
    const prepared = await session.prepare(grown(API, 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model', summarizerUsage: { input_tokens: 7 } });
    for (const wanted of ['ZEBRA-GOAL', 'ZEBRA-DONE', 'Ask 0: mend', 'Never push to main.', 'src/part-'])
      expect(prepared.text).toContain(wanted);
    expect(prepared.outcome!.newRequestTokens).toBeLessThanOrEqual(prepared.outcome!.targetTokens);
  });

  it('is given the previous summary and what is new, not everything again', async () => {
    const summarizer = scriptedSummarizer({ type: 'text', text: '## Goal\nZEBRA-GOAL\n\n## Done\n1. ZEBRA-DONE\n' });
    const session = await makeWorld(API, { summarizer }).session();
    const conversation = grown(API, 4);
    let compactions = 0;
    while (compactions < 2) {
      conversation.grow({ steps: 3, resultWords: 250 });
      if ((await exchange(session, API, conversation.ask())).outcome?.status === 'compacted') compactions++;
    }
    const [first, second] = summarizer.requests;
    expect(first!.previousSummary).toBeUndefined();
    expect(second!.previousSummary).toContain('ZEBRA-GOAL');
    expect(second!.previousSummary).not.toContain('<ullage-summary>');
    expect(first!.text).toContain('Ask 0: mend');
    expect(second!.text).not.toContain('Ask 0: mend');
  });

  const bad: readonly (readonly [string, SummarizerStep])[] = [
    ['throws', { type: 'throw', error: new Error('boom') }],
    ['answers 429', { type: 'status', status: 429 }],
    ['answers 401', { type: 'status', status: 401 }],
    ['answers nothing', { type: 'empty' }],
    ['answers white space', { type: 'whitespace' }],
    ['only thinks', { type: 'thinking-only' }],
    ['is cut off', { type: 'truncated' }],
    ['calls a tool', { type: 'tool-call' }],
    ['refuses', { type: 'refusal' }],
    ['repeats its input', { type: 'echo' }],
    ['writes more than it read', { type: 'larger' }],
    ['leaks a key', { type: 'secret' }],
  ];

  it.each(bad)('that %s costs nothing but its cooling: the facts are committed', async (_, step) => {
    const world = makeWorld(API, { summarizer: scriptedSummarizer(step, { id: 'bad' }) });
    const prepared = await (await world.session()).prepare(grown(API, 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts', exhausted: false });
    expect(await coolingOf(world)).toMatchObject({ bad: { failures: 1, periodMs: 60_000 } });
    expect(world.logged.join('\n')).toContain('Summarizer bad failed');
  });

  it('that does not heed its signal is not asked for the next piece after the deadline', async () => {
    let calls = 0;
    let answer: () => void = () => {};
    const deaf = async () => {
      calls += 1;
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { text: '## Goal\nx\n## Done\n1. y', finishReason: 'stop' };
    };
    const world = makeWorld(API, { summarizer: Object.assign(deaf, { windowTokens: 2_400 }) });
    const preparing = (await world.session()).prepare(grown(API, 5).ask());
    await settled();
    await world.clock.advance(20_000);
    expect((await preparing).outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    answer();
    await settled();
    expect(calls).toBe(1);
  });

  it('that writes on its caller’s account does not cool when the caller has left, nor when there is none', async () => {
    let isThere = true;
    const leaving = scriptedSummarizer({ type: 'throw', error: new Error('gone') }, { id: 'same' });
    const summarizer = Object.assign(
      (request: Parameters<typeof leaving>[0]) => {
        isThere = false;
        return leaving(request);
      },
      { id: 'same', hasCaller: () => isThere },
    );
    const world = makeWorld(API, { summarizer });
    const session = await world.session();
    const conversation = grown(API, 5);
    expect((await session.prepare(conversation.ask())).outcome).toMatchObject({ status: 'compacted', summary: 'facts' });
    expect(await coolingOf(world)).toEqual({});
    conversation.grow({ steps: 3, resultWords: 250 });
    await session.prepare(conversation.ask());
    await session.compact();
    expect(leaving.calls).toBe(1);
    expect(await coolingOf(world)).toEqual({});
  });

  it('that was paid for a summary which came too late is told in the outcome', async () => {
    const usage = { input_tokens: 7, output_tokens: 3 };
    let undo: () => Promise<unknown> = async () => {};
    const scripted = scriptedSummarizer({ type: 'text', usage }, { id: 'a' });
    const summarizer = async (request: Parameters<typeof scripted>[0]) => {
      await undo();
      return scripted(request);
    };
    const world = makeWorld(API, { summarizer });
    const session = await world.session();
    const conversation = grown(API, 5);
    await exchange(session, API, conversation.ask());
    while ((await session.prepare(conversation.ask())).outcome === undefined) {
      conversation.grow({ steps: 3, resultWords: 250 });
      const other = await world.session();
      undo = () => other.undo();
    }
    const outcomes = await session.outcomes();
    expect(outcomes).toContainEqual(expect.objectContaining({ reason: 'base_changed', summarizerUsage: usage }));
  });

  it('that hangs is left alone after its deadline; its late answer changes nothing', async () => {
    const world = makeWorld(API, { summarizer: scriptedSummarizer({ type: 'hang' }, { id: 'slow' }) });
    const preparing = (await world.session()).prepare(grown(API, 5).ask());
    await settled();
    await world.clock.advance(19_999);
    expect((await (await world.session()).guard()).state).toBe('compacting');
    await world.clock.advance(1);
    const prepared = await preparing;
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'facts', durationMs: 20_000 });
    expect(await coolingOf(world)).toMatchObject({ slow: { failures: 1, reason: 'timeout', deadlineMs: 20_000 } });
    expect(world.clock.pendingWaits).toBe(0);
  });

  it('is not asked where nothing would be folded, or too little gained', async () => {
    const summarizer = scriptedSummarizer();
    const session = await makeWorld(API, { summarizer, policy: { tailTokens: 2_000, target: 0.7, pruneShare: 0.5 } }).session();
    const prepared = await session.prepare(grown(API, 5).ask());
    expect(prepared.outcome!.stages.map((stage) => stage.kind)).toEqual(['prune']);
    expect(summarizer.calls).toBe(0);
  });
});

describe('a chain', () => {
  it('goes on to the next, which is not blamed for the first', async () => {
    const first = scriptedSummarizer({ type: 'status', status: 529 }, { id: 'first' });
    const second = scriptedSummarizer({ type: 'text' }, { id: 'second' });
    const world = makeWorld(API, { summarizer: [first, second] });
    const prepared = await (await world.session()).prepare(grown(API, 5).ask());
    expect(prepared.outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect([first.calls, second.calls]).toEqual([1, 1]);
    expect(Object.keys(await coolingOf(world))).toEqual(['first']);
  });

  it('skips what cools, across restarts, longer after each failure, and forgives a success', async () => {
    const world = makeWorld(API, { guard: { coolMs: [60_000, 300_000, 900_000] } });
    const good = scriptedSummarizer({ type: 'text' }, { id: 'a' });
    const bad = scriptedSummarizer({ type: 'status', status: 500 }, { id: 'a' });
    const conversation = grown(API, 5);
    const compactWith = async (summarizer: typeof good) => {
      for (;;) {
        const prepared = await exchange(await world.session('k', { summarizer }), API, conversation.ask());
        if (prepared.outcome?.status === 'compacted') return prepared.outcome.summary;
        conversation.grow({ steps: 3, resultWords: 250 });
      }
    };
    expect(await compactWith(bad)).toBe('facts');
    expect(await compactWith(good)).toBe('facts');
    expect(good.calls).toBe(0);
    await world.clock.advance(60_000);
    expect(await compactWith(bad)).toBe('facts');
    expect(await coolingOf(world)).toMatchObject({ a: { failures: 2, periodMs: 300_000 } });
    await world.clock.advance(60_000);
    expect(await compactWith(good)).toBe('facts');
    await world.clock.advance(300_000);
    expect(await compactWith(good)).toBe('model');
    expect(await coolingOf(world)).toEqual({});
  });

  it('a cooldown learnt under a short deadline does not bind a longer one', async () => {
    const world = makeWorld();
    const conversation = grown(API, 5);
    const hang = scriptedSummarizer({ type: 'hang' }, { id: 'a' });
    const preparing = (await world.session('k', { summarizer: hang, summaryDeadlineMs: 1_000 })).prepare(conversation.ask());
    await settled();
    await world.clock.advance(1_000);
    expect((await preparing).outcome?.summary).toBe('facts');
    const good = scriptedSummarizer({ type: 'text' }, { id: 'a' });
    const same = await (await world.session('k', { summarizer: good, summaryDeadlineMs: 1_000 })).compact({ dryRun: true });
    expect(same.status).toBe('compacted');
    for (const [summaryDeadlineMs, summary] of [
      [1_000, 'facts'],
      [20_000, 'model'],
    ] as const) {
      const session = await world.session('k', { summarizer: good, summaryDeadlineMs });
      let outcome = (await exchange(session, API, conversation.ask())).outcome;
      while (outcome?.status !== 'compacted') {
        conversation.grow({ steps: 3, resultWords: 250 });
        outcome = (await exchange(session, API, conversation.ask())).outcome;
      }
      expect(outcome.summary).toBe(summary);
    }
  });

  it('by hand every path is tried again, whatever cools (A4)', async () => {
    const world = makeWorld();
    const bad = scriptedSummarizer({ type: 'status', status: 500 }, { id: 'a' });
    await (await world.session('k', { summarizer: bad })).prepare(grown(API, 5).ask());
    const good = scriptedSummarizer({ type: 'text' }, { id: 'a' });
    expect(await (await world.session('k', { summarizer: good })).compact({ targetTokens: 4_000 })).toMatchObject({ summary: 'model' });
  });
});
