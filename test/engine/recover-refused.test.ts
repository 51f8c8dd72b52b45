// recover after refused media and refused reasoning: what was refused goes out of the request, stays out for good, and everything else stays.
import { describe, expect, it } from 'vitest';
import { createUllage, type Session, UllageError } from '../../src/index.ts';
import { memoryStore } from '../../src/testkit/index.ts';
import { codecFor } from '../../src/wire/index.ts';
import { messagesOf } from '../support/conversation.ts';
import { apiError, fakeProvider, overflowError, type Received } from '../support/provider.ts';
import { failureOf, makeWorld } from '../support/recovery.ts';

/** A PNG of this many pixels; only its header is real. */
function png(sizeBytes: number, sidePx = 500): string {
  const header = Buffer.alloc(33);
  header.write('89504e470d0a1a0a0000000d49484452', 0, 'hex');
  header.writeUInt32BE(sidePx, 16);
  header.writeUInt32BE(sidePx, 20);
  return Buffer.concat([header, Buffer.alloc(Math.max(0, Math.floor((sizeBytes * 3) / 4) - 33), 7)]).toString('base64');
}

const picture = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const said = (text: string) => ({ type: 'text', text });

/** An agent that takes a screenshot in every step. */
function screenshots(count: number, sizeBytes: number, words = ''): object[] {
  const messages: object[] = [{ role: 'user', content: 'Mend the page. Never push to main.' }];
  for (let index = 0; index < count; index++) {
    messages.push({
      role: 'assistant',
      content: [said(`Look ${index}`), { type: 'tool_use', id: `t${index}`, name: 'shot', input: { n: index } }],
    });
    messages.push({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `t${index}`, content: [said(`saved as shot-${index}.png ${words}`), picture(png(sizeBytes))] },
      ],
    });
  }
  return messages;
}

const TOOLS = [{ name: 'shot', description: 'Takes a screenshot.', input_schema: { type: 'object' } }];
const bodyWith = (messages: readonly object[], more: object = {}) => ({ model: 'm', max_tokens: 1_000, tools: TOOLS, messages, ...more });
const images = ({ text }: Received): number => text.split('"type":"image"').length - 1;
const models = { window: 1_000_000, maxOutputTokens: 8_000 };

function limited(limitBytes: number) {
  return fakeProvider('anthropic', ({ sizeBytes }) => {
    if (sizeBytes > limitBytes) throw apiError(413, 'Request exceeds the maximum size', { type: 'request_too_large' });
    return undefined;
  });
}

