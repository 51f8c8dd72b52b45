// Did the user say what a summary says the user demands? Lines of the section on constraints are compared with the user's own words, exact
// values with what the summarizer was given.
import { findConstraints } from './constraints.ts';
import { joinSections, splitSections } from './sections.ts';

/** What became of the section. */
export interface Grounded {
  readonly text: string;
  /** Demands that nobody made, and that were left out. */
  readonly invented: number;
  /** Demands that stand in the user's words, also those of which something else was made. */
  readonly found: number;
}

const SECTION = 'constraints and preferences';
/** Words that tell of a demand without being one. */
const REPORTING = new Set(
  'the user users wants want wanted asked asks said says told prefers preferred requested demanded that and for this with from'.split(' '),
);
const USER_CLAIM = /\buser\b/i;
const WORD = /[\p{L}\p{N}_]{2,}/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** So many of a line's words must be the user's. */
const OWN_SHARE = 0.5;
/** A line of so few words ("none", "no limits") says nothing that could be invented. */
const TELLING_WORDS = 4;

/** Words; of scripts without spaces, pairs of characters. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(WORD) ?? []).flatMap((word) => {
    if (!CJK.test(word)) return [word];
    const chars = [...word];
    return chars.slice(0, -1).map((char, index) => char + chars[index + 1]!);
  });
}

const NEGATION =
  /(?<!\p{L})(?:no|not|never|without|avoid|forbidden|prohibited|cannot|except|unless|nothing|none|neither|nor|stop|refrain|nunca|jamás|sin|ni|evit\p{L}{1,4}|prohibid[oa]s?|nicht|nie|niemals|kein\p{L}{0,2}|ohne|vermeid\p{L}{1,3}|keinesfalls|weder|ne|pas|sans|jamais|interdit\p{L}{0,2}|évit\p{L}{1,4}|aucune?|não|senza|non|mai|не|ни|никогда|нельзя|без|запрещено|избега\p{L}{1,4})(?!\p{L})|n['’]t(?!\p{L})|(?<!\p{L})n['’]|[不别別勿禁没沒無无未避非]/iu;
const CLAUSE_END = /[.!?;,:…\n—。！？；，：]+/;
const LIST_MARK = /^\s{0,8}(?:[-*+•>]{1,3}|\d{1,3}[.)])?\s{0,4}/;
const NUMBER = /\d+(?:[.,]\d+)*/g;
const SHORTEST_WORD = 3;
/** So many of a line's words must be known only from clauses of the other kind. */
const TURNED_SHARE = 0.5;

/** What the user said: all words, and those that stand in what was demanded and in what was ruled out. */
interface Said {
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly positive: ReadonlySet<string>;
  readonly negative: ReadonlySet<string>;
}

const numbersOf = (text: string): readonly string[] => (text.match(NUMBER) ?? []).map((number) => number.replaceAll(',', ''));

function saidIn(text: string): Said {
  const words = new Set<string>();
  const positive = new Set<string>();
  const negative = new Set<string>();
  for (const sentence of text.split(/[.!?\n。！？]+/)) {
    const isNegative = NEGATION.test(sentence);
    for (const clause of sentence.split(CLAUSE_END)) {
      const isPositive = !isNegative || !NEGATION.test(clause);
      for (const word of wordsOf(clause)) {
        words.add(word);
        if (isPositive) positive.add(word);
        if (isNegative) negative.add(word);
      }
    }
  }
  return { words, numbers: new Set(numbersOf(text)), positive, negative };
}

/** The words are the user's, but what they say is not: another number, or "never" that was left out or put in. */
function isTurned(line: string, said: Said): boolean {
  const bare = line.replace(LIST_MARK, '');
  if (numbersOf(bare).some((number) => !said.numbers.has(number))) return true;
  return bare.split(CLAUSE_END).some((clause) => {
    const own = NEGATION.test(clause) ? said.negative : said.positive;
    const known = wordsOf(clause).filter((word) => said.words.has(word) && !REPORTING.has(word) && isTelling(word));
    return known.length > 0 && known.filter((word) => !own.has(word)).length >= known.length * TURNED_SHARE;
  });
}

function isTelling(word: string): boolean {
  return (word.length >= SHORTEST_WORD || CJK.test(word)) && !NEGATION.test(word);
}

/** The text without demands that are not in the user's words, or that say something else with them. Linear. */
export function groundConstraints(text: string, userText: string): Grounded {
  const said = saidIn(userText);
  let invented = 0;
  let found = 0;
  const keeps = (line: string): boolean => {
    const words = wordsOf(line).filter((word) => !REPORTING.has(word));
    if (words.length === 0) return true;
    const isOwn = words.filter((word) => said.words.has(word)).length >= words.length * OWN_SHARE;
    if (isOwn) found += 1;
    if (isOwn) return !isTurned(line, said);
    const isDemand = USER_CLAIM.test(line) || (words.length > TELLING_WORDS && findConstraints(line).length > 0);
    if (isDemand) invented += 1;
    return !isDemand;
  };
  const all = splitSections(text);
  const sections = all.map((section) => (section.name === SECTION ? { ...section, lines: section.lines.filter(keeps) } : section));
  const isChanged = sections.some(({ lines }, index) => lines.length !== all[index]!.lines.length);
  return { text: isChanged ? joinSections(sections.filter(hasSomething)) : text, invented, found };
}

const DATA_SECTION = 'critical data';
const DIGITS = /\d+/g;
/** Shorter numbers are counts as often as values. */
const LEAST_DIGITS = 3;
const THOUSANDS = /(?<=\d),(?=\d{3})/g;

/** The text without lines of exact values of which a number stands nowhere in what the summarizer was given. Linear. */
export function groundData(text: string, given: readonly string[]): string {
  const known = new Set(given.flatMap((each) => [...(each.match(DIGITS) ?? []), ...(each.replace(THOUSANDS, '').match(DIGITS) ?? [])]));
  const isKnown = (line: string) => (line.match(DIGITS) ?? []).every((number) => number.length < LEAST_DIGITS || known.has(number));
  const keeps = (line: string) => isKnown(line) || isKnown(line.replace(THOUSANDS, ''));
  const sections = splitSections(text);
  if (sections.every(({ name, lines }) => name !== DATA_SECTION || lines.every(keeps))) return text;
  return joinSections(
    sections.map((section) => (section.name === DATA_SECTION ? { ...section, lines: section.lines.filter(keeps) } : section)),
  );
}

function hasSomething({ name, lines }: { readonly name: string; readonly lines: readonly string[] }): boolean {
  return name !== SECTION || lines.some((line) => line.trim() !== '');
}
