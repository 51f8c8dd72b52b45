// rotate, continue, delete: nothing is reset to empty, the guard goes along, the parent stays intact (F25, F28, G15).
import { describe, expect, it } from 'vitest';
import { APIS } from '../../src/core/transcript/entry.ts';
import type { Session } from '../../src/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, messagesOf } from '../support/conversation.ts';
import { compacted, exchange, grown, makeWorld, marksOf, occurrences, settled, usageOf, type World } from '../support/world.ts';

const TENANT = 'local';

async function conversationsOf(world: World) {
  const session = (await world.store.findSession({ tenant: TENANT, key: 'k' }))!;
  return {
    current: session.currentConversationId,
    rows: await world.store.conversations({ tenant: TENANT, sessionId: session.sessionId }),
  };
}

describe('a process that dies', () => {
  it('once a request is stored has made its conversation the one the session goes on with (F24)', async () => {
    const world = makeWorld();
    const session = await world.session();
    const turns = (ask: string, count: number) =>
      Array.from({ length: count }, (_, turn) => [...encodeAsk(world.api, `${ask} ${turn}`), ...encodeAnswer(world.api, 'Done.')]).flat();
    const body = (ask: string, count: number) => bodyOf(world.api, turns(ask, count).slice(0, -1));
    for (const [ask, count] of [
      ['plan', 1],
      ['plan', 2],
      ['test', 1],
      ['test', 2],
    ] as const)
      await session.prepare(body(ask, count));
    const [plan, test] = (await conversationsOf(world)).rows.map((row) => row.conversationId);
    expect((await conversationsOf(world)).current).toBe(test);
    const dead = () => new Promise<never>(() => {});
    const dying = await world.session('k', { store: { ...world.store, touchConversation: dead } });
    void dying.prepare({ ...body('plan', 3), model: 'another' });
    await settled();
    expect((await conversationsOf(world)).current).toBe(plan);
  });
});

describe('another process', () => {
  it('that went on with another conversation is followed back by whoever sends the first one, however much that sends (F26)', async () => {
    const world = makeWorld('openai-chat', { models: { window: 10_000_000 } });
    const asks = (name: string, count: number, end = '') =>
      bodyOf(world.api, [
        ...Array.from({ length: count - 1 }, (_, turn) => [
          ...encodeAsk(world.api, `${name} ${turn}`),
          ...encodeAnswer(world.api, 'Done.'),
        ]).flat(),
        ...encodeAsk(world.api, `${name} ${count - 1}${end}`),
      ]);
    const [left, right] = [await world.session(), await world.session()];
    for (const [session, name] of [
      [left, 'plan'],
      [right, 'test'],
    ] as const)
      for (const count of [1, 2]) await session.prepare(asks(name, count));
    const [plan, test] = (await conversationsOf(world)).rows.map((row) => row.conversationId);
    expect((await conversationsOf(world)).current).toBe(test);
    // More than one transaction holds is not stored in the step that finds it.
    await left.prepare(asks('plan', 3, 'x'.repeat(1_100_000)));
    expect((await conversationsOf(world)).current).toBe(plan);
  });
});

describe.each(APIS)('rotate in %s', (api) => {
  it('goes on with the same full history, view, pins and guard, in a child', async () => {
    const world = makeWorld(api);
    const { session, conversation, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf(api, prepared.context.tokens));
    await session.pin('PIN-1');
    const { conversationId } = await session.rotate();
    const { current, rows } = await conversationsOf(world);
    expect(current).toBe(conversationId);
    expect(rows).toMatchObject([
      { successorId: conversationId },
      { origin: 'rotation', parentId: rows[0]!.conversationId, guardKey: rows[0]!.guardKey },
    ]);
    const next = await (await world.session()).prepare(conversation.ask());
    expect(next.outcome).toBeUndefined();
    expect(marksOf(next).slice(0, marksOf(prepared).length)).toEqual(marksOf(prepared));
    expect(occurrences(next.text, 'PIN-1')).toBe(1);
    expect((await conversationsOf(world)).rows).toHaveLength(2);
  });
});