describe('too many bytes of screenshots (F23, B160, B161)', () => {
  it('the oldest go first, in one retry; every text stays; nothing is folded and no model is asked', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = limited(5_000_000);
    const session = await open().session('k');
    await session.send(bodyWith(screenshots(20, 300_000)), provider.call);
    const [first, second] = provider.received;
    expect(provider.received).toHaveLength(2);
    expect(images(first!)).toBe(20);
    expect(second!.sizeBytes).toBeLessThanOrEqual(5_000_000);
    expect(images(second!)).toBeGreaterThan(5);
    for (let index = 0; index < 20; index++) expect(second!.text).toContain(`saved as shot-${index}.png`);
    expect(second!.text.indexOf('"type":"image"')).toBeGreaterThan(second!.text.indexOf('shot-8.png'));
    expect(second!.text).toContain('image left out');
    expect(codecFor('anthropic').validate(second!.text)).toEqual([]);
    const [outcome] = await session.outcomes();
    expect(outcome).toMatchObject({ triggerReason: 'provider_413', summary: 'none', exhausted: false, stages: [{ kind: 'prune' }] });
  });

  it('and they stay out in every later request and after a restart, byte for byte (F33)', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = limited(5_000_000);
    const messages = screenshots(20, 300_000);
    await (await open().session('k')).send(bodyWith(messages), provider.call);
    messages.push({ role: 'assistant', content: 'done' }, { role: 'user', content: 'and now?' });
    await (await open().session('k')).send(bodyWith(messages), provider.call);
    expect(provider.received).toHaveLength(3);
    const [, before, after] = provider.received.map(({ body }) => messagesOf(body));
    expect(after!.slice(0, before!.length)).toEqual(before);
  });

  it('a later compaction does not bring them back where their messages still stand', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = limited(100_000);
    const messages = screenshots(20, 300_000, 'and more words of it. '.repeat(30));
    await (await open().session('k')).send(bodyWith(messages), provider.call);
    expect(images(provider.received.at(-1)!)).toBe(0);
    messages.push({ role: 'assistant', content: 'done' }, { role: 'user', content: 'and now?' });
    const session = await open({ policy: { threshold: 3_000, target: 2_000, tailTokens: 1_000 } }).session('k');
    const prepared = await session.prepare(bodyWith(messages));
    expect(prepared.outcome).toMatchObject({ status: 'compacted' });
    expect(prepared.text).toContain('ullage-summary');
    expect(prepared.text).toContain('saved as shot-19.png');
    expect(prepared.text).toContain('image left out');
    expect(prepared.text).not.toContain('"type":"image"');
    messages.push({ role: 'assistant', content: 'ok' }, { role: 'user', content: 'go on' });
    const next = await (await open().session('k')).prepare(bodyWith(messages));
    expect(next.text).not.toContain('"type":"image"');
  });

  it('where media alone are not enough, text is folded too, in the same retry', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = fakeProvider('anthropic', ({ sizeBytes }) => {
      if (sizeBytes > 60_000) throw apiError(413, 'Request too large (max 60KB)', { type: 'request_too_large' });
      return undefined;
    });
    const messages = screenshots(4, 300_000);
    for (let index = 0; index < 30; index++)
      messages.push(
        { role: 'assistant', content: `Part ${index}: ${'words and more words. '.repeat(150)}` },
        { role: 'user', content: `go on ${index}` },
      );
    const session = await open().session('k');
    await session.send(bodyWith(messages), provider.call);
    expect(provider.received.map(images)).toEqual([4, 0]);
    expect(provider.received[1]!.text).toContain('ullage-summary');
    expect((await session.outcomes())[0]).toMatchObject({ triggerReason: 'provider_413', status: 'compacted' });
  });

  it('a picture that the newest ask shows goes only when nothing else helps, and its words stay', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const ask = { role: 'user', content: [said('What is on this picture?'), picture(png(400_000))] };
    const kept = limited(600_000);
    await (await open().session('a')).send(bodyWith([...screenshots(3, 300_000), { role: 'assistant', content: 'ok' }, ask]), kept.call);
    expect(messagesOf(kept.received.at(-1)!.body).at(-1)).toEqual(ask);
    const gone = limited(100_000);
    await (await open().session('b')).send(bodyWith([ask]), gone.call);
    expect(gone.received).toHaveLength(2);
    expect(gone.received[1]!.text).toContain('What is on this picture?');
    expect(gone.received[1]!.text).toMatch(/image left out: \d+ bytes, 500×500 pixels/);
  });

  it('a limit that stands in the error is reached in one retry', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = fakeProvider('anthropic', ({ sizeBytes }) => {
      if (sizeBytes > 1_000_000) throw apiError(413, 'Request too large (max 1MB)', { type: 'request_too_large' });
      return undefined;
    });
    await (await open().session('k')).send(bodyWith(screenshots(20, 300_000)), provider.call);
    expect(provider.received).toHaveLength(2);
  });
});

