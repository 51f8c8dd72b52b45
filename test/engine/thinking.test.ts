// Signed reasoning: sent only in front of the bytes it was produced behind, else dropped whole, and for good (F09). The provider of these
// tests is strict: it knows of each signature which bytes stood before it, and refuses any other.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Session, UllageOptions } from '../../src/index.ts';
import { scriptedSummarizer } from '../../src/testkit/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { bodyOf, messagesOf, prose } from '../support/conversation.ts';
import { seededRandom } from '../support/random.ts';
import { makeWorld, settled, usageOf } from '../support/world.ts';

interface Block {
  readonly type: string;
  readonly signature?: string;
  readonly [member: string]: unknown;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

function digestBefore(messages: readonly Message[], index: number): string {
  const bare = JSON.stringify(messages.slice(0, index)).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
  return createHash('sha256').update(bare).digest('hex').slice(0, 24);
}

const thinkingOf = ({ content }: Message): readonly Block[] =>
  typeof content === 'string' ? [] : content.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');

/** What the provider refuses in a request; signatures are `<digest of what stood before>.<number>`. */
function refusals(body: unknown): readonly string[] {
  const messages = messagesOf(body) as unknown as readonly Message[];
  return messages.flatMap((message, index) => {
    const signed = thinkingOf(message).map(({ signature = '' }) => signature);
    const isAlone = message.role === 'assistant' && signed.length > 0 && signed.length === message.content.length;
    const bound = signed.filter((signature) => !signature.startsWith(digestBefore(messages, index)));
    return [
      ...bound.map((signature) => `messages.${index}: ${signature} is bound elsewhere`),
      ...(isAlone ? [`messages.${index} only thinks`] : []),
    ];
  });
}

class Agent {
  readonly messages: Message[] = [];
  readonly kept: number[] = [];
  private readonly random = seededRandom(21);
  private readonly name: string;
  private number = 0;

  constructor(name = 't') {
    this.name = name;
  }

  ask(text: string): void {
    this.messages.push({ role: 'user', content: text });
  }

  body(): Record<string, unknown> {
    return bodyOf('anthropic', [...this.messages]);
  }

  /** Sends, checks as the provider does, and takes its answer: a call with signed reasoning, and its result. */
  async step(session: Session, words = 200): Promise<{ readonly isCompacted: boolean; readonly text: string }> {
    const prepared = await session.prepare(this.body());
    expect(refusals(prepared.body)).toEqual([]);
    expect(codecFor('anthropic').validate(prepared.text)).toEqual([]);
    await session.observe(prepared.id, usageOf('anthropic', prepared.context.tokens));
    const sent = messagesOf(prepared.body) as unknown as readonly Message[];
    this.kept.push(sent.flatMap(thinkingOf).length);
    this.answer(sent, words);
    return { isCompacted: prepared.outcome?.status === 'compacted', text: prepared.text };
  }

  answer(sent: readonly Message[], words: number): void {
    const id = `${this.name}${this.number++}`;
    const signature = `${digestBefore(sent, sent.length)}.${this.number}`;
    const thought: Block =
      this.number % 5 === 0
        ? { type: 'redacted_thinking', data: 'opaque', signature }
        : { type: 'thinking', thinking: prose(this.random, 15), signature };
    const call: Block = { type: 'tool_use', id, name: 'read', input: { path: `src/${id}.ts` } };
    this.messages.push({ role: 'assistant', content: [thought, { type: 'text', text: `Step ${this.number}.` }, call] });
    this.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: prose(this.random, words) }] });
  }
}

async function world(options: Partial<UllageOptions> = {}) {
  const made = makeWorld('anthropic', options);
  const agent = new Agent();
  agent.ask('Mend everything. Never push to main.');
  return { world: made, agent };
}

