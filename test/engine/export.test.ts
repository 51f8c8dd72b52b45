// Leaving is possible: the transcript byte for byte, what is sent now, and both in every format.
import { describe, expect, it } from 'vitest';
import { APIS, type Api } from '../../src/core/transcript/entry.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, messagesOf } from '../support/conversation.ts';
import { makeHostile } from '../support/hostile.ts';
import { compacted, grown, makeWorld, marksOf } from '../support/world.ts';

function valid(api: Api, exported: string): void {
  const { messages, input } = JSON.parse(exported) as { messages?: object[]; input?: object[] };
  expect(codecFor(api).validate(JSON.stringify(bodyOf(api, messages ?? input ?? [])))).toEqual([]);
}

describe.each(APIS)('export in %s', (api) => {
  it('gives every message byte for byte, with the member its API names', async () => {
    const session = await makeWorld(api).session();
    const key = api === 'openai-responses' ? 'input' : 'messages';
    const raw = '{ "role":"user", "content" : "a\\u00e9\\/b", "x":1e2 }';
    await session.prepare(`{"model":"m","max_tokens":10,"${key}":[${raw}]}`);
    expect(await session.export()).toBe(`{"${key}":[${raw}]}`);
  });

  it('gives what is sent now', async () => {
    const { session, prepared } = await compacted(makeWorld(api));
    const exported = { body: JSON.parse(await session.export({ compacted: true })) };
    expect(marksOf(exported)).toEqual(marksOf(prepared));
  });

  it.each(APIS)('written for %s is valid there, whole and compacted', async (format) => {
    const { session, conversation } = await compacted(makeWorld(api));
    const whole = await session.export({ format });
    const small = await session.export({ format, compacted: true });
    valid(format, whole);
    valid(format, small);
    expect(small.length).toBeLessThan(whole.length / 2);
    expect(messagesOf(JSON.parse(whole)).length).toBeGreaterThan(20);
    expect(whole).toContain('Ask 2: mend');
    expect(JSON.stringify(conversation.messages)).toContain('Ask 2: mend');
  });

  it.each(APIS.filter((format) => format !== api))('of a damaged history written for %s is valid there', async (format) => {
    const session = await makeWorld(api, { models: { window: 1_000_000 } }).session();
    const hostile = makeHostile(api, 17);
    for (let round = 0; round < 8; round++) hostile.grow();
    await session.prepare(bodyOf(api, hostile.messages));
    valid(format, await session.export({ format }));
  });
});

describe('export', () => {
  it('refuses a format it does not know, and a session that said nothing', async () => {
    const session = await makeWorld().session();
    await expect(session.export()).rejects.toMatchObject({ code: 'session_not_found' });
    await session.prepare(grown('openai-chat', 1).ask());
    await expect(session.export({ format: 'gemini' as Api })).rejects.toMatchObject({ code: 'option_invalid' });
  });

  it('of a plain-string input is the message it stands for', async () => {
    const session = await makeWorld('openai-responses').session();
    await session.prepare({ model: 'm', input: 'hello' });
    expect(JSON.parse(await session.export())).toEqual({ input: [{ role: 'user', content: 'hello' }] });
    valid('anthropic', await session.export({ format: 'anthropic' }));
    expect((await session.compact()).status).toBe('no_op');
  });

  it('gives a conversation in its own format, whatever this process speaks', async () => {
    const world = makeWorld('anthropic');
    await (await world.session()).prepare(grown('anthropic', 2).ask());
    const foreign = await world.session('k', { api: 'openai-chat' });
    const own = await foreign.export({ format: 'anthropic' });
    valid('anthropic', own);
    expect(own).toContain('tool_use');
    valid('openai-chat', await foreign.export());
    expect(await foreign.read((await foreign.search('mend'))[0]!.handle)).toContain('mend');
    expect((await foreign.compact()).status).toBe('compacted');
    expect((await foreign.undo()).restoredMessages).toBeGreaterThan(0);
    expect((await foreign.guard()).decision).toBe('blocked');
  });
});