describe('refused media (F23, B163)', () => {
  const tooWide = () =>
    apiError(
      400,
      'messages.5.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    );

  it('an image over a printed limit goes alone, once, and for good', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const messages = screenshots(6, 30_000);
    messages.splice(5, 0, { role: 'assistant', content: 'hm' }, { role: 'user', content: [said('this one'), picture(png(30_000, 8_001))] });
    const wide = png(30_000, 8_001).slice(0, 60);
    const provider = fakeProvider('anthropic', ({ text }) => {
      if (text.includes(wide)) throw tooWide();
      return undefined;
    });
    const session = await open().session('k');
    await session.send(bodyWith(messages), provider.call);
    expect(provider.received.map(images)).toEqual([7, 6]);
    expect(provider.received[1]!.text).toContain('8001×8001 pixels');
    messages.push({ role: 'assistant', content: 'done' }, { role: 'user', content: 'and now?' });
    await (await open().session('k')).send(bodyWith(messages), provider.call);
    expect(provider.received.map(images)).toEqual([7, 6, 6]);
  });

  it('without a limit the old ones go, and it is tried once', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const error = apiError(400, 'Could not process image');
    const provider = fakeProvider('anthropic', () => {
      throw error;
    });
    const messages = [
      ...screenshots(3, 3_000),
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: [said('and this?'), picture(png(3_000))] },
    ];
    const session = await open().session('k');
    expect(await failureOf(session.send(bodyWith(messages), provider.call))).toBe(error);
    expect(provider.received.map(images)).toEqual([4, 1]);
  });

  it('without any media the error surfaces as it came', async () => {
    const error = apiError(400, 'Could not process image');
    const provider = fakeProvider('anthropic', () => {
      throw error;
    });
    const session = await makeWorld({ api: 'anthropic', models }).open().session('k');
    expect(await failureOf(session.send(bodyWith([{ role: 'user', content: 'hi' }]), provider.call))).toBe(error);
    expect(provider.received).toHaveLength(1);
  });

  it.each([
    [
      'openai-chat',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png(3_000)}` } },
        ],
      },
    ],
    [
      'openai-responses',
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: `data:image/png;base64,${png(3_000)}` },
        ],
      },
    ],
  ] as const)('in %s, too', async (api, ask) => {
    const provider = fakeProvider(api, ({ text }) => {
      if (text.includes('data:image/png')) throw apiError(400, 'invalid image', { code: 'invalid_image' });
      return undefined;
    });
    const messages = [ask, { role: 'assistant', content: 'I see.' }, { role: 'user', content: 'go on' }];
    const body = api === 'openai-chat' ? { model: 'm', messages } : { model: 'm', input: messages };
    await (await makeWorld({ api, models }).open().session('k')).send(body, provider.call);
    expect(provider.received).toHaveLength(2);
    expect(codecFor(api).validate(provider.received[1]!.text)).toEqual([]);
    expect(provider.received[1]!.text).toContain('look');
  });
});

const BINDING =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block.';

/** Turns whose answers think. */
function thoughtful(turns: number): object[] {
  const messages: object[] = [];
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: `ask ${turn}` });
    const thinking = { type: 'thinking', thinking: `thought ${turn}`, signature: `sig${turn}` };
    messages.push({ role: 'assistant', content: [thinking, said(`answer ${turn}`)] });
  }
  return messages;
}

describe('refused reasoning (F09)', () => {
  const refusing = () =>
    fakeProvider('anthropic', ({ text }) => {
      if (/"signature":"sig[0-4]"/.test(text)) throw apiError(400, BINDING, { type: 'invalid_request_error' });
      return undefined;
    });

  it('is left out at once and in all later requests, also after a restart; what is thought afterwards is sent', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const provider = refusing();
    const messages = [...thoughtful(5), { role: 'user', content: 'ask 5' }];
    const session = await open().session('k');
    await session.send(bodyWith(messages), provider.call);
    expect(provider.received).toHaveLength(2);
    expect(provider.received[1]!.text).not.toContain('"thinking"');
    for (let turn = 0; turn < 5; turn++) expect(provider.received[1]!.text).toContain(`answer ${turn}`);
    messages.push({ role: 'assistant', content: [{ type: 'thinking', thinking: 'new thought', signature: 'sig5' }, said('answer 5')] });
    messages.push({ role: 'user', content: 'ask 6' });
    await (await open().session('k')).send(bodyWith(messages), provider.call);
    expect(provider.received).toHaveLength(3);
    expect(provider.received[2]!.text).toContain('sig5');
    const [, before, after] = provider.received.map(({ body }) => messagesOf(body));
    expect(after!.slice(0, before!.length)).toEqual(before);
  });

  it('is no compaction: no outcome, nothing to undo, no strike; a fold before it can still be undone', async () => {
    const { open } = makeWorld({ api: 'anthropic', models });
    const session = await open().session('k');
    await session.send(bodyWith([...thoughtful(5), { role: 'user', content: 'ask 5' }]), refusing().call);
    expect(await session.outcomes()).toEqual([]);
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' });
    expect(await session.guard()).toMatchObject({ state: 'clear', strikes: 0 });
  });

  it('after a fold keeps the fold, and undo still takes it back', async () => {
    const { open } = makeWorld({ api: 'anthropic', models, policy: { threshold: 4_000, target: 2_000, tailTokens: 1_000 } });
    const session = await open().session('k');
    const messages: object[] = [];
    for (let turn = 0; turn < 20; turn++)
      messages.push({ role: 'user', content: `ask ${turn}` }, { role: 'assistant', content: `answer ${turn} ${'word '.repeat(250)}` });
    messages.push({ role: 'user', content: 'ask 20' });
    const folded = await session.prepare(bodyWith(messages));
    expect(folded.outcome).toMatchObject({ status: 'compacted' });
    messages.push(
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'sig1' }, said('answer 20')] },
      { role: 'user', content: 'ask 21' },
    );
    const provider = refusing();
    await session.send(bodyWith(messages), provider.call);
    expect(provider.received).toHaveLength(2);
    expect(provider.received[1]!.text).toContain('ullage-summary');
    const undone = await session.undo();
    expect(undone.restoredMessages).toBeGreaterThan(10);
    const after = await session.prepare(bodyWith(messages));
    expect(after.text).not.toContain('ullage-summary');
    expect(after.text).not.toContain('sig1');
  });

  it('that was left out already, or is not there, surfaces unchanged', async () => {
    const error = apiError(400, BINDING);
    const provider = fakeProvider('anthropic', () => {
      throw error;
    });
    const session = await makeWorld({ api: 'anthropic', models }).open().session('k');
    expect(await failureOf(session.send(bodyWith([...thoughtful(2), { role: 'user', content: 'go' }]), provider.call))).toBe(error);
    expect(provider.received).toHaveLength(2);
    const other = await makeWorld({ api: 'anthropic', models }).open().session('k');
    expect(await failureOf(other.send(bodyWith([{ role: 'user', content: 'go' }]), provider.call))).toBe(error);
    expect(provider.received).toHaveLength(3);
  });

  it('does not use up the passes of an overflow that follows', async () => {
    const provider = fakeProvider('anthropic', ({ text, index }) => {
      if (text.includes('"signature"')) throw apiError(400, BINDING);
      if (index < 3) throw overflowError('anthropic');
      return undefined;
    });
    const messages: object[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const thinking = { type: 'thinking', thinking: 'hm', signature: `sig${turn}` };
      messages.push(
        { role: 'user', content: `ask ${turn}` },
        { role: 'assistant', content: [thinking, said(`answer ${turn} ${'word '.repeat(200)}`)] },
      );
    }
    const session = await makeWorld({ api: 'anthropic', models: { window: 40_000 } })
      .open()
      .session('k');
    await session.send(bodyWith([...messages, { role: 'user', content: 'go' }]), provider.call);
    expect(provider.received).toHaveLength(4);
  });

  it('encrypted reasoning of Responses goes as whole items, for good (F09)', async () => {
    const { open } = makeWorld({ api: 'openai-responses', models });
    const input: object[] = [
      { role: 'user', content: 'look at all of this' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'word '.repeat(4_000) }] },
      { role: 'user', content: 'look' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA-secret' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'text' },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAA-more' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
      { role: 'user', content: 'and now?' },
    ];
    const provider = fakeProvider('openai-responses', ({ text }) => {
      if (text.includes('gAAAA'))
        throw apiError(400, 'The encrypted content gAAA... could not be verified.', { code: 'invalid_encrypted_content' });
      return undefined;
    });
    await (await open().session('k')).send({ model: 'm', input }, provider.call);
    expect(provider.received).toHaveLength(2);
    expect(messagesOf(provider.received[1]!.body)).toEqual(input.filter((item) => (item as { type?: string }).type !== 'reasoning'));
    input.push({ role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }, { role: 'user', content: 'more' });
    await (await open().session('k')).send({ model: 'm', input }, provider.call);
    expect(provider.received).toHaveLength(3);
    const session: Session = await open({ policy: { threshold: 3_000, target: 2_000, tailTokens: 1_000 } }).session('k');
    input.push({ role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }, { role: 'user', content: 'more' });
    const prepared = await session.prepare({ model: 'm', input });
    expect(prepared.outcome?.status).toBe('compacted');
    expect(prepared.text).not.toContain('gAAAA');
  });

  it('is left out of this one request when the store is down', async () => {
    const store = memoryStore();
    const ullage = createUllage({ store, api: 'anthropic', models });
    const session = await ullage.session('k');
    const down = () => Promise.reject(new UllageError('store_unavailable', 'down'));
    Object.assign(store, { locate: down, followRequest: down });
    const provider = refusing();
    await session.send(bodyWith([...thoughtful(3), { role: 'user', content: 'go' }]), provider.call);
    expect(provider.received).toHaveLength(2);
  });
});
