// Cache markers that a client moves every turn: never more go out than came in, and never one that is stale.
import { describe, expect, it } from 'vitest';
import { codecFor } from '../../src/wire/index.ts';
import { messagesOf } from '../support/conversation.ts';
import { exchange, grown, makeWorld } from '../support/world.ts';

const MARK = { cache_control: { type: 'ephemeral' } };

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** The newest `count` user messages carry a marker, as stored messages once did when they were the newest. */
function marked(messages: readonly Message[], count: number): readonly Message[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-count);
  return messages.map((message, index) => {
    if (!users.includes(index)) return message;
    const { content } = message;
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : content) as object[];
    return { ...message, content: [...blocks.slice(0, -1), { ...blocks.at(-1), ...MARK }] };
  });
}

const count = (text: string): number => text.match(/"cache_control"/g)?.length ?? 0;

function body(messages: readonly Message[], markers: number): object {
  const system = [{ type: 'text', text: 'You mend builds.', ...MARK }];
  return { model: 'm', max_tokens: 1_000, system, messages: marked(messages, markers) };
}

describe('cache markers', () => {
  it.each([
    ['folds', { tailTokens: 4_000 }],
    ['prunes', { tailTokens: 2_000, target: 0.7, pruneShare: 0.5 }],
  ])('stay at the caller’s number through compaction that %s, in every later request', async (_, policy) => {
    const world = makeWorld('anthropic', { policy });
    const session = await world.session();
    const conversation = grown('anthropic', 1);
    let compactions = 0;
    for (let turn = 0; turn < 10; turn++) {
      conversation.grow({ steps: 2, resultWords: 250 });
      const messages = messagesOf(conversation.ask()) as unknown as readonly Message[];
      const prepared = await exchange(session, 'anthropic', body(messages, 3));
      expect(codecFor('anthropic').validate(prepared.text)).toEqual([]);
      expect(count(prepared.text)).toBeLessThanOrEqual(4);
      expect(count(JSON.stringify(messagesOf(prepared.body).at(-1)))).toBe(1);
      if (prepared.outcome?.status === 'compacted') compactions++;
    }
    expect(compactions).toBeGreaterThan(0);
  });

  it('of stored messages, each marked once as the newest, do not come back with a manual compaction', async () => {
    const world = makeWorld('anthropic');
    const session = await world.session();
    const conversation = grown('anthropic', 1);
    for (let turn = 0; turn < 3; turn++) {
      conversation.grow({ steps: 1, resultWords: 120 });
      await session.prepare(body(messagesOf(conversation.ask()) as unknown as readonly Message[], 3));
    }
    expect(count(await session.export())).toBeGreaterThan(4);
    expect((await session.compact()).status).toBe('compacted');
    const prepared = await session.prepare(body(messagesOf(conversation.ask()) as unknown as readonly Message[], 3));
    expect(messagesOf(prepared.body).length).toBeLessThan(conversation.messages.length);
    expect(codecFor('anthropic').validate(prepared.text)).toEqual([]);
    expect(count(prepared.text)).toBeLessThanOrEqual(4);
    expect(count(await session.export({ compacted: true }))).toBe(0);
    const { messages } = await session.continue();
    expect(count(JSON.stringify(messages))).toBe(0);
  });

  it('on a message that is sent shortened stay where the caller has them now', async () => {
    const world = makeWorld('anthropic');
    const session = await world.session();
    const call = { type: 'tool_use', id: 't1', name: 'read', input: {} };
    const result = {
      type: 'tool_result',
      tool_use_id: 't1',
      content: Array.from({ length: 9_000 }, (_, line) => `line ${line}`).join('\n'),
    };
    const messages: Message[] = [
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ];
    const first = await session.prepare(body(messages, 1));
    expect(first.outcome?.status).toBe('compacted');
    expect(count(JSON.stringify(messagesOf(first.body).at(-1)))).toBe(1);
    messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Thanks.' });
    const next = await session.prepare(body(messages, 1));
    expect(messagesOf(next.body).map((message) => count(JSON.stringify(message)))).toEqual(
      [0, 0, 0, 0, 1].slice(-messagesOf(next.body).length),
    );
  });
});
