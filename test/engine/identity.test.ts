// Which conversation a request belongs to: the chain decides. Side requests change nothing for the main one (F20, F25, X5).
import { describe, expect, it } from 'vitest';
import { APIS } from '../../src/core/transcript/entry.ts';
import type { Prepared, Session } from '../../src/index.ts';
import { bodyOf, encodeAnswer, encodeAsk, messagesOf } from '../support/conversation.ts';
import { compacted, exchange, grown, makeWorld, marksOf, usageOf, type World } from '../support/world.ts';

const API = 'openai-chat';
const TENANT = 'local';

async function rowsOf(world: World) {
  const row = (await world.store.findSession({ tenant: TENANT, key: 'k' }))!;
  const rows = await world.store.conversations({ tenant: TENANT, sessionId: row.sessionId });
  return { current: row.currentConversationId, rows };
}

async function guardOf(world: World, conversationId: string) {
  return (await world.store.loadConversation({ tenant: TENANT, conversationId })).guard;
}

/** A process with a window in which nothing is due: it shows the view as it is. */
const roomy = (world: World) => world.session('k', { models: { window: 1_000_000 } });

/** Answers with far too much, so that the compaction is proven useless. */
async function strike(session: Session, prepared: { readonly id: string }): Promise<void> {
  await session.observe(prepared.id, usageOf(API, 15_000));
}

describe('side requests in the same session', () => {
  it('a title generator is a conversation of its own: no verdict, no place in the session (X5)', async () => {
    const world = makeWorld();
    const { session, conversation, prepared } = await compacted(world);
    await strike(session, prepared);
    const title = await exchange(session, API, { model: 'm', messages: [{ role: 'user', content: 'Write a title for: mend the build' }] });
    expect(title.outcome).toBeUndefined();
    await session.observe(title.id, usageOf(API, 40));
    const { current, rows } = await rowsOf(world);
    expect(rows).toHaveLength(2);
    expect(current).toBe(rows[0]!.conversationId);
    expect((await guardOf(world, current!)).strikes).toBe(1);
    await session.pin('RULE-7');
    expect((await session.prepare(conversation.ask())).text).toContain('RULE-7');
    expect((await session.guard()).strikes).toBe(1);
  });

  it('a client’s own compaction call goes through the folds it shares, and its reading says nothing (X5)', async () => {
    const world = makeWorld();
    const { session, conversation, body, prepared } = await compacted(world);
    await strike(session, prepared);
    const summarize = { ...body, messages: [...messagesOf(body).slice(0, -1), { role: 'user', content: 'Summarise this conversation.' }] };
    const side = await session.prepare(summarize);
    expect(messagesOf(side.body).length).toBe(messagesOf(prepared.body).length);
    await session.observe(side.id, usageOf(API, 500));
    expect((await session.guard()).strikes).toBe(1);
    expect((await rowsOf(world)).rows).toHaveLength(1);
    const next = await (await roomy(world)).prepare(conversation.ask());
    expect(marksOf(next).slice(0, marksOf(prepared).length)).toEqual(marksOf(prepared));
  });

  it('after the client compacted by itself the new history is a new conversation, current when it goes on', async () => {
    const world = makeWorld();
    const { session } = await compacted(world);
    const own: object[] = [{ role: 'user', content: 'Summary of before: the build is broken. Go on.' }];
    await exchange(session, API, bodyOf(API, [...own]));
    own.push({ role: 'assistant', content: 'Going on.' }, { role: 'user', content: 'And?' });
    await exchange(session, API, bodyOf(API, own));
    const { current, rows } = await rowsOf(world);
    expect(rows).toHaveLength(2);
    expect(current).toBe(rows[1]!.conversationId);
    expect(await session.guard()).toMatchObject({ state: 'clear', decision: 'allow' });
  });

  it('two sub-agents on one key keep apart, each with its own view and guard', async () => {
    const world = makeWorld();
    const session = await world.session();
    const agents = [3, 4].map((seed) => grown(API, 1, seed));
    const last: (readonly string[])[] = [[], []];
    const compactions = [0, 0];
    for (let round = 0; round < 8; round++) {
      for (const [index, agent] of agents.entries()) {
        agent.grow({ steps: 2, resultWords: 250 });
        const prepared = await exchange(session, API, agent.ask());
        const sent = marksOf(prepared);
        if (prepared.outcome?.status === 'compacted') compactions[index]!++;
        else expect(sent.slice(0, last[index]!.length)).toEqual(last[index]);
        last[index] = sent;
      }
    }
    expect(Math.min(...compactions)).toBeGreaterThan(0);
    const { current, rows } = await rowsOf(world);
    expect(rows.map((row) => row.origin)).toEqual(['first', 'first']);
    expect(current).toBe(rows[1]!.conversationId);
    expect(new Set(rows.map((row) => row.guardKey)).size).toBe(2);
    await session.prepare(agents[0]!.ask());
    expect((await rowsOf(world)).current).toBe(rows[0]!.conversationId);
  });

  it('a request without messages is passed through and leaves nothing behind', async () => {
    const world = makeWorld('openai-responses');
    const session = await world.session();
    const prepared = await session.prepare({ model: 'm', input: [] });
    expect(prepared.text).toBe('{"model":"m","input":[]}');
    await session.observe(prepared.id, { input_tokens: 9 });
    await session.render({ model: 'm', input: 'hi' });
    expect(await world.store.listSessions({ tenant: TENANT })).toEqual([]);
  });

  it('a session that another process stored, or deleted and began anew, is read and deleted as it is now (F25)', async () => {
    const world = makeWorld();
    const [own, other] = [await world.session(), await world.session()];
    const body = grown(API, 1).ask();
    for (let life = 0; life < 2; life++) {
      await other.prepare(body);
      expect(JSON.parse(await own.export())).toMatchObject({ messages: messagesOf(body).slice(1) });
      expect((await own.search('Ask')).length).toBeGreaterThan(0);
      if (life === 0) await other.delete();
    }
    expect((await own.delete()).entries).toBeGreaterThan(0);
    expect(await world.store.listSessions({ tenant: TENANT })).toEqual([]);
  });

  it('a key that no store can give back is refused at once', async () => {
    const world = makeWorld();
    for (const key of ['half \ud800', 'a\0b']) await expect(world.session(key)).rejects.toMatchObject({ code: 'option_invalid' });
  });
});

