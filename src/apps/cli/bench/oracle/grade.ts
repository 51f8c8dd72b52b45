// What of the things asked at a cut stands in a text. Presence only: that a fact is printed does not prove that a model would use it.
import type { AtomKind } from './atom-patterns.ts';
import { countKept } from './constraints.ts';
import type { AskedFact, Cut } from './cut.ts';
import { isSameLine, lineAround, wordsOf } from './line-context.ts';
import { nextOccurrence, occursIn } from './occurrence.ts';
import { findWords } from './words.ts';

/** Weight that was kept, of the weight that was asked for. */
export interface Kept {
  readonly kept: number;
  readonly asked: number;
}

export interface Grades {
  readonly all: Kept;
  readonly cold: Kept;
  /** Of the cold facts, on a line that says what their own line said. */
  readonly bound: Kept;
  /** Cold facts, in this text or behind a handle that it prints. */
  readonly recoverable: Kept;
  readonly o2: Kept;
  readonly o3: Kept;
  readonly constraints: Kept;
  /** Cold facts by kind. */
  readonly kinds: ReadonlyMap<AtomKind, Kept>;
}

/** A path of which only the base name survives counts half. */
const BASE_NAME_WORTH = 0.5;
/** So many different lines of the text are compared with a fact's own. */
const MOST_LINES = 512;

/** A form of a fact that counts, and how much. */
interface Form {
  readonly text: string;
  readonly worth: number;
}

function formsOf({ text, kind }: AskedFact): readonly Form[] {
  const segments = kind === 'path' ? text.split(/[/\\]/).filter((segment) => segment !== '') : [];
  if (segments.length < 2) return [{ text, worth: 1 }];
  return [
    { text: segments.slice(-2).join(text.includes('/') ? '/' : '\\'), worth: 1 },
    { text: segments.at(-1)!, worth: BASE_NAME_WORTH },
  ];
}

/** How much of a fact stands in a text, 0 to 1. */
function presence(fact: AskedFact, text: string): number {
  return formsOf(fact).find((form) => occursIn(text, form.text))?.worth ?? 0;
}

/** How much of it stands on a line like its own. */
function boundPresence(fact: AskedFact, text: string): number {
  return formsOf(fact).find((form) => isOnOwnLine(fact, form, text))?.worth ?? 0;
}

function isOnOwnLine(fact: AskedFact, { text: form }: Form, text: string): boolean {
  const others = new Set<string>();
  for (let at = nextOccurrence(text, form); at >= 0; at = nextOccurrence(text, form, at + form.length)) {
    const line = lineAround(text, at, form.length);
    if (fact.lines.has(line)) return true;
    if (others.size < MOST_LINES) others.add(line);
  }
  return [...others].some((line) => {
    const words = wordsOf(line);
    return fact.lineWords.some((original) => isSameLine(original, words));
  });
}

/** Grades a context. `behindHandles` are the texts that its handles open, one call each. */
export function grade(cut: Cut, text: string, behindHandles: readonly string[] = []): Grades {
  const all = new Sum();
  const cold = new Sum();
  const bound = new Sum();
  const recoverable = new Sum();
  const kinds = new Map<AtomKind, Sum>();
  for (const fact of cut.facts) {
    const present = presence(fact, text);
    all.add(fact.weight, present);
    if (!fact.isCold) continue;
    cold.add(fact.weight, present);
    bound.add(fact.weight, present === 0 ? 0 : boundPresence(fact, text));
    const opened = present === 1 ? 1 : Math.max(present, ...behindHandles.map((own) => presence(fact, own)));
    recoverable.add(fact.weight, opened);
    const kind = kinds.get(fact.kind) ?? new Sum();
    kind.add(fact.weight, present);
    kinds.set(fact.kind, kind);
  }
  return { all, cold, bound, recoverable, kinds, ...otherGrades(cut, text) };
}

function otherGrades(cut: Cut, text: string): Pick<Grades, 'o2' | 'o3' | 'constraints'> {
  const o2 = new Sum();
  for (const token of cut.tokenFacts) o2.add(token.weight, text.includes(token.text) ? 1 : 0);
  const o3 = new Sum();
  const words = findWords(text);
  for (const word of cut.words) o3.add(1, words.has(word) ? 1 : 0);
  return { o2, o3, constraints: { kept: countKept(cut.constraints, text), asked: cut.constraints.length } };
}

class Sum implements Kept {
  kept = 0;
  asked = 0;

  add(weight: number, presence: number): void {
    this.asked += weight;
    this.kept += weight * presence;
  }
}
