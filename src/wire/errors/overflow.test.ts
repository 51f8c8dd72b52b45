// F22: every wording of an overflow that providers are known to print, in the wrapper it comes in.
import { describe, expect, test } from 'vitest';
import type { ErrorClass } from '../../core/provider-error.ts';
import { classifyError } from './classify.ts';
import { anthropic, openai } from './testing/errors.ts';
import { OVERFLOWS } from './testing/overflows.ts';

const numbersOf = (found: ErrorClass) => (found.kind === 'overflow' ? { limit: found.limit, actual: found.actual } : found.kind);

describe('F22 wordings of an overflow', () => {
  test.each(OVERFLOWS)('%s', (_, error, expected) => {
    expect(numbersOf(classifyError({ error }))).toEqual({ limit: undefined, actual: undefined, ...expected });
  });

  test.each(OVERFLOWS)('%s, as JSON text in the message of an SDK', (_, error, expected) => {
    const { body, status = 400 } = error as { body?: unknown; status?: number };
    const text = JSON.stringify(body ?? error);
    const found = classifyError({ error: Object.assign(new Error(`${status} ${text}`), { status }) });
    expect(numbersOf(found)).toEqual({ limit: undefined, actual: undefined, ...expected });
  });
});

describe('F22 numbers of an overflow', () => {
  test('a count below the limit contradicts it: the limit is not learnt', () => {
    const found = classifyError({ error: anthropic('prompt is too long: 90000 tokens > 200000 maximum') });
    expect(found).toMatchObject({ kind: 'overflow', actual: 90_000 });
    expect(found).not.toHaveProperty('limit');
  });

  test('an absurd limit is not learnt', () => {
    expect(classifyError({ error: openai("This model's maximum context length is 1 tokens.") })).not.toHaveProperty('limit');
  });

  test('without a printed number no limit appears, whatever the caller believes', () => {
    const found = classifyError({ error: anthropic('prompt is too long'), ownTokens: 500_000, windowTokens: 1_000_000 });
    expect(found.kind).toBe('overflow');
    expect(found).not.toHaveProperty('limit');
  });

  test('status, code and the provider’s own text are carried', () => {
    expect(classifyError({ error: openai('Your input exceeds the context window of this model.', 'context_length_exceeded') })).toEqual({
      kind: 'overflow',
      status: 400,
      code: 'context_length_exceeded',
      text: 'Your input exceeds the context window of this model.',
    });
  });
});