describe('signed reasoning', () => {
  it('survives below the threshold untouched, over many steps and restarts', async () => {
    const { world: made, agent } = await world();
    for (let step = 0; step < 8; step++) await agent.step(await made.session(), 30);
    expect(agent.kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('goes at a compaction, what comes after it stays, and no request is ever refused, over restarts', async () => {
    const { world: made, agent } = await world();
    let compactions = 0;
    for (let step = 0; step < 60; step++) {
      const before = agent.kept.at(-1) ?? 0;
      const { isCompacted } = await agent.step(await made.session());
      if (isCompacted) compactions++;
      expect(agent.kept.at(-1)).toBe(isCompacted ? 0 : step === 0 ? 0 : before + 1);
    }
    expect(compactions).toBeGreaterThanOrEqual(3);
  });

  it('is dropped for good, also when the compaction is undone', async () => {
    const { world: made, agent } = await world();
    const session = await made.session();
    while (!(await agent.step(session)).isCompacted);
    for (let step = 0; step < 2; step++) await agent.step(session, 20);
    await session.undo();
    await agent.step(session, 20);
    expect(agent.kept.at(-1)).toBe(0);
    await agent.step(session, 20);
    expect(agent.kept.at(-1)).toBe(1);
  });

  it('of an answer that came after another process had compacted is dropped, and the next is kept', async () => {
    const { world: made, agent } = await world({ models: { window: 1_000_000 } });
    const [a, b] = [await made.session(), await made.session()];
    for (let step = 0; step < 6; step++) await agent.step(a);
    const prepared = await a.prepare(agent.body());
    expect((await b.compact()).status).toBe('compacted');
    agent.answer(messagesOf(prepared.body) as never, 20);
    await agent.step(b, 20);
    expect(agent.kept.at(-1)).toBe(0);
    await agent.step(a, 20);
    expect(agent.kept.at(-1)).toBe(1);
  });

  it('survives a pin behind it, and goes when a pin before it is taken back', async () => {
    const { world: made, agent } = await world();
    const session = await made.session();
    for (let step = 0; step < 3; step++) await agent.step(session, 20);
    const { id } = await session.pin('RULE-7');
    await agent.step(await made.session(), 20);
    await agent.step(await made.session(), 20);
    expect(agent.kept.at(-1)).toBe(4);
    await session.unpin(id);
    await agent.step(await made.session(), 20);
    expect(agent.kept.at(-1)).toBe(3);
    await agent.step(await made.session(), 20);
    expect(agent.kept.at(-1)).toBe(4);
  });

  it('goes with the client’s cache markers moving, which are no part of what it is bound to', async () => {
    const { world: made, agent } = await world();
    const session = await made.session();
    for (let step = 0; step < 5; step++) {
      const body = agent.body();
      const messages = messagesOf(body) as unknown as Message[];
      const last = messages.at(-1)!;
      const blocks = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : [...last.content];
      blocks[blocks.length - 1] = { ...blocks.at(-1)!, cache_control: { type: 'ephemeral' } };
      const prepared = await session.prepare({ ...body, messages: [...messages.slice(0, -1), { role: 'user', content: blocks }] });
      const sent = messagesOf(prepared.body) as unknown as Message[];
      expect(sent.flatMap(thinkingOf).length).toBe(step);
      agent.answer(sent, 20);
    }
  });

  it('in a plan for one request alone is dropped, and the answer to it is not trusted afterwards', async () => {
    const { world: made, agent } = await world({ models: { window: 1_000_000 } });
    const roomy = await made.session();
    for (let step = 0; step < 20; step++) await agent.step(roomy, 250);
    const small = { models: { window: 13_000, maxOutputTokens: 1_000 } };
    const hang = scriptedSummarizer({ type: 'hang' });
    const running = (await made.session('k', { ...small, summarizer: hang })).prepare(agent.body());
    await settled();
    const second = (await made.session('k', small)).prepare(agent.body());
    await made.clock.advance(2_000);
    const alone = await second;
    expect(alone.outcome?.status).toBe('compacted');
    expect(refusals(alone.body)).toEqual([]);
    agent.answer(messagesOf(alone.body) as never, 20);
    await made.clock.advance(18_000);
    await running;
    await (await made.session()).observe(alone.id, usageOf('anthropic', alone.context.tokens));
    await agent.step(await made.session('k', small), 20);
    expect(agent.kept.at(-1)).toBe(0);
    await agent.step(await made.session(), 20);
    expect(agent.kept.at(-1)).toBe(1);
  });

  it('of a branch is sent only when the view it was made under is still there', async () => {
    const { world: made, agent } = await world();
    const session = await made.session();
    for (let step = 0; step < 4; step++) await agent.step(session, 20);
    const edited = new Agent('e');
    edited.messages.push(...agent.messages.slice(0, -1), {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't3', content: 'other' }],
    });
    for (let step = 0; step < 3; step++) await edited.step(await made.session(), 20);
    expect(edited.kept).toEqual([4, 5, 6]);
    const moved = new Agent('m');
    moved.messages.push(...agent.messages.slice(0, -1), {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't3', content: 'third' }],
    });
    const branch = await session.prepare(moved.body());
    expect((await (await made.session()).compact()).status).toBe('compacted');
    moved.answer(messagesOf(branch.body) as never, 20);
    for (let step = 0; step < 3; step++) await moved.step(await made.session(), 20);
  });

  it('of an answer of reasoning alone is never sent without it, nor by itself', async () => {
    const { world: made, agent } = await world();
    const session = await made.session();
    for (let step = 0; step < 6; step++) await agent.step(session);
    const sent = messagesOf((await session.prepare(agent.body())).body) as unknown as Message[];
    const signature = `${digestBefore(sent, sent.length)}.x`;
    agent.messages.push(
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature }] },
      { role: 'user', content: 'Go on.' },
    );
    const prepared = await session.prepare(agent.body());
    expect(prepared.text).toBe(JSON.stringify(agent.body()));
    expect((await session.compact({ targetTokens: 3_000 })).status).toBe('compacted');
    const after = await session.prepare(agent.body());
    expect(refusals(after.body)).toEqual([]);
    expect(after.text).not.toContain('"thinking"');
  });
});
