// Cache markers of one message: found wherever a block can stand, never in what a model wrote; all other bytes stay.
import { describe, expect, it } from 'vitest';
import { withMarkersOf, withoutMarkers } from './markers.ts';

const MARK = '"cache_control":{"type":"ephemeral","ttl":"1h"}';

describe('withoutMarkers', () => {
  it.each([
    [
      'a text block',
      `{"role":"user","content":[{"type":"text","text":"a",${MARK}}]}`,
      '{"role":"user","content":[{"type":"text","text":"a"}]}',
    ],
    [
      'the first member',
      `{"role":"user","content":[{ ${MARK} , "type":"text","text":"a"}]}`,
      '{"role":"user","content":[{ "type":"text","text":"a"}]}',
    ],
    [
      'a result and a block inside it',
      `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x",${MARK}}],${MARK}}]}`,
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}]}]}',
    ],
    ['the message itself', `{"role":"user",${MARK},"content":"a"}`, '{"role":"user","content":"a"}'],
    [
      'a breakpoint of Responses',
      '{"type":"message","role":"user","content":[{"type":"input_text","text":"a","prompt_cache_breakpoint":{"mode":"explicit"}}]}',
      '{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}',
    ],
  ])('takes it from %s', (_, raw, bare) => {
    expect(withoutMarkers(raw)).toBe(bare);
    expect(withoutMarkers(bare)).toBe(bare);
  });

  it.each([
    ['arguments of a call', '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":{"cache_control":{"a":1}}}]}'],
    ['words', '{"role":"user","content":"set cache_control to prompt_cache_breakpoint"}'],
    ['a null', '{"role":"user","content":[{"type":"text","text":"a","cache_control":null}]}'],
  ])('leaves %s alone', (_, raw) => {
    expect(withoutMarkers(raw)).toBe(raw);
  });
});

describe('withMarkersOf', () => {
  const own = `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b",${MARK}}]}`;

  it('puts the caller’s marker on the last block that can carry one', () => {
    expect(withMarkersOf('{"role":"user","content":[{"type":"text","text":"short"},{"type":"thinking","thinking":"t"}]}', own)).toBe(
      `{"role":"user","content":[{"type":"text","text":"short",${MARK}},{"type":"thinking","thinking":"t"}]}`,
    );
  });

  it('leaves a message that has no block for it without one', () => {
    expect(withMarkersOf('{"role":"user","content":"short"}', own)).toBe('{"role":"user","content":"short"}');
    expect(withMarkersOf('{"role":"user","content":[{"type":"text","text":""}]}', own)).toBe(
      '{"role":"user","content":[{"type":"text","text":""}]}',
    );
  });

  it('takes away what the caller does not have', () => {
    expect(withMarkersOf(`{"role":"user","content":[{"type":"text","text":"s",${MARK}}]}`, '{"role":"user","content":"a"}')).toBe(
      '{"role":"user","content":[{"type":"text","text":"s"}]}',
    );
  });
});
