import { describe, expect, test } from 'vitest';
import { deriveCut } from '../oracle/cut.ts';
import { readEvents } from '../oracle/reading.ts';
import { madeTranscript } from '../testing/made-transcript.ts';
import { checkCompacted } from './validity.ts';

describe('the rules of an API', () => {
  const step = (name: string) => ({ call: { name }, result: name });
  const transcript = madeTranscript([{ user: 'go' }, step('one'), step('two'), step('three'), { agent: 'done' }]);
  const raws = transcript.entries.map(({ message }) => message.raw);

  /** The history lacks the calls at some places, what was made of it those at others: their results stay. */
  function addedBy(prefixWithout: readonly number[], madeWithout: readonly number[]) {
    const without = (positions: readonly number[]) => raws.filter((_, index) => !positions.includes(index));
    const damaged = { ...transcript, entries: transcript.entries.filter((_, index) => !prefixWithout.includes(index)) };
    const cut = { ...deriveCut(transcript.events, readEvents(transcript.events), 7), messages: damaged.entries.length };
    const exam = { transcript: damaged, cut, prefixTokens: 0, pinnedTokens: 0 };
    return checkCompacted(exam, { messages: without(madeWithout) }).added.map(({ rule }) => rule);
  }

  test('what only the compacted request breaks is charged', () => {
    expect(addedBy([], [])).toEqual([]);
    expect(addedBy([], [3])).toEqual(['anthropic/tool-result-orphan']);
  });

  test('what the history breaks itself is excused, but not more of the same', () => {
    expect(addedBy([3], [3])).toEqual([]);
    expect(addedBy([3], [3, 5])).toEqual(['anthropic/tool-result-orphan']);
  });
});
