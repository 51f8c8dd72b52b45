// One cut of a transcript: everything that a context made from its prefix is asked for.
import type { AtomKind } from './atom-patterns.ts';
import { findConstraintSentences } from './constraints.ts';
import type { FlatEvent } from './event.ts';
import { lineAround, wordsOf } from './line-context.ts';
import { type NeededFact, neededFacts, type Prefix, prefixOf } from './needed.ts';
import type { Reading } from './reading.ts';

/** A cut with fewer needed facts says nothing. */
export const LEAST_FACTS = 8;
/** Events in which a token of the second extractor may stand. */
const MOST_TOKEN_EVENTS = 8;
/** Events in which a plain word may stand. */
const MOST_WORD_EVENTS = 3;
/** What was last seen so close to the cut is hot: any tail keeps it. */
const HOT_TOKENS = 4_000;
const HOT_SHARE = 0.1;
/** So many lines of a fact are compared word by word, the oldest and the newest ones; the others only count when they are kept whole. */
const MOST_COMPARED_LINES = 64;

export interface AskedFact {
  readonly text: string;
  readonly kind: AtomKind;
  /** 1/(1 + log₂ of the events it stands in). */
  readonly weight: number;
  /** Last seen well before the cut. */
  readonly isCold: boolean;
  /** The lines it stood on. */
  readonly lines: ReadonlySet<string>;
  /** Words of them. */
  readonly lineWords: readonly ReadonlySet<string>[];
}

export interface AskedToken {
  readonly text: string;
  readonly weight: number;
}

export interface Cut {
  /** Events before this index are the prefix. */
  readonly at: number;
  /** Messages before this index are the prefix. */
  readonly messages: number;
  /** Estimated tokens of the texts of the prefix. */
  readonly tokens: number;
  readonly facts: readonly AskedFact[];
  readonly tokenFacts: readonly AskedToken[];
  readonly words: readonly string[];
  readonly constraints: readonly string[];
}

/** What is asked at a cut. Deterministic. */
export function deriveCut(events: readonly FlatEvent[], reading: Reading, at: number): Cut {
  const prefix = prefixOf(events, at);
  const tokens = events.slice(0, at).reduce((sum, event) => sum + event.tokens, 0);
  const sentences = events.slice(0, at).flatMap(({ genuine }) => findConstraintSentences(genuine ?? ''));
  return {
    at,
    messages: events[at]!.message,
    tokens,
    facts: askedFacts(prefix, reading, tokens),
    tokenFacts: neededFacts(prefix, {
      factsAt: (index) => reading.tokens[index]!,
      isSubstring: true,
      mostEvents: MOST_TOKEN_EVENTS,
    }).map((fact) => ({ text: fact.text, weight: weightOf(fact) })),
    words: neededFacts(prefix, {
      factsAt: (index) => reading.words[index]!,
      standingAt: (index) => reading.allWords[index]!,
      mostEvents: MOST_WORD_EVENTS,
    }).map(({ text }) => text),
    constraints: [...new Set(sentences)],
  };
}

function weightOf({ frequency }: NeededFact): number {
  return 1 / (1 + Math.log2(frequency));
}

function askedFacts(prefix: Prefix, reading: Reading, tokens: number): readonly AskedFact[] {
  const hotTokens = Math.min(HOT_TOKENS, HOT_SHARE * tokens);
  const behind = tokensBehind(prefix);
  return neededFacts(prefix, { factsAt: (index) => reading.atoms[index]! }).map((fact) => ({
    text: fact.text,
    kind: kindOf(reading, prefix, fact.text),
    weight: weightOf(fact),
    isCold: behind[fact.places.at(-1)!.index]! > hotTokens,
    ...linesOf(prefix, fact),
  }));
}

/** For each event of the prefix, tokens between its end and the cut. */
function tokensBehind({ events, cut }: Prefix): readonly number[] {
  const behind = new Array<number>(cut).fill(0);
  for (let index = cut - 2; index >= 0; index -= 1) behind[index] = behind[index + 1]! + events[index + 1]!.tokens;
  return behind;
}

function kindOf({ atoms }: Reading, { cut }: Prefix, text: string): AtomKind {
  for (let index = 0; index < cut; index += 1) {
    const kind = atoms[index]!.get(text);
    if (kind !== undefined) return kind;
  }
  return 'identifier';
}

function linesOf({ joined }: Prefix, { places, text }: NeededFact): Pick<AskedFact, 'lines' | 'lineWords'> {
  const lines = new Set(places.map(({ at }) => lineAround(joined.text, at, text.length)));
  const all = [...lines];
  const half = MOST_COMPARED_LINES / 2;
  const compared = all.length <= MOST_COMPARED_LINES ? all : [...all.slice(0, half), ...all.slice(-half)];
  return { lines, lineWords: compared.map(wordsOf) };
}
