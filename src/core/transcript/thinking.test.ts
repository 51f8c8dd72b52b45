import { describe, expect, it } from 'vitest';
import { assistant, call, thinking, user } from '../../../test/support/entries.ts';
import { dropBoundThinking, hasBoundThinking } from './thinking.ts';

describe('dropBoundThinking', () => {
  it('F09: drops bound blocks whole and leaves the rest', () => {
    const message = assistant(thinking(), 'text', thinking(), call('a'));
    expect(hasBoundThinking(message)).toBe(true);
    expect(dropBoundThinking(message)).toEqual([
      { kind: 'drop', part: 0 },
      { kind: 'drop', part: 2 },
    ]);
  });

  it('F09: drops everything when only reasoning would be left', () => {
    expect(dropBoundThinking(assistant(thinking(), thinking(false), '  ')).map((edit) => 'part' in edit && edit.part)).toEqual([0, 1, 2]);
  });

  it('leaves reasoning that is not bound', () => {
    expect(hasBoundThinking(assistant(thinking(false), 'x'))).toBe(false);
    expect(dropBoundThinking(assistant(thinking(false), 'x'))).toEqual([]);
    expect(dropBoundThinking(user('x'))).toEqual([]);
  });
});