describe('forks', () => {
  it('a retry of a shorter history is rendered through what it shares, and the main line goes on untouched', async () => {
    const world = makeWorld();
    const { session, conversation, body, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf(API, prepared.context.tokens));
    const next = await exchange(session, API, conversation.ask());
    const retry = await session.prepare(body);
    expect(marksOf(retry)).toEqual(marksOf(prepared));
    const shorter = { ...body, messages: messagesOf(body).slice(0, 9) };
    expect(marksOf(await session.prepare(shorter))).toEqual(marksOf({ body: shorter }));
    expect((await rowsOf(world)).rows).toHaveLength(1);
    const after = await session.prepare(conversation.ask());
    expect(marksOf(after).slice(0, marksOf(next).length)).toEqual(marksOf(next));
  });

  it.each(APIS)(
    'an edited message in %s becomes a conversation when it goes on, with a copied guard that then lives alone',
    async (api) => {
      const world = makeWorld(api);
      const { session, conversation, body, prepared } = await compacted(world);
      await session.observe(prepared.id, usageOf(api, 16_500));
      const before = await session.guard();
      const key = api === 'openai-responses' ? 'input' : 'messages';
      const history = [...messagesOf(body).slice(0, -1), ...encodeAsk(api, 'Edited: do it another way.')];
      await session.prepare({ ...body, [key]: history });
      history.push(...(encodeAnswer(api, 'Another way.') as never[]), ...(encodeAsk(api, 'Good.') as never[]));
      const fork = await session.prepare({ ...body, [key]: history });
      const { rows, current } = await rowsOf(world);
      expect(rows).toMatchObject([{}, { origin: 'fork', parentId: rows[0]!.conversationId, guardKey: rows[1]!.conversationId }]);
      expect(current).toBe(rows[1]!.conversationId);
      expect(await session.guard()).toMatchObject({ strikes: before.strikes, state: before.state });
      await session.observe(fork.id, usageOf(api, 7_000));
      expect((await guardOf(world, rows[1]!.conversationId)).strikes).toBe(0);
      expect((await guardOf(world, rows[0]!.conversationId)).strikes).toBe(before.strikes);
      const main = await (await roomy(world)).prepare(conversation.ask());
      expect(marksOf(main).slice(0, marksOf(prepared).length)).toEqual(marksOf(prepared));
      expect((await rowsOf(world)).rows).toHaveLength(2);
    },
  );

  it('a regenerated answer is a branch, then a fork; the folds stay shared', async () => {
    const world = makeWorld();
    const { session, body, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf(API, prepared.context.tokens));
    const first = [...messagesOf(body), { role: 'assistant', content: 'First answer.' }, { role: 'user', content: 'Hm.' }];
    await session.prepare({ ...body, messages: first });
    const again = [...messagesOf(body), { role: 'assistant', content: 'Second answer.' }, { role: 'user', content: 'Better.' }];
    const branch = await session.prepare({ ...body, messages: again });
    expect(marksOf(branch).slice(0, marksOf(prepared).length)).toEqual(marksOf(prepared));
    expect((await rowsOf(world)).rows).toHaveLength(1);
    again.push({ role: 'assistant', content: 'Thanks.' }, { role: 'user', content: 'On.' });
    const fork = await session.prepare({ ...body, messages: again });
    expect(marksOf(fork).slice(0, marksOf(branch).length)).toEqual(marksOf(branch));
    expect((await rowsOf(world)).rows.map((row) => row.origin)).toEqual(['first', 'fork']);
  });

  it('a fork compacts for itself, and the parent’s view stays', async () => {
    const world = makeWorld();
    const { session, conversation, body, prepared } = await compacted(world);
    await session.observe(prepared.id, usageOf(API, prepared.context.tokens));
    const other = grown(API, 8, 55).messages;
    const history: object[] = [...messagesOf(body).slice(0, -1), { role: 'user', content: 'Edited.' }];
    let fork: Prepared = await session.prepare({ ...body, messages: [...history] });
    for (let turn = 0; fork.outcome?.status !== 'compacted'; turn++) {
      history.push({ role: 'assistant', content: `ok ${turn}` }, ...other.slice(turn * 10, turn * 10 + 10), {
        role: 'user',
        content: `on ${turn}`,
      });
      fork = await exchange(session, API, { ...body, messages: [...history] });
    }
    const main = await session.prepare(conversation.ask());
    expect(main.outcome).toBeUndefined();
    expect(marksOf(main).slice(0, marksOf(prepared).length)).toEqual(marksOf(prepared));
  });

  it('an abandoned edit over the window gets a plan for itself alone, and nothing is committed for it', async () => {
    const world = makeWorld();
    const session = await world.session('k', { models: { window: 1_000_000 } });
    const conversation = grown(API, 8);
    const body = conversation.ask();
    await session.prepare(body);
    const edited = { ...body, messages: [...messagesOf(body).slice(0, -1), { role: 'user', content: 'Edited.' }] };
    const small = await (await world.session()).prepare(edited);
    expect(small.outcome).toMatchObject({ status: 'compacted' });
    expect(small.context.tokens).toBeLessThanOrEqual(small.budget.usable);
    expect((await guardOf(world, (await rowsOf(world)).current!)).view).toBeUndefined();
  });
});

