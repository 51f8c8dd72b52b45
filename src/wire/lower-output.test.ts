// F22: an output cap is answered by a smaller number in the same bytes.
import { describe, expect, it } from 'vitest';
import type { Api } from '../core/transcript/entry.ts';
import { codecFor } from './index.ts';

function lower(api: Api, text: string, tokens: number): string | undefined {
  const codec = codecFor(api);
  return codec.lowerOutput(codec.decodeBody(text), tokens);
}

describe('lowerOutput', () => {
  it('changes the number and nothing else', () => {
    const text = '{ "max_tokens" : 20000,\n"x":1.0, "messages":[ {"role":"user","content":"max_tokens: 20000"} ] }';
    expect(lower('anthropic', text, 10_941.7)).toBe(text.replace('20000,', '10941,'));
    expect(lower('openai-chat', text, 10_941)).toBe(text.replace('20000,', '10941,'));
    expect(lower('openai-responses', '{"max_output_tokens":5000,"input":"a"}', 4_000)).toBe('{"max_output_tokens":4000,"input":"a"}');
  });

  it('changes every larger number that a body names', () => {
    expect(lower('openai-chat', '{"max_tokens":9,"max_completion_tokens":8,"messages":[]}', 5)).toBe(
      '{"max_tokens":5,"max_completion_tokens":5,"messages":[]}',
    );
    expect(lower('openai-chat', '{"max_tokens":9,"max_completion_tokens":3,"messages":[]}', 5)).toBe(
      '{"max_tokens":5,"max_completion_tokens":3,"messages":[]}',
    );
  });

  it('keeps a reasoning budget below the output', () => {
    const text = '{"max_tokens":20000,"thinking":{"type":"enabled","budget_tokens":16000},"messages":[]}';
    expect(lower('anthropic', text, 10_000)).toBe('{"max_tokens":10000,"thinking":{"type":"enabled","budget_tokens":8000},"messages":[]}');
    expect(lower('anthropic', text, 17_000)).toBe('{"max_tokens":17000,"thinking":{"type":"enabled","budget_tokens":16000},"messages":[]}');
    expect(lower('anthropic', text, 1_000)).toBeUndefined();
  });

  it.each([
    ['{"messages":[]}', 100],
    ['{"max_tokens":100,"messages":[]}', 100],
    ['{"max_tokens":100,"messages":[]}', 0],
    ['{"max_tokens":100,"messages":[]}', Number.NaN],
    ['{"max_tokens":"100","messages":[]}', 50],
    ['{"max_tokens":null,"messages":[]}', 50],
  ])('finds nothing to lower in %s to %d', (text, tokens) => {
    expect(lower('openai-chat', text, tokens)).toBeUndefined();
  });
});
