// F09: thinking is bound to what stands before it, sealed reasoning to the account and to what follows it.
import { afterEach, describe, expect, test } from 'vitest';
import { ask, bodyOf, type Json, messageOf, PATHS, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const CONTROLS = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' };
const BOUND =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

/** A first turn with thinking: the messages to go on with. */
async function firstTurn(provider: Awaited<ReturnType<typeof start>>, more: Json = {}): Promise<Json[]> {
  const { body } = await ask(provider, 'anthropic', 'Hello.', more);
  return [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: body.content },
    { role: 'user', content: 'Go on.' },
  ];
}

const thinking = () => ({ thinking: 'Let me think.', text: 'Hello to you.' });

describe('F09 prefix-bound signatures', () => {
  test('sent back as it came it is taken, by another provider too', async () => {
    const messages = await firstTurn(await start({ answer: thinking }));
    expect((await ask(await start(), 'anthropic', messages)).status).toBe(200);
  });

  test.each<[string, (messages: Json[]) => unknown[], Json]>([
    ['another first message', ([, ...rest]) => [{ role: 'user', content: 'Hello!' }, ...rest], {}],
    ['another system', (messages) => messages, { system: 'Be brief.' }],
    ['other tools', (messages) => messages, { tools: [{ name: 'x', input_schema: {} }] }],
  ])('%s: refused', async (_, change, more) => {
    const provider = await start({ answer: thinking });
    const got = await ask(provider, 'anthropic', change(await firstTurn(provider)), more);
    expect([got.status, messageOf(got)]).toEqual([400, BOUND]);
  });

  test.each<[string, (messages: Json[]) => unknown[], Json]>([
    [
      'a cache marker',
      ([, ...rest]) => [{ role: 'user', content: [{ type: 'text', text: 'Hello.', cache_control: { type: 'ephemeral' } }] }, ...rest],
      {},
    ],
    ['another limit', (messages) => messages, { max_tokens: 7 }],
    [
      'without the thinking',
      ([first, , last]) => [first, { role: 'assistant', content: [{ type: 'text', text: 'Hello to you.' }] }, last],
      {},
    ],
  ])('%s: taken', async (_, change, more) => {
    const provider = await start({ answer: thinking });
    expect((await ask(provider, 'anthropic', change(await firstTurn(provider)), more)).status).toBe(200);
  });

  test('a damaged signature, words that were changed', async () => {
    const provider = await start({ answer: thinking });
    const [first, second, last] = await firstTurn(provider);
    const [block, text] = second!.content as Json[];
    const sent = async (changed: Json) =>
      messageOf(await ask(provider, 'anthropic', [first, { role: 'assistant', content: [{ ...block, ...changed }, text] }, last]));
    expect(await sent({ signature: `${String(block!.signature)}x` })).toBe('messages.1.content.0: Invalid `signature` in `thinking` block');
    expect(await sent({ thinking: 'Other words.' })).toMatch(/blocks in the latest assistant message cannot be modified/);
    expect(await sent({ thinking: '' })).toBeUndefined();
  });

  test('drop_block lets it pass and says what was dropped; the header alone only reports', async () => {
    const provider = await start({ answer: thinking });
    const [, ...rest] = await firstTurn(provider);
    const body = bodyOf('anthropic', [{ role: 'user', content: 'Hello!' }, ...rest]);
    const dropping = { ...body, thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } };
    const sent = async (given: Json, headers = {}) => post(provider, PATHS.anthropic, given, headers);
    expect((await sent(dropping, CONTROLS)).body.input_transformations).toMatchObject([
      { type: 'thinking_dropped', path: 'messages.1.content.0' },
    ]);
    expect((await sent(body, CONTROLS)).body.input_transformations).toMatchObject([{ type: 'thinking_mismatch_allowed' }]);
    expect((await sent(dropping)).status).toBe(400);
  });

  test('signatures of others are taken, unless all are asked for', async () => {
    const foreign = [
      { role: 'user', content: 'Hello.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'EqQBCg' },
          { type: 'text', text: 'Hi.' },
        ],
      },
      { role: 'user', content: 'Go on.' },
    ];
    const status = async (signatures: 'bound' | 'all' | 'none') => (await ask(await start({ signatures }), 'anthropic', foreign)).status;
    expect([await status('bound'), await status('all'), await status('none')]).toEqual([200, 400, 200]);
  });

  test('a scripted refusal meets only a request with thinking', async () => {
    const provider = await start({ answer: thinking, script: [{ type: 'signature', at: 'always' }] });
    const got = await ask(provider, 'anthropic', await firstTurn(provider));
    expect(messageOf(got)).toBe(BOUND);
  });
});

describe('F09 reasoning items', () => {
  const answer = () => ({ thinking: 'Hm.', toolCalls: [{ name: 'read', id: 'call_1' }] });
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
  const user = { role: 'user', content: 'hi' };

  test('a call needs the reasoning it came with', async () => {
    const provider = await start({ answer });
    const [reasoning, call] = (await ask(provider, 'openai-responses', [user])).body.output as Json[];
    expect((await ask(provider, 'openai-responses', [user, reasoning, call, result])).status).toBe(200);
    const got = await ask(provider, 'openai-responses', [user, call, result]);
    const { id } = reasoning!;
    expect(messageOf(got)).toBe(
      `Item '${String(call!.id)}' of type 'function_call' was provided without its required 'reasoning' item: '${String(id)}'.`,
    );
  });

  test('sealed content belongs to its account', async () => {
    const provider = await start({ answer });
    const sent = (input: unknown[], key: string) =>
      post(provider, PATHS['openai-responses'], bodyOf('openai-responses', input, { include: ['reasoning.encrypted_content'] }), {
        authorization: `Bearer ${key}`,
      });
    const output = (await sent([user], 'a')).body.output as Json[];
    expect((await sent([user, ...output, result], 'a')).status).toBe(200);
    expect((await sent([user, ...output, result], 'b')).body).toMatchObject({ error: { code: 'invalid_encrypted_content' } });
  });
});
