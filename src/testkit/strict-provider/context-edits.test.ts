// Context editing: what is cleared before the model reads it, and what the answer says of it.
import { afterEach, describe, expect, test } from 'vitest';
import { ask, bodyOf, type Json, post, providers } from './testing/client.ts';

const { start, close } = providers();
afterEach(close);

const LONG = 'abcd'.repeat(500);

function round(id: string, name = 'read'): Json[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { path: LONG } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: LONG }] },
  ];
}

const history = [{ role: 'user', content: 'Go.' }, ...round('t1'), ...round('t2', 'keep_me'), ...round('t3'), ...round('t4')];
const clearing = (more: Json = {}) => ({
  context_management: {
    edits: [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: 1_000 },
        keep: { type: 'tool_uses', value: 1 },
        ...more,
      },
    ],
  },
});

describe('clear_tool_uses', () => {
  const tokensWith = async (more?: Json) => {
    const provider = await start();
    const { body } = await ask(provider, 'anthropic', history, more);
    return { tokens: provider.requests[0]!.tokens, applied: (body.context_management as Json | undefined)?.applied_edits as Json[] };
  };

  test('the oldest results go, the newest stay; the answer tells how many and how much', async () => {
    const plain = await tokensWith();
    expect(plain.applied).toBeUndefined();
    const { tokens, applied } = await tokensWith(clearing());
    expect(applied).toEqual([{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: plain.tokens - tokens }]);
    expect(plain.tokens - tokens).toBeGreaterThan(3 * 400);
  });

  test('tools that are spared, inputs, and a least gain', async () => {
    const [{ tokens }, spared, inputs] = [
      await tokensWith(clearing()),
      await tokensWith(clearing({ exclude_tools: ['keep_me'] })),
      await tokensWith(clearing({ clear_tool_inputs: ['read'] })),
    ];
    expect(spared.applied[0]).toMatchObject({ cleared_tool_uses: 2 });
    expect(inputs.tokens).toBeLessThan(tokens - 2 * 400);
    expect((await tokensWith(clearing({ clear_at_least: { type: 'input_tokens', value: 50_000 } }))).applied).toEqual([]);
    expect((await tokensWith(clearing({ trigger: { type: 'tool_uses', value: 4 } }))).applied).toEqual([]);
    expect((await tokensWith(clearing({ trigger: undefined }))).applied).toEqual([]);
  });

  test('the window is that of the edited request, and what stands before the edit stays cached', async () => {
    const provider = await start({ window: 3_200 });
    expect((await ask(provider, 'anthropic', history)).status).toBe(400);
    expect((await ask(provider, 'anthropic', history, clearing())).status).toBe(200);
    const { body } = await post(provider, '/v1/messages/count_tokens', { ...bodyOf('anthropic', history), ...clearing() });
    const { tokens } = provider.requests[1]!;
    expect(body).toEqual({
      input_tokens: tokens,
      context_management: { original_input_tokens: provider.requests[0]!.tokens },
    });
  });

  test('a stream tells of it in its last delta', async () => {
    const { events } = await ask(await start(), 'anthropic', history, { ...clearing(), stream: true });
    const delta = events.find(({ type }) => type === 'message_delta');
    expect(delta).toMatchObject({ context_management: { applied_edits: [{ cleared_tool_uses: 3 }] } });
  });
});

describe('clear_thinking', () => {
  const edits = (keep?: unknown) => ({ max_tokens: 4_000, context_management: { edits: [{ type: 'clear_thinking_20251015', keep }] } });

  test('thinking of older turns goes; signatures are judged on the whole history', async () => {
    const provider = await start({ answer: () => ({ thinking: LONG, text: 'Done.' }) });
    const messages: Json[] = [];
    for (const text of ['One.', 'Two.', 'Three.']) {
      messages.push({ role: 'user', content: text });
      const { status, body } = await ask(provider, 'anthropic', messages, edits());
      expect(status).toBe(200);
      messages.push({ role: 'assistant', content: body.content });
    }
    messages.push({ role: 'user', content: 'Four.' });
    const appliedWith = async (keep?: unknown) =>
      ((await ask(provider, 'anthropic', messages, edits(keep))).body.context_management as Json).applied_edits;
    expect(await appliedWith()).toMatchObject([{ type: 'clear_thinking_20251015', cleared_thinking_turns: 2 }]);
    expect(await appliedWith({ type: 'thinking_turns', value: 2 })).toMatchObject([{ cleared_thinking_turns: 1 }]);
    expect(await appliedWith('all')).toEqual([]);
    const sizes = provider.requests.slice(-2).map(({ tokens }) => tokens);
    expect(sizes[1]! - sizes[0]!).toBeGreaterThan(400);
  });
});
