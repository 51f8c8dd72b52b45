// render: a request as it would be sent, for whoever only counts it. Reads only.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import { UllageError } from '../../src/index.ts';
import type { Store } from '../../src/ports/store.ts';
import { memoryStore } from '../../src/testkit/index.ts';
import { compacted, exchange, grown, makeWorld } from '../support/world.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

/** The same store, and the names of the commands that were given to it. */
function watched(store: Store): { readonly store: Store; readonly commands: string[] } {
  const commands: string[] = [];
  const spied = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        commands.push(String(name));
        return (value as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
  return { store: spied, commands };
}

describe.each(APIS)('render in %s', (api) => {
  it('is the body itself, byte for byte, for what is not known; another process asks the same', async () => {
    const world = makeWorld(api);
    const text = ` ${JSON.stringify(grown(api, 2).ask())}\n`;
    for (const session of [await world.session(), await world.session()]) {
      const rendered = await session.render(text);
      expect(rendered.text).toBe(text);
      expect(rendered.context.kind).toBe('estimated');
      expect(rendered.leftAlone).toBeUndefined();
    }
  });

  it('is what prepare sends, through the committed view, also for a request that is not stored yet (F02)', async () => {
    const world = makeWorld(api);
    const { session, conversation, body } = await compacted(world);
    await exchange(session, api, body);
    conversation.grow({ steps: 1, resultWords: 10 });
    const next = conversation.ask();
    for (const asking of [session, await world.session()]) {
      const rendered = await asking.render(next);
      const prepared = await (await world.session()).prepare(next);
      expect(prepared.outcome).toBeUndefined();
      expect(rendered.text).toBe(prepared.text);
      expect(rendered.context.tokens).toBe(prepared.context.tokens);
    }
  });

  it('stores nothing and compacts nothing, however large the request is (F29)', async () => {
    const { store, commands } = watched(memoryStore());
    const world = makeWorld(api, { store });
    const session = await world.session();
    await session.prepare(grown(api, 1).ask());
    commands.length = 0;
    const text = JSON.stringify(grown(api, 30).ask());
    expect((await session.render(text)).text).toBe(text);
    expect(new Set(commands)).toEqual(new Set(['locate']));
    expect(await session.outcomes()).toEqual([]);
  });

  it('is the body itself when the store is down or the session was deleted (F24)', async () => {
    const text = JSON.stringify(grown(api, 2).ask());
    const down = { ...memoryStore(), locate: () => Promise.reject(new UllageError('store_unavailable', 'gone')) };
    const rendered = await (await makeWorld(api, { store: down }).session()).render(text);
    expect(rendered).toMatchObject({ text, leftAlone: 'store_unavailable' });
    const session = await makeWorld(api).session();
    await session.prepare(text);
    await session.delete();
    expect((await session.render(text)).text).toBe(text);
  });
});

describe('render', () => {
  it('keeps pins, and names what it leaves alone', async () => {
    const world = makeWorld('openai-responses');
    const session = await world.session();
    const conversation = grown('openai-responses', 1);
    await exchange(session, 'openai-responses', conversation.ask());
    await session.pin('Never push to main.');
    expect((await session.render(conversation.ask())).text).toContain('Never push to main.');
    const held = JSON.stringify({ model: 'm', input: 'hi', previous_response_id: 'r1' });
    expect(await session.render(held)).toMatchObject({ text: held, leftAlone: 'previous_response_id' });
  });

  it('throws transcript_invalid for what is no request', async () => {
    const session = await makeWorld('anthropic').session();
    await expect(session.render('{"messages":7}')).rejects.toMatchObject({ code: 'transcript_invalid' });
  });

  it('counts thinking that the next request would still send (F09)', async () => {
    const world = makeWorld('anthropic');
    const { session, conversation, body } = await compacted(world);
    await exchange(session, 'anthropic', body);
    const thinking = { type: 'thinking', thinking: 'Let me see.', signature: 'sig' };
    const messages = [
      ...(body as { messages: object[] }).messages,
      { role: 'assistant', content: [thinking, { type: 'text', text: 'Well.' }] },
    ];
    const next = { ...conversation.ask(), messages: [...messages, { role: 'user', content: 'Go on.' }] };
    const rendered = await (await world.session()).render(next);
    expect(rendered.text).toContain('Let me see.');
    expect(rendered.text).toBe((await (await world.session()).prepare(next)).text);
  });
});