describe('rotate', () => {
  it('shares strikes and rests with the parent (G15, X23)', async () => {
    const world = makeWorld();
    const { session, conversation } = await compacted(world);
    await session.undo();
    await session.rotate();
    expect(await session.guard()).toMatchObject({ decision: 'blocked', reason: 'guard_undone' });
    expect((await session.prepare(conversation.ask())).outcome).toMatchObject({ status: 'blocked', reason: 'guard_undone' });
  });

  it('twice is a chain of three, and an old body still reaches the newest (F25)', async () => {
    const world = makeWorld();
    const { session, body, prepared } = await compacted(world);
    await session.rotate();
    await session.rotate();
    expect((await session.prepare(body)).text).toBe(prepared.text);
    expect((await conversationsOf(world)).rows.map((row) => row.origin)).toEqual(['first', 'rotation', 'rotation']);
  });

  it('needs a conversation', async () => {
    await expect((await makeWorld().session()).rotate()).rejects.toMatchObject({ code: 'session_not_found' });
  });
});

describe.each(APIS)('continue in %s', (api) => {
  it('gives messages that can be sent on, with pins, facts and the last ask, each once; the parent stays', async () => {
    const world = makeWorld(api);
    const { session } = await compacted(world);
    await session.pin('RULE-7: keep the schema.');
    const before = await session.export();
    const { session: next, messages } = await session.continue();
    const text = JSON.stringify(messages);
    expect(occurrences(text, 'RULE-7: keep the schema.')).toBe(1);
    expect(text).toContain('Ask 0: mend');
    expect(text).toContain('src/part-4/');
    expect(occurrences(text, lastAskOf(before))).toBe(1);
    const body = bodyOf(api, messages as object[]);
    expect(codecFor(api).validate(JSON.stringify(body))).toEqual([]);
    const prepared = await next.prepare(body);
    expect(occurrences(prepared.text, 'RULE-7: keep the schema.')).toBe(1);
    expect(prepared.context.tokens).toBeLessThan(prepared.budget.target);
    const { current, rows } = await conversationsOf(world);
    expect(rows).toMatchObject([{}, { origin: 'continuation', guardKey: rows[0]!.guardKey, parentId: rows[0]!.conversationId }]);
    expect(current).toBe(rows[1]!.conversationId);
    const parent = await world.store.readEntries({ tenant: TENANT, sessionId: rows[0]!.sessionId, tip: rows[0]!.tip!.chain });
    expect(messagesOf(JSON.parse(before)).map((message) => JSON.stringify(message))).toEqual(parent.map((entry) => entry.raw));
  });

  it('keeps what the conversation before knew through the folds of the new one', async () => {
    const world = makeWorld(api);
    const { session } = await compacted(world);
    await session.pin('RULE-7');
    const { session: next, messages } = await session.continue();
    const all = [...(messages as object[])];
    const known = [...new Set(JSON.stringify(messages).match(/src\/part-\d\/file-\d-\d\.ts/g))];
    expect(known.length).toBeGreaterThan(3);
    const fresh = grown(api, 6, 77).messages;
    let prepared = await next.prepare(bodyOf(api, all));
    for (let turn = 0; prepared.outcome?.status !== 'compacted'; turn++) {
      all.push(...encodeAnswer(api, 'Going on.'), ...fresh.slice(turn * 8, turn * 8 + 8), ...encodeAsk(api, `More ${turn}`));
      prepared = await exchange(next, api, bodyOf(api, [...all]));
    }
    const kept = known.filter((path) => prepared.text.includes(path));
    expect(kept.length).toBeGreaterThanOrEqual(known.length / 2);
    expect(occurrences(prepared.text, 'RULE-7')).toBe(1);
    expect(codecFor(api).validate(prepared.text)).toEqual([]);
  });
});

