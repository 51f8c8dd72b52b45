// Events and the log: every attempt that began is seen to end, what is told was stored, and a listener can break nothing (F35).
import { describe, expect, it } from 'vitest';
import type { UllageEvents } from '../../src/index.ts';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { grown, makeWorld, settled, usageOf, type World } from '../support/world.ts';

const API = 'openai-chat';
const NAMES = ['compaction-started', 'compaction-committed', 'compaction-failed', 'compaction-blocked'] as const;

function listen(ullage: ReturnType<World['ullage']>) {
  const events: [string, string | undefined, string | undefined][] = [];
  for (const name of NAMES) {
    ullage.on(name, (event: UllageEvents[typeof name]) => {
      events.push('status' in event ? [name, event.attemptId, event.reason] : [name, event.attemptId, undefined]);
    });
  }
  return events;
}

describe('events', () => {
  it('tell of the beginning and the commit of a compaction, with its outcome', async () => {
    const world = makeWorld();
    const ullage = world.ullage();
    const events = listen(ullage);
    const session = await ullage.session('k');
    const prepared = await session.prepare(grown(API, 5).ask());
    const { attemptId } = prepared.outcome!;
    expect(events).toEqual([
      ['compaction-started', attemptId, undefined],
      ['compaction-committed', attemptId, undefined],
    ]);
    expect((await session.outcomes())[0]).toEqual(JSON.parse(JSON.stringify(prepared.outcome)));
    expect(world.logged.filter((line) => line.startsWith('Compacted: '))).toHaveLength(1);
  });

  it('tell of a block once, not at every request, and again when it changes', async () => {
    const world = makeWorld();
    const ullage = world.ullage();
    const events = listen(ullage);
    const session = await ullage.session('k');
    const conversation = grown(API, 5);
    await session.prepare(conversation.ask());
    await session.undo();
    events.length = 0;
    for (let request = 0; request < 3; request++) expect((await session.prepare(conversation.ask())).outcome?.status).toBe('blocked');
    expect(events.map(([name, , reason]) => [name, reason])).toEqual([['compaction-blocked', 'guard_undone']]);
    expect((await session.outcomes()).filter((outcome) => outcome.status === 'blocked')).toHaveLength(1);
    await world.clock.advance(3_600_000);
    expect((await session.prepare(conversation.ask())).outcome?.status).toBe('compacted');
    await session.undo();
    await session.prepare(conversation.ask());
    expect(events.map(([name]) => name)).toEqual([
      'compaction-blocked',
      'compaction-started',
      'compaction-committed',
      'compaction-blocked',
    ]);
  });

  it('tell of an attempt that ended after its caller had gone', async () => {
    const world = makeWorld(API, { summarizer: scriptedSummarizer({ type: 'hang' }) });
    const ullage = world.ullage();
    const events = listen(ullage);
    const session = await ullage.session('k');
    const stop = new AbortController();
    const preparing = session.prepare(grown(API, 5).ask(), { signal: stop.signal });
    await settled();
    stop.abort();
    expect((await preparing).outcome).toMatchObject({ status: 'deferred', reason: 'cancelled' });
    await world.clock.advance(20_000);
    await settled();
    expect(events.map(([name]) => name)).toEqual(['compaction-started', 'compaction-failed', 'compaction-committed']);
    expect(events[2]![1]).toBe(events[0]![1]);
  });

  it('tell of an attempt that lost its base', async () => {
    const world = makeWorld(API, { summarizer: scriptedSummarizer({ type: 'hang' }) });
    const ullage = world.ullage();
    const session = await ullage.session('k');
    const conversation = grown(API, 5);
    const first = await (await world.session('k', { summarizer: undefined })).prepare(conversation.ask());
    await session.observe(first.id, usageOf(API, first.context.tokens));
    const events = listen(ullage);
    for (let turn = 0; turn < 4; turn++) conversation.grow({ steps: 3, resultWords: 250 });
    const preparing = session.prepare(conversation.ask());
    await settled();
    await (await world.session()).undo();
    for (let wait = 0; wait < 2; wait++) {
      await world.clock.advance(20_000);
      await settled();
    }
    await preparing;
    expect(events.slice(0, 2).map(([name, , reason]) => [name, reason])).toEqual([
      ['compaction-started', undefined],
      ['compaction-failed', 'base_changed'],
    ]);
    expect(events[0]![1]).toBe(events[1]![1]);
  });

  it('tell of no commit where a plan holds for one request alone, or was only made', async () => {
    const world = makeWorld();
    await (await world.session('k', { models: { window: 1_000_000 } })).prepare(grown(API, 8).ask());
    const ullage = world.ullage();
    const events = listen(ullage);
    const session = await ullage.session('k');
    const body = grown(API, 8).ask();
    (body.messages as object[]).splice(-1, 1, { role: 'user', content: 'Edited.' });
    const { outcome } = await session.prepare(body);
    expect(outcome).toMatchObject({ status: 'compacted', message: expect.stringMatching(/^Compacted for this request alone: /) });
    expect(outcome!.viewId).toBeUndefined();
    const planned = await session.compact({ dryRun: true });
    expect(planned.message).toMatch(/^Planned: /);
    expect(planned.viewId).toBeUndefined();
    expect(events).toEqual([]);
  });

  it('end when they are told to, and a listener that throws stops nobody', async () => {
    const world = makeWorld();
    const ullage = world.ullage();
    let heard = 0;
    ullage.on('compaction-started', () => {
      throw new Error('deaf');
    });
    const stop = ullage.on('compaction-committed', () => heard++);
    const session = await ullage.session('k');
    const conversation = grown(API, 5);
    expect((await session.prepare(conversation.ask())).outcome?.status).toBe('compacted');
    stop();
    stop();
    expect((await session.compact({ targetTokens: 4_000 })).status).toBe('compacted');
    expect(heard).toBe(1);
    expect(world.logged.join('\n')).toContain('A listener of compaction-started threw');
  });
});
