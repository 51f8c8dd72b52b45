// Leaving for another API: whatever a history holds, what comes out keeps the other API's rules, and what was said is in it.
import { describe, expect, it } from 'vitest';
import { bodyOf, makeConversation } from '../../test/support/conversation.ts';
import { makeHostile } from '../../test/support/hostile.ts';
import { APIS, type Api } from '../core/transcript/entry.ts';
import { convertMessages } from './convert.ts';
import { codecFor } from './index.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

function converted(from: Api, to: Api, messages: readonly object[]): { readonly text: string; readonly messages: readonly unknown[] } {
  const out = convertMessages(
    from,
    to,
    messages.map((message) => JSON.stringify(message)),
  ).map((raw) => JSON.parse(raw) as object);
  return { text: JSON.stringify(bodyOf(to, out)), messages: out };
}

describe.each(APIS.flatMap((from) => APIS.map((to) => [from, to] as const)))('%s → %s', (from, to) => {
  it('is valid there for damaged histories of every kind', () => {
    for (const seed of SEEDS) {
      const hostile = makeHostile(from, seed, { hasUsers: seed % 7 !== 0 });
      for (let round = 0; round < 6; round++) hostile.grow();
      const violations = codecFor(to).validate(converted(from, to, hostile.messages).text);
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  });

  it('keeps what was said, called and answered', () => {
    const conversation = makeConversation(from, 3);
    conversation.grow({ steps: 3, resultWords: 40 });
    const text = JSON.stringify(converted(from, to, conversation.messages).messages);
    for (const wanted of ['Ask 0: mend', 'Never push to main.', 'Looking at part 0.2', 'src/part-0/file-2-0.ts', 'Done with 0']) {
      expect(text).toContain(wanted);
    }
    for (const message of conversation.messages) {
      for (const part of codecFor(from).decodeMessage(JSON.stringify(message)).parts) {
        if (part.kind === 'text' || part.kind === 'result') expect(text).toContain(JSON.stringify(part.text).slice(1, -1));
      }
    }
  });
});

describe('conversion', () => {
  it('gives calls that share an id ids of their own, answers with them, and a call without an answer one that says so', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
    const { messages } = converted('openai-chat', 'anthropic', [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [call('call:0')] },
      { role: 'tool', tool_call_id: 'call:0', content: 'first' },
      { role: 'assistant', content: null, tool_calls: [call('call:0'), call('x')] },
      { role: 'tool', tool_call_id: 'call:0', content: 'second' },
    ]);
    const blocks = messages.flatMap(
      (message) => (message as { content: { id?: string; tool_use_id?: string; content?: string }[] }).content,
    );
    const ids = blocks.flatMap((block) => block.id ?? []);
    expect(new Set(ids).size).toBe(3);
    const answers = new Map(blocks.flatMap((block) => (block.tool_use_id === undefined ? [] : [[block.tool_use_id, block.content]])));
    expect(ids.map((id) => answers.get(id))).toEqual(['first', 'second', 'No result was recorded for this call.']);
  });

  it('begins with a user’s message where that is a rule, and says why', () => {
    const { messages } = converted('openai-chat', 'anthropic', [
      { role: 'assistant', content: 'Hello, what can I do?' },
      { role: 'user', content: 'Mend it.' },
    ]);
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatchObject({ role: 'user' });
  });

  it('leaves a mark for media and items that cannot be carried, and no reasoning', () => {
    const { text } = converted('openai-responses', 'openai-chat', [
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'SECRET THOUGHT' }], encrypted_content: 'x' },
      { type: 'web_search_call', id: 'ws', status: 'completed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
    ]);
    expect(text).toMatch(/\[image, \d+ bytes, not carried over\]/);
    expect(text).toMatch(/\[web_search_call, \d+ characters, not carried over\]/);
    expect(text).not.toContain('SECRET THOUGHT');
  });

  it('keeps arguments that are not JSON as text where JSON is the rule', () => {
    const custom = { id: 'c', type: 'custom', custom: { name: 'patch', input: '*** Begin Patch' } };
    const history = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [custom] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ];
    const [, call] = converted('openai-chat', 'openai-responses', history).messages as { arguments: string }[];
    expect(JSON.parse(call!.arguments)).toEqual({ arguments: '*** Begin Patch' });
  });
});
