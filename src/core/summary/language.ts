// In which script and language a text is written, as far as it is certain. Only clear cases count: a wrong "other language" costs a good summary.

/** What is certain of a text. */
export interface LanguageGuess {
  /** The script of most letters; undefined when there are too few. */
  readonly script?: Script;
  /** English name of the language; undefined when nothing is certain. */
  readonly language?: string;
}

type Script = 'latin' | 'cyrillic' | 'han' | 'kana' | 'hangul' | 'arabic' | 'hebrew' | 'greek' | 'devanagari' | 'thai';

const SCRIPTS: readonly (readonly [Script, RegExp])[] = [
  ['latin', /\p{Script=Latin}/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['han', /\p{Script=Han}/gu],
  ['kana', /\p{Script=Hiragana}|\p{Script=Katakana}/gu],
  ['hangul', /\p{Script=Hangul}/gu],
  ['arabic', /\p{Script=Arabic}/gu],
  ['hebrew', /\p{Script=Hebrew}/gu],
  ['greek', /\p{Script=Greek}/gu],
  ['devanagari', /\p{Script=Devanagari}/gu],
  ['thai', /\p{Script=Thai}/gu],
];

const LANGUAGE_OF_SCRIPT: Readonly<Partial<Record<Script, string>>> = {
  han: 'Chinese',
  kana: 'Japanese',
  hangul: 'Korean',
  hebrew: 'Hebrew',
  greek: 'Greek',
  thai: 'Thai',
};

const COMMON_WORDS: Readonly<Record<string, string>> = {
  English: 'the and of to is was that for it with on are this not by be from have you which were been has but they should what there will',
  Spanish: 'el la los las de que y en un una por con para no se del es como pero fue más este está al lo su sin hay ya también',
  French: 'le la les des et est une un que pour dans pas sur avec ne du qui au ce il sont été plus cette aux mais sans vous nous',
  German: 'der die das und ist nicht ein eine zu den mit von auf für im dem wird werden auch sich des wurde als bei nach noch aber oder',
  Portuguese: 'o os de que e em um uma por com para não se do da no na é como foi mais este está ao das dos mas sem também você',
  Italian: 'il lo la gli di che e un una per con non del della è sono nel come più questo stato al ma senza anche della delle',
};

const WORD_SETS = Object.entries(COMMON_WORDS).map(([language, words]) => [language, new Set(words.split(' '))] as const);
/** A word of several languages says little of which it is. */
const SHARED_WEIGHT = 0.1;
const isShared = (word: string): boolean => WORD_SETS.filter(([, set]) => set.has(word)).length > 1;
const WEIGHTS = WORD_SETS.map(
  ([language, set]) => [language, new Map([...set].map((word) => [word, isShared(word) ? SHARED_WEIGHT : 1]))] as const,
);

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]{1,400}`/g;
const HEADING = /^#{1,6}[ \t].*$/gm;
const NAME_MARK = /[/\\_=<>{}()[\]@#$|~:\d]|\p{Ll}\p{Lu}/u;
const READ_CHARS = 40_000;
const BRACKETS = /^[([]{1,4}|[)\]:]{1,4}$/g;

/** A script other than Latin counts from this share of the letters: the rest are names, which are Latin in every language. */
const OTHER_SCRIPT_SHARE = 0.25;
const KANA_SHARE = 0.1;
const LEAST_LETTERS = 16;
/** So few letters of another script are a word of their own: one of both was pasted, and nobody can say which. */
const LEAST_OTHER_LETTERS = 4;
/** Of words that only one language has, in all and of the words read. */
const LEAST_COMMON_WORDS = 2;
const LEAST_COMMON_SHARE = 0.05;
/** Fewer common words are too few to say that a text is in a language. */
const CERTAIN_WORDS = 6;
/** The second language may come this near. */
const SECOND_SHARE = 0.6;

/** Prose without code, headings and names. */
function proseOf(text: string): string {
  const bare = text.slice(0, READ_CHARS).replace(CODE, ' ').replace(HEADING, ' ');
  return bare
    .split(/\s+/)
    .filter((word) => !NAME_MARK.test(word.replace(BRACKETS, '')))
    .join(' ');
}

function lettersOf(prose: string): ReadonlyMap<Script, number> {
  return new Map(SCRIPTS.map(([script, pattern]) => [script, prose.match(pattern)?.length ?? 0]));
}

/** Japanese is written with Chinese characters too. */
function isJapanese(letters: ReadonlyMap<Script, number>): boolean {
  const kana = letters.get('kana') ?? 0;
  return kana > 0 && kana >= KANA_SHARE * ((letters.get('han') ?? 0) + kana);
}

function wordScores(prose: string): { readonly words: number; readonly scores: readonly (readonly [string, number])[] } {
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = WEIGHTS.map(([language, weights]) => [language, words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)] as const);
  return { words: words.length, scores: scores.toSorted((a, b) => b[1] - a[1]) };
}

/** Script and language of a text, where they are certain: not where it is in one, and holds whole sentences of another, as what was pasted does. */
export function guessLanguage(text: string): LanguageGuess {
  const prose = proseOf(text);
  const letters = lettersOf(prose);
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0);
  if (all < LEAST_LETTERS) return {};
  const other = [...letters].filter(([script]) => script !== 'latin').toSorted((a, b) => b[1] - a[1])[0];
  if (other !== undefined && other[1] >= all * OTHER_SCRIPT_SHARE) {
    if (holdsSentences(prose)) return {};
    const script = other[0] === 'han' && isJapanese(letters) ? 'kana' : other[0];
    return { script, language: LANGUAGE_OF_SCRIPT[script] };
  }
  if (other !== undefined && other[1] >= LEAST_OTHER_LETTERS) return {};
  return { script: 'latin', language: latinLanguage(prose) };
}

/** More of a language in Latin letters than a quoted message has. */
function holdsSentences(prose: string): boolean {
  return (wordScores(prose).scores[0]?.[1] ?? 0) >= CERTAIN_WORDS && latinLanguage(prose) !== undefined;
}

function latinLanguage(prose: string): string | undefined {
  const { words, scores } = wordScores(prose);
  const [[language, best], [, second]] = [scores[0]!, scores[1]!];
  const isCertain = best >= LEAST_COMMON_WORDS && best >= words * LEAST_COMMON_SHARE && second <= best * SECOND_SHARE;
  return isCertain ? language : undefined;
}

/** A text in another script than asked for still passes when so many of its letters are of it: the rest may be quotations. */
const QUOTED_SHARE = 0.1;

/** True when it is certain that a summary is in another script or language than the one its user writes in. */
export function isOtherLanguage(summary: string, userText: string): boolean {
  const user = guessLanguage(userText);
  if (user.script === undefined) return false;
  const prose = proseOf(summary);
  const letters = lettersOf(prose);
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0);
  if (all < 2 * LEAST_LETTERS) return false;
  if (user.script === 'han' && isJapanese(letters)) return true;
  if (user.script !== 'latin') return (letters.get(user.script) ?? 0) < all * QUOTED_SHARE;
  if ((letters.get('latin') ?? 0) < all * (1 - OTHER_SCRIPT_SHARE)) return true;
  if (user.language === undefined) return false;
  const { scores } = wordScores(prose);
  const [language, best] = scores[0]!;
  const own = scores.find(([name]) => name === user.language)?.[1] ?? 0;
  return language !== user.language && best >= CERTAIN_WORDS && own < best / 2;
}