function lastAskOf(exported: string): string {
  return exported.match(/Question \d+: go on with [\w ]+/g)!.at(-1)!;
}

describe('continue', () => {
  async function asked(messages: object[]): Promise<{ session: Session; text: string; messages: readonly unknown[] }> {
    const session = await makeWorld().session();
    await session.prepare(bodyOf('openai-chat', messages));
    const next = await session.continue();
    return { session, text: JSON.stringify(next.messages), messages: next.messages };
  }

  const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"deploy"}' } };

  it('leaves an ask that still waits outside the frame, with the work done for it inside (F14)', async () => {
    const { messages, text } = await asked([
      { role: 'user', content: 'Ask A.' },
      { role: 'assistant', content: 'Done A.' },
      { role: 'user', content: 'Ask B: deploy it.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'deployed 4711' },
    ]);
    const last = (messages.at(-1) as { content: { text: string }[] }).content.at(-1)!;
    expect(last.text).toBe('Ask B: deploy it.');
    expect(occurrences(text, 'Ask B: deploy it.')).toBe(1);
    expect(text).toContain('deployed 4711');
  });

  it('makes no live request of an ask that was answered (F14)', async () => {
    const { messages, text } = await asked([
      { role: 'user', content: 'Ask A: deploy it.' },
      { role: 'assistant', content: 'Deployed.' },
    ]);
    expect(messages).toHaveLength(1);
    expect((messages[0] as { content: string }).content.trimEnd()).toMatch(/<\/ullage-summary>$/);
    expect(text).toContain('Ask A: deploy it.');
  });

  it('shares strikes and rests, and an undo there takes nothing back here', async () => {
    const world = makeWorld();
    const { session, body, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf('openai-chat', prepared.context.tokens));
    const { session: next, messages } = await session.continue();
    await expect(next.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' });
    const own = [...(messages as object[]), ...grown('openai-chat', 6, 5).messages, { role: 'user', content: 'And?' }];
    expect((await next.prepare(bodyOf('openai-chat', own))).outcome?.status).toBe('compacted');
    expect((await next.undo()).restoredMessages).toBeGreaterThan(0);
    expect(await next.guard()).toMatchObject({ decision: 'blocked', reason: 'guard_undone' });
    expect(marksOf(await next.prepare(body))).toEqual(marksOf(prepared));
  });

  it('can be continued and rotated again', async () => {
    const world = makeWorld();
    const { session } = await compacted(world);
    await session.pin('RULE-7');
    await session.continue();
    const { messages } = await session.continue();
    expect(occurrences(JSON.stringify(messages), 'RULE-7')).toBe(1);
    expect(JSON.stringify(messages)).toContain('Ask 0: mend');
    await session.rotate();
    expect((await conversationsOf(world)).rows.map((row) => row.origin)).toEqual(['first', 'continuation', 'continuation', 'rotation']);
  });
});

describe('delete', () => {
  it('removes everything, and the key begins anew, here and in another process', async () => {
    const world = makeWorld();
    const { session, body } = await compacted(world);
    const other = await world.session();
    await other.prepare(body);
    expect((await session.delete()).entries).toBeGreaterThan(30);
    expect(await world.store.findSession({ tenant: TENANT, key: 'k' })).toBeUndefined();
    expect(await session.outcomes()).toEqual([]);
    expect(await session.guard()).toMatchObject({ state: 'clear', decision: 'allow' });
    await expect(session.export()).rejects.toMatchObject({ code: 'session_not_found' });
    for (const door of [other, session]) {
      const small = grown('openai-chat', 1).ask();
      const prepared = await door.prepare(small);
      expect(prepared.text).toBe(JSON.stringify(small));
      await door.observe(prepared.id, usageOf('openai-chat', 4_000));
    }
    const { rows } = await conversationsOf(world);
    expect(rows).toHaveLength(1);
  });

  it('of nothing removes nothing', async () => {
    expect(await (await makeWorld().session()).delete()).toEqual({ entries: 0 });
  });
});
