// What the extractors read in each event of a transcript, once.
import type { AtomKind } from './atom-patterns.ts';
import { extractAtoms } from './atoms.ts';
import type { FlatEvent } from './event.ts';
import { extractTokens } from './tokens.ts';
import { extractWords, findWords } from './words.ts';

/** One entry for each event. */
export interface Reading {
  readonly atoms: readonly ReadonlyMap<string, AtomKind>[];
  readonly tokens: readonly ReadonlySet<string>[];
  readonly words: readonly ReadonlySet<string>[];
  /** Words wherever they stand, in paths too. */
  readonly allWords: readonly ReadonlySet<string>[];
}

export function readEvents(events: readonly FlatEvent[]): Reading {
  return {
    atoms: events.map(({ text }) => extractAtoms(text)),
    tokens: events.map(({ text }) => extractTokens(text)),
    words: events.map(({ text }) => extractWords(text)),
    allWords: events.map(({ text }) => findWords(text)),
  };
}