describe('what a client changes without changing the conversation', () => {
  /** As Claude Code does: markers on the last two user messages, a date in the system prompt, text blocks instead of strings. */
  function asClaudeCode(messages: readonly object[], day: number): object {
    const marked = messages.map((message, index) => {
      const { role, content } = message as { role: string; content: unknown };
      if (role !== 'user' || index < messages.length - 3) return message;
      const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as object[];
      return { role, content: [...blocks.slice(0, -1), { ...blocks.at(-1), cache_control: { type: 'ephemeral' } }] };
    });
    const system = [{ type: 'text', text: `You mend builds. Today is day ${day}.`, cache_control: { type: 'ephemeral' } }];
    return { model: 'm', max_tokens: 1_000, system, messages: marked };
  }

  it('cache markers that move and a date that changes fork nothing, and a compacted prefix keeps its bytes', async () => {
    const world = makeWorld('anthropic');
    const session = await world.session();
    const conversation = grown('anthropic', 1);
    let before: readonly string[] = [];
    let compactions = 0;
    for (let turn = 0; turn < 9; turn++) {
      conversation.grow({ steps: 2, resultWords: 250 });
      const [messages] = [messagesOf(conversation.ask())];
      const prepared = await exchange(session, 'anthropic', asClaudeCode(messages, turn));
      const bare = marksOf({ body: JSON.parse(prepared.text.replaceAll(',"cache_control":{"type":"ephemeral"}', '')) });
      const stable = before.slice(0, -4);
      if (prepared.outcome?.status === 'compacted') compactions++;
      else expect(bare.slice(0, stable.length)).toEqual(stable);
      before = bare;
      expect(prepared.text.match(/cache_control/g)!.length).toBeLessThanOrEqual(3);
    }
    expect(compactions).toBeGreaterThan(0);
    expect((await rowsOf(world)).rows).toHaveLength(1);
  });
});
