// Sentences in which a person says what must or must not be done. The engine has a list of cues of its own; this one is not it.
import { wordsOf } from './line-context.ts';

const CUES = [
  "never|must|mustn't|only|instead|always|don't|do not|should not|shouldn't|avoid|without|at most|at least|make sure|not allowed|rather than|required|unless",
  'nunca|solo|sólo|siempre|debe|deben|debes|no uses|no toques|sin|evita|en lugar de|en vez de|como máximo|al menos|obligatorio',
  'никогда|только|всегда|нельзя|должен|должна|должны|обязательно|вместо|без|не более|не менее|избегай',
].join('|');
const WORD_CUE = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${CUES})(?![\\p{L}\\p{N}_])`, 'iu');
const HAN_CUE = /必须|不要|不能|不得|禁止|只能|始终|务必|至少|最多|而不是|避免|切勿/;

const SENTENCE_END = /(?<=[.!?。！？;；])\s+|(?<=[。！？；])|\n+/;
const LEAST_WORDS = 4;
const MOST_CHARS = 400;
/** Share of a sentence's words that one line must hold. */
const COVERED = 0.8;

/** Sentences with a cue, each once. Fenced code is not read. */
export function findConstraintSentences(text: string): readonly string[] {
  const found = new Set<string>();
  const prose = text.split('```').filter((_, index) => index % 2 === 0);
  for (const sentence of prose.flatMap((piece) => piece.split(SENTENCE_END))) {
    const clean = sentence.trim();
    if (clean.length > MOST_CHARS || !(WORD_CUE.test(clean) || HAN_CUE.test(clean))) continue;
    if (wordsOf(clean).size >= LEAST_WORDS) found.add(clean);
  }
  return [...found];
}

/** How many of the sentences are kept: one line of the text holds four fifths of their words. */
export function countKept(sentences: readonly string[], text: string): number {
  if (sentences.length === 0) return 0;
  const lines = text.split('\n').map(wordsOf);
  const linesWith = new Map<string, number[]>();
  lines.forEach((words, index) => {
    for (const word of words) {
      const known = linesWith.get(word);
      if (known === undefined) linesWith.set(word, [index]);
      else known.push(index);
    }
  });
  return sentences.filter((sentence) => {
    const words = wordsOf(sentence);
    const shared = new Map<number, number>();
    for (const word of words) for (const line of linesWith.get(word) ?? []) shared.set(line, (shared.get(line) ?? 0) + 1);
    for (const count of shared.values()) if (count >= COVERED * words.size) return true;
    return false;
  }).length;
}
