// search and read: everything ever said, folded or not, by words and by handle; nothing of another tenant or session.
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import type { Session } from '../../src/index.ts';
import { memoryStore } from '../../src/testkit/index.ts';
import { bodyOf } from '../support/conversation.ts';
import { answerOf } from '../support/provider.ts';
import { compacted, grown, makeWorld } from '../support/world.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];

describe.each(APIS)('search and read in %s', (api) => {
  it('find what was folded away, and give its full text by handle', async () => {
    const world = makeWorld(api);
    const { session, conversation, prepared } = await compacted(world);
    const words = /(\w+\d+) (\w+\d+) (\w+\d+)/.exec(
      JSON.stringify(conversation.messages).match(/"(?:content|output)":"\w+\d+ [^"]+"/)![0],
    )!;
    const [hit] = await session.search(words[0]);
    expect(hit).toMatchObject({ handle: expect.stringMatching(/^e_[0-9a-f]{12}$/) });
    expect(prepared.outcome?.status).toBe('compacted');
    expect(await session.read(hit!.handle)).toContain(words[0]);
    expect((await session.search('no-such-word-anywhere')).length).toBe(0);
    expect((await session.search('mend', { limit: 2 })).length).toBe(2);
  });
});

describe('search', () => {
  it('finds what a process that died had not indexed yet, and what came since (F24)', async () => {
    const world = makeWorld('openai-chat');
    const dead = await world.session();
    const asked = (words: readonly string[]) =>
      bodyOf(
        world.api,
        words.flatMap((word, turn) => [
          { role: 'user', content: `Find the ${word}.` },
          ...(turn < words.length - 1 ? [{ role: 'assistant', content: `Here is your ${word}.` }] : []),
        ]),
      );
    await dead.send(asked(['kettle']), async () => answerOf(world.api, 40));
    await dead.prepare(asked(['kettle', 'ladder']));
    const [left, right] = [await world.session(), await world.session()];
    expect(await left.search('ladder')).toHaveLength(1);
    await right.prepare(asked(['kettle', 'ladder', 'hammer']));
    for (const session of [left, right]) expect(await session.search('hammer')).toHaveLength(1);
    expect(await left.search('your kettle')).toHaveLength(1);
  });
});

describe('read', () => {
  const body = bodyOf('anthropic', [
    { role: 'user', content: 'one\ntwo\nthree' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'the result' }] },
  ]);

  async function open(): Promise<{ session: Session; handleOf: (words: string) => Promise<string> }> {
    const session = await makeWorld('anthropic').session();
    await session.prepare(body);
    return { session, handleOf: async (words) => (await session.search(words))[0]!.handle };
  }

  it('gives a whole entry, or one of its parts', async () => {
    const { session, handleOf } = await open();
    const handle = await handleOf('look');
    expect(await session.read(handle)).toBe('I look.\nread {"path":"a.ts"}');
    expect(await session.read(`${handle}.0`)).toBe('I look.');
    expect(await session.read(`${handle}.1`)).toBe('{"path":"a.ts"}');
    expect(await session.read(await handleOf('result'))).toBe('the result');
    await expect(session.read(`${handle}.2`)).rejects.toMatchObject({ code: 'handle_not_found' });
  });

  it('gives line ranges', async () => {
    const { session, handleOf } = await open();
    const handle = await handleOf('three');
    expect(await session.read(handle, { fromLine: 2 })).toBe('two\nthree');
    expect(await session.read(handle, { fromLine: 2, toLine: 2 })).toBe('two');
    expect(await session.read(handle, { fromLine: 9 })).toBe('');
    for (const options of [{ fromLine: 0 }, { toLine: -1 }, { fromLine: 1.5 }])
      await expect(session.read(handle, options)).rejects.toMatchObject({ code: 'option_invalid' });
  });

  it('gives the whole of a fold, also after it was undone', async () => {
    const world = makeWorld();
    const { session, prepared } = await compacted(world);
    const handle = `f_${prepared.outcome!.viewId!}`;
    const text = await session.read(handle);
    expect(text).toContain('Ask 0: mend');
    expect(text.match(/^\[e_[0-9a-f]{12} (?:user|assistant|tool)\]$/gm)!.length).toBeGreaterThan(10);
    await session.undo();
    expect(await session.read(handle)).toBe(text);
  });

  it.each([[''], ['e_'], ['e_0123456789ab'], ['f_nothing'], ['x_1'], ['e_0123456789ab.99'], [`e_${'a'.repeat(500)}`]])(
    'answers handle_not_found to %j',
    async (handle) => {
      const { session } = await open();
      await expect(session.read(handle)).rejects.toMatchObject({ code: 'handle_not_found' });
    },
  );

  it('knows no handle of another session or tenant', async () => {
    const store = memoryStore();
    const world = makeWorld('openai-chat', { store });
    const { session, prepared } = await compacted(world);
    const handles = [(await session.search('mend'))[0]!.handle, `f_${prepared.outcome!.viewId!}`];
    const strangers = [await world.session('another'), await world.session('k', { tenant: 'other' })];
    for (const stranger of strangers) {
      await stranger.prepare(grown('openai-chat', 1, 99).ask());
      for (const handle of handles) await expect(stranger.read(handle)).rejects.toMatchObject({ code: 'handle_not_found' });
      expect(await stranger.search('Never push')).toHaveLength(1);
    }
  });
});

describe('storage none', () => {
  it('decides as ever, and says not_stored to all that needs texts', async () => {
    const world = makeWorld('openai-chat', { store: memoryStore({ storage: 'none' }) });
    const { session, body, prepared } = await compacted(world);
    const again = await (await world.session()).prepare(body);
    expect(again.text).toBe(prepared.text);
    await session.observe(again.id, { prompt_tokens: 7_000, completion_tokens: 1 });
    await session.pin('Keep me');
    expect((await session.pins()).map((pin) => pin.text)).toEqual(['Keep me']);
    expect(await session.guard()).toMatchObject({ decision: 'allow', health: 'ok' });
    expect(await session.outcomes()).toHaveLength(1);
    const { currentConversationId } = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
    const { tip } = (await world.store.conversation({ tenant: 'local', conversationId: currentConversationId! }))!;
    const refused = [
      session.search('mend'),
      session.read(`e_${tip!.chain.slice(0, 12)}`),
      session.read(`f_${prepared.outcome!.viewId!}`),
      session.undo(),
      session.compact(),
      session.export(),
      session.continue(),
    ];
    for (const door of refused) await expect(door).rejects.toMatchObject({ code: 'not_stored' });
  });

  it('rotates and deletes', async () => {
    const world = makeWorld('openai-chat', { store: memoryStore({ storage: 'none' }) });
    const { session, body, prepared } = await compacted(world);
    await session.rotate();
    expect((await session.prepare(body)).text).toBe(prepared.text);
    expect((await session.delete()).entries).toBeGreaterThan(10);
  });
});
