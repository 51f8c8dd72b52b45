// Pins: the user's own words, exactly once in each request, word for word, through folds, restarts, forks and undo (F17).
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/core/transcript/entry.ts';
import type { Session } from '../../src/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, makeConversation, messagesOf } from '../support/conversation.ts';
import { exchange, grown, makeWorld, marksOf, occurrences, settled } from '../support/world.ts';

const APIS: readonly Api[] = ['anthropic', 'openai-chat', 'openai-responses'];
const PIN = 'RULE-7: never "push" to main;\nask first. 禁止';

describe.each(APIS)('pins in %s', (api) => {
  it('stand exactly once in every request over many folds and restarts, and the bytes between folds do not change (F17, F33)', async () => {
    const world = makeWorld(api);
    const conversation = makeConversation(api, 5);
    conversation.grow({ steps: 2, resultWords: 50 });
    await exchange(await world.session(), api, conversation.ask());
    await (await world.session()).pin(PIN);
    let before: readonly string[] = [];
    let folds = 0;
    for (let turn = 0; turn < 20; turn++) {
      conversation.grow({ steps: 3, resultWords: 200 });
      const prepared = await exchange(await world.session(), api, conversation.ask());
      expect(occurrences(prepared.text, PIN)).toBe(1);
      expect(codecFor(api).validate(prepared.text)).toEqual([]);
      const sent = marksOf(prepared);
      if (prepared.outcome?.status === 'compacted') folds++;
      else if (turn > 0) expect(sent.slice(0, before.length)).toEqual(before);
      before = sent;
    }
    expect(folds).toBeGreaterThanOrEqual(3);
  });

  it('join the newest user message once, and stay there', async () => {
    const session = await makeWorld(api).session();
    const conversation = grown(api, 1);
    await session.prepare(conversation.ask());
    await session.pin(PIN);
    const first = conversation.ask();
    const place = messagesOf(first).length - 1;
    expect(JSON.stringify(messagesOf((await session.prepare(first)).body)[place])).toContain('RULE-7');
    const later = await session.prepare(conversation.ask());
    expect(
      messagesOf(later.body)
        .map((message) => occurrences(JSON.stringify(message), PIN))
        .indexOf(1),
    ).toBe(place);
    expect(occurrences(later.text, PIN)).toBe(1);
  });

  it('come back to a live message after an undo, once', async () => {
    const world = makeWorld(api);
    const session = await world.session();
    const conversation = grown(api, 1);
    await session.prepare(conversation.ask());
    await session.pin(PIN);
    await session.prepare(conversation.ask());
    for (let turn = 0; turn < 5; turn++) conversation.grow({ steps: 3, resultWords: 200 });
    const folded = await session.prepare(conversation.ask());
    expect(folded.outcome?.status).toBe('compacted');
    await session.undo();
    const reader = await world.session('k', { models: { window: 1_000_000 } });
    for (const body of [conversation.ask(), conversation.ask()]) expect(occurrences((await reader.prepare(body)).text, PIN)).toBe(1);
  });
});

