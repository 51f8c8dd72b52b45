// What holds for every answer and every run of requests: streams carry the same words, and no token is counted twice or lost.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Api } from '../../core/transcript/entry.ts';
import type { ScriptedAnswer } from './answer.ts';
import { createPrefixCache } from './prefix-cache.ts';
import { ask, type Json, PATHS, providers } from './testing/client.ts';

const { start, close } = providers();
afterAll(close);

/** The words of all deltas of a kind, in any of the shapes. */
function joined(events: readonly Json[], pick: (event: Json) => unknown): string {
  return events.map((event) => (typeof event === 'string' ? '' : (pick(event) ?? ''))).join('');
}

const deltaOf = (event: Json) => (event.delta ?? (event.choices as Json[] | undefined)?.[0]?.delta ?? {}) as Json;
const TEXT: Readonly<Record<Api, (event: Json) => unknown>> = {
  anthropic: (event) => deltaOf(event).text,
  'openai-chat': (event) => deltaOf(event).content,
  'openai-responses': (event) => (event.type === 'response.output_text.delta' ? event.delta : ''),
};
const THINKING: Readonly<Record<Api, (event: Json) => unknown>> = {
  anthropic: (event) => deltaOf(event).thinking,
  'openai-chat': (event) => deltaOf(event).reasoning_content,
  'openai-responses': (event) => (event.type === 'response.reasoning_summary_text.delta' ? event.delta : ''),
};
const ARGUMENTS: Readonly<Record<Api, (event: Json) => unknown>> = {
  anthropic: (event) => deltaOf(event).partial_json,
  'openai-chat': (event) => ((deltaOf(event).tool_calls as Json[] | undefined)?.[0]?.function as Json | undefined)?.arguments,
  'openai-responses': (event) => (event.type === 'response.function_call_arguments.delta' ? event.delta : ''),
};

test.each(Object.keys(PATHS) as Api[])('%s: the deltas of a stream are the answer', async (api) => {
  let answer: ScriptedAnswer = {};
  const provider = await start({ chunkChars: 3, answer: () => answer });
  const words = fc.string({ unit: 'binary', maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(words, words, fc.dictionary(words, words, { maxKeys: 2 }), async (text, thinking, given) => {
      answer = { text, thinking, toolCalls: [{ name: 'read', arguments: given }] };
      const { events } = await ask(provider, api, 'hi', { stream: true, max_tokens: 10_000 });
      expect(joined(events, TEXT[api])).toBe(text);
      expect(joined(events, THINKING[api])).toBe(thinking);
      expect(joined(events, ARGUMENTS[api])).toBe(JSON.stringify(given));
    }),
    { seed: 11, numRuns: 40 },
  );
});

test.each(['anthropic', 'openai-chat'] as const)('%s: the classes of the input are disjoint and sum up to it', (api) => {
  const segment = fc.record({
    text: fc.constantFrom('a', 'b', 'c'.repeat(3_000)),
    marker: fc.constantFrom(undefined, undefined, '5m' as const, '1h' as const),
  });
  const request = fc.record({ segments: fc.array(segment, { minLength: 1, maxLength: 12 }), waitMs: fc.nat(400_000) });
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 8 }), (requests) => {
      const cache = createPrefixCache();
      let nowMs = 0;
      for (const { segments, waitMs } of requests) {
        nowMs += waitMs;
        const counted = segments.map((one) => ({ ...one, tokens: one.text.length }));
        const read = cache.read({ api, scope: 's', segments: counted, minimumTokens: 1_024, nowMs });
        const classes = Object.values(read);
        expect(Math.min(...classes)).toBeGreaterThanOrEqual(0);
        expect(classes.reduce((sum, tokens) => sum + tokens, 0)).toBe(counted.reduce((sum, { tokens }) => sum + tokens, 0));
      }
    }),
    { seed: 12, numRuns: 200 },
  );
});
