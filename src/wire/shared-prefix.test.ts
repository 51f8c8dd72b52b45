// A body cut with the one before it at hand is cut alike: the known part is only ever a shortcut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

const SEED = 47;

function textOf(api: Api, parts: { messages: readonly object[]; before: object; after: object }): string {
  const key = api === 'openai-responses' ? 'input' : 'messages';
  return JSON.stringify({ ...parts.before, [key]: parts.messages, ...parts.after });
}

const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.string({ unit: 'binary' }) });

describe.each(['anthropic', 'openai-chat', 'openai-responses'] as const)('%s', (api) => {
  it('gives the same places with and without the body before it', () => {
    const parts = fc.record({
      shared: fc.array(message, { maxLength: 6 }),
      old: fc.array(message, { maxLength: 3 }),
      added: fc.array(message, { maxLength: 3 }),
      before: fc.record({ model: fc.constantFrom('m', 'n') }, { requiredKeys: [] }),
      newBefore: fc.record({ model: fc.constantFrom('m', 'n') }, { requiredKeys: [] }),
      after: fc.record({ tools: fc.constant([{ name: 'x]}' }]) }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(parts, ({ shared, old, added, before, newBefore, after }) => {
        const codec = codecFor(api);
        const previous = codec.decodeBody(textOf(api, { messages: [...shared, ...old], before, after }));
        const text = textOf(api, { messages: [...shared, ...added], before: newBefore, after });
        const { sharedCount, ...body } = codec.decodeBody(text, previous);
        const { sharedCount: none, ...alone } = codec.decodeBody(text);
        expect(body).toEqual(alone);
        expect(none).toBe(0);
        expect(sharedCount).toBeLessThanOrEqual(body.messages.length);
        for (let index = 0; index < sharedCount; index++) expect(body.messages[index]).toEqual(previous.messages[index]);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('shares all messages of an extended body', () => {
    const codec = codecFor(api);
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    const previous = codec.decodeBody(textOf(api, { messages, before: {}, after: {} }));
    expect(codec.decodeBody(textOf(api, { messages: [...messages, ...messages], before: {}, after: {} }), previous).sharedCount).toBe(2);
  });
});