describe('pins', () => {
  it('go behind the results of the newest message where Messages allows it, so that no earlier byte changes', async () => {
    const session = await makeWorld('anthropic').session();
    const messages: object[] = [{ role: 'user', content: 'Go.' }];
    await session.prepare(bodyOf('anthropic', [...messages]));
    await session.pin(PIN);
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] });
    const prepared = await session.prepare(bodyOf('anthropic', [...messages]));
    const [ask, , results] = messagesOf(prepared.body);
    expect(ask).toEqual(messages[0]);
    expect((results!.content as object[])[0]).toMatchObject({ type: 'tool_result' });
    expect((results!.content as object[])[1]).toMatchObject({ type: 'text', text: expect.stringContaining(PIN) });
  });

  it('stand at the end of the summary when no live message can carry them', async () => {
    const world = makeWorld('openai-chat', { policy: { tailTokens: 1_200 } });
    const session = await world.session();
    const messages: object[] = [{ role: 'user', content: 'Read everything.' }];
    const step = (index: number) => {
      const call = { id: `c${index}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${index}"}` } };
      messages.push({ role: 'assistant', content: null, tool_calls: [call] });
      messages.push({ role: 'tool', tool_call_id: `c${index}`, content: `file ${index} value ${index * 37}\n`.repeat(60) });
    };
    let index = 0;
    for (let prepared = await session.prepare(bodyOf('openai-chat', [...messages])); prepared.outcome?.status !== 'compacted'; ) {
      step(index++);
      prepared = await session.prepare(bodyOf('openai-chat', [...messages]));
    }
    await session.pin(PIN);
    let before: readonly string[] = [];
    for (let round = 0; round < 3; round++) {
      step(index++);
      const prepared = await session.prepare(bodyOf('openai-chat', [...messages]));
      expect(prepared.outcome?.status).not.toBe('compacted');
      expect(occurrences(prepared.text, PIN)).toBe(1);
      expect(codecFor('openai-chat').validate(prepared.text)).toEqual([]);
      expect(marksOf(prepared).slice(0, before.length)).toEqual(before);
      before = marksOf(prepared);
    }
  });

  it('are never lost when they are added while a compaction runs', async () => {
    const world = makeWorld();
    const conversation = grown('openai-chat', 5);
    await (await world.session('k', { models: { window: 1_000_000 } })).prepare(conversation.ask());
    let release: () => void = () => {};
    const summarizer = () =>
      new Promise<{ text: string; finishReason: string }>((resolve) => {
        release = () => resolve({ text: '## Goal\nMend.\n\n## Done\n1. Read.\n', finishReason: 'stop' });
      });
    const compacting = (await world.session('k', { summarizer })).prepare(conversation.ask());
    await settled();
    const other = await world.session('k', { models: { window: 1_000_000 } });
    await other.pin(PIN);
    expect(occurrences((await other.prepare(conversation.ask())).text, PIN)).toBe(1);
    release();
    expect((await compacting).outcome).toMatchObject({ status: 'compacted', summary: 'model' });
    expect(occurrences((await other.prepare(conversation.ask())).text, PIN)).toBe(1);
  });

  it('stand in a request that left the chain, too', async () => {
    const session = await makeWorld().session();
    const conversation = grown('openai-chat', 1);
    await session.prepare(conversation.ask());
    await session.pin(PIN);
    const body = conversation.ask();
    await session.prepare(body);
    const edited = { ...body, messages: [...messagesOf(body).slice(0, -1), { role: 'user', content: 'Something else.' }] };
    const fork = await session.prepare(edited);
    expect(occurrences(fork.text, PIN)).toBe(1);
    const grownFork = [...edited.messages, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'On.' }];
    const extended = await session.prepare({ ...edited, messages: grownFork });
    expect(occurrences(extended.text, PIN)).toBe(1);
    const again = [...grownFork, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'And?' }];
    expect(marksOf(await session.prepare({ ...edited, messages: again })).slice(0, grownFork.length - 1)).toEqual(marksOf(extended));
  });

  it('are refused above 2,000 tokens in all, and when empty', async () => {
    const session = await makeWorld().session();
    await session.prepare(grown('openai-chat', 1).ask());
    await session.pin('short');
    await expect(session.pin('token counts '.repeat(2_000))).rejects.toMatchObject({ code: 'pin_too_large' });
    await expect(session.pin('  ')).rejects.toMatchObject({ code: 'option_invalid' });
    expect((await session.pins()).map((pin) => pin.text)).toEqual(['short']);
  });

  it('of the same words are one pin, also when it is taken back and made again while a summary holds it', async () => {
    const world = makeWorld();
    const session = await world.session();
    const conversation = grown('openai-chat', 1);
    await session.prepare(conversation.ask());
    const { id } = await session.pin(PIN);
    expect(await session.pin(PIN)).toEqual({ id, text: PIN });
    await session.prepare(conversation.ask());
    await session.compact();
    expect(await session.unpin(id)).toBe(true);
    expect(await session.unpin(id)).toBe(false);
    expect(await session.pins()).toEqual([]);
    await session.pin(PIN);
    expect(occurrences((await session.prepare(conversation.ask())).text, PIN)).toBe(1);
  });

  it('that are taken back leave live messages at once, and a summary at the next fold', async () => {
    const world = makeWorld();
    const session = await world.session();
    const conversation = grown('openai-chat', 2);
    await session.prepare(conversation.ask());
    const live = await session.pin('LIVE-PIN');
    await session.prepare(conversation.ask());
    await session.unpin(live.id);
    expect((await session.prepare(conversation.ask())).text).not.toContain('LIVE-PIN');
    const folded = await session.pin('FOLDED-PIN');
    await session.prepare(conversation.ask());
    expect((await session.compact()).status).toBe('compacted');
    await session.unpin(folded.id);
    expect(occurrences((await session.prepare(conversation.ask())).text, 'FOLDED-PIN')).toBe(1);
    conversation.grow({ steps: 3, resultWords: 200 });
    await session.prepare(conversation.ask());
    expect((await session.compact()).status).toBe('compacted');
    expect((await session.prepare(conversation.ask())).text).not.toContain('FOLDED-PIN');
  });

  it('need a conversation; asking for them does not', async () => {
    const session: Session = await makeWorld().session();
    expect(await session.pins()).toEqual([]);
    expect(await session.unpin('nothing')).toBe(false);
    await expect(session.pin('too early')).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('are not placed by a look: dry run, export and guard write nothing', async () => {
    const world = makeWorld();
    const session = await world.session();
    const conversation = grown('openai-chat', 2);
    await session.prepare(conversation.ask());
    await session.pin(PIN);
    await session.compact({ dryRun: true });
    expect(occurrences(await session.export({ compacted: true }), PIN)).toBe(1);
    await session.guard();
    const { currentConversationId } = (await world.store.findSession({ tenant: 'local', key: 'k' }))!;
    expect((await world.store.pins({ tenant: 'local', conversationId: currentConversationId! }))[0]!.placedAt).toBeUndefined();
  });
});
