// State held by the server, and compaction by the provider itself.
import { afterEach, describe, expect, test } from 'vitest';
import { ask, bodyOf, type Json, messageOf, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const LONG = 'abcd'.repeat(1_000);
const user = { role: 'user', content: LONG };

describe('previous_response_id', () => {
  test('the held items are counted, billed and judged with the new ones', async () => {
    const provider = await start({ window: 2_500, answer: () => ({ toolCalls: [{ name: 'read', id: 'call_1' }] }) });
    const { id } = (await ask(provider, 'openai-responses', [user])).body;
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'ok' };
    const goOn = (input: unknown[]) => ask(provider, 'openai-responses', input, { previous_response_id: id });
    expect((await goOn([result])).status).toBe(200);
    expect(provider.requests[1]!.tokens).toBeGreaterThan(provider.requests[0]!.tokens);
    expect(messageOf(await goOn([user]))).toBe('No tool output found for function call call_1.');
    expect((await goOn([result, user, user])).body).toMatchObject({ error: { code: 'context_length_exceeded' } });
  });

  test('store: false keeps nothing', async () => {
    const provider = await start();
    const { id } = (await ask(provider, 'openai-responses', [user], { store: false })).body;
    expect((await ask(provider, 'openai-responses', [user], { previous_response_id: id })).status).toBe(400);
  });
});

describe('compaction by the provider', () => {
  test('responses: the endpoint answers a window to go on with, and cannot rescue an overflow', async () => {
    const provider = await start({ window: 1_500 });
    const { body } = await post(provider, '/v1/responses/compact', bodyOf('openai-responses', [user]));
    expect(body).toMatchObject({ object: 'response.compaction', output: [user, { type: 'compaction' }] });
    const output = body.output as Json[];
    expect((await ask(provider, 'openai-responses', [...output, { role: 'user', content: 'Go on.' }])).status).toBe(200);
    const over = await post(provider, '/v1/responses/compact', bodyOf('openai-responses', [user, user]));
    expect(over.body).toMatchObject({ error: { code: 'context_length_exceeded' } });
    expect(provider.requests[0]!.number).toBeUndefined();
  });

  test('responses: at a threshold the item comes first, and what stands before it counts no more', async () => {
    const provider = await start();
    const more = { context_management: [{ type: 'compaction', compact_threshold: 500 }] };
    const output = (await ask(provider, 'openai-responses', [user], more)).body.output as Json[];
    expect(output.map(({ type }) => type)).toEqual(['compaction', 'message']);
    await ask(provider, 'openai-responses', [user, ...output, { role: 'user', content: 'Go on.' }], more);
    expect(provider.requests[1]!.tokens).toBeLessThan(200);
  });

  test.each([false, true])('anthropic: on demand the answer is the block alone (stream: %s)', async (stream) => {
    const provider = await start();
    const got = await ask(provider, 'anthropic', [user], { compaction: { type: 'summarize' }, stream });
    expect(got.text).toContain('"stop_reason":"compaction"');
    if (stream) {
      expect(got.events.map(({ delta }) => (delta as Json | undefined)?.type)).toContain('compaction_delta');
      return;
    }
    const messages = [
      { role: 'assistant', content: got.body.content },
      { role: 'user', content: 'Go on.' },
    ];
    expect((await ask(provider, 'anthropic', messages)).status).toBe(200);
  });

  test('anthropic: a block made on demand stands alone, first and unchanged; one made at a threshold is not signed', async () => {
    const provider = await start();
    const { body } = await ask(provider, 'anthropic', [user], { compaction: { type: 'summarize' } });
    const [block] = body.content as [Json];
    const made = (...blocks: Json[]) => ({ role: 'assistant', content: blocks });
    const goOn = { role: 'user', content: 'Go on.' };
    const codeOf = async (messages: unknown[], signatures: 'bound' | 'all' = 'bound') => {
      const got = await ask(await start({ signatures }), 'anthropic', messages);
      return ((got.body.error as Json | undefined)?.details as Json | undefined)?.error_code ?? got.status;
    };
    expect(await codeOf([made(block), goOn], 'all')).toBe(200);
    expect(await codeOf([user, made(block), goOn])).toBe('compaction_block_misplaced');
    expect(await codeOf([made(block), goOn, made(block), goOn])).toBe('compaction_block_ambiguous');
    expect(await codeOf([made({ ...block, content: 'Another story.' }), goOn])).toBe('compaction_content_mismatch');
    expect(await codeOf([made({ ...block, signature: `${block.signature}x` }), goOn])).toBe('compaction_signature_invalid');
    expect(await codeOf([made({ ...block, signature: 'foreign' }), goOn])).toBe(200);
    expect(await codeOf([made({ ...block, signature: 'foreign' }), goOn], 'all')).toBe('compaction_signature_invalid');
    const unsigned = { type: 'compaction', content: 'So far.', encrypted_content: 'U28gZmFy' };
    expect(await codeOf([user, made(unsigned), goOn])).toBe(200);
  });

  test('anthropic: at a threshold the block comes before the answer', async () => {
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 500 } }];
    const { body } = await ask(await start(), 'anthropic', [user], { context_management: { edits } });
    expect((body.content as Json[]).map(({ type }) => type)).toEqual(['compaction', 'text']);
    expect((body.content as Json[])[0]).not.toHaveProperty('signature');
  });
});

test('a count is what the request itself will have, and is no request for an answer', async () => {
  const provider = await start();
  const body = bodyOf('anthropic', [user], { max_tokens: undefined });
  const { body: counted } = await post(provider, '/v1/messages/count_tokens?beta=true', body);
  await ask(provider, 'anthropic', [user]);
  expect(counted.input_tokens).toBe(provider.requests[1]!.tokens);
  expect(provider.requests.map(({ number }) => number)).toEqual([undefined, 1]);
  expect(provider.bill().requests).toBe(1);
});
