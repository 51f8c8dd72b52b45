// Did the user say what a summary says the user demands? Lines of the section on constraints are compared with the user's own words.
import { findConstraints } from './constraints.ts';
import { joinSections, splitSections } from './sections.ts';

/** What became of the section. */
export interface Grounded {
  readonly text: string;
  /** Demands that nobody made, and that were left out. */
  readonly invented: number;
  /** Demands that stand in the user's words. */
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

/** The text without demands that are not in the user's words. Linear. */
export function groundConstraints(text: string, userText: string): Grounded {
  const known = new Set(wordsOf(userText));
  let invented = 0;
  let found = 0;
  const sections = splitSections(text).map((section) => {
    if (section.name !== SECTION) return section;
    const lines = section.lines.filter((line) => {
      const words = wordsOf(line).filter((word) => !REPORTING.has(word));
      if (words.length === 0) return true;
      const own = words.filter((word) => known.has(word)).length;
      const isOwn = own >= words.length * OWN_SHARE;
      const isDemand = USER_CLAIM.test(line) || (words.length > TELLING_WORDS && findConstraints(line).length > 0);
      if (isOwn) found += 1;
      else if (isDemand) invented += 1;
      return isOwn || !isDemand;
    });
    return { ...section, lines };
  });
  return { text: invented === 0 ? text : joinSections(sections.filter(hasSomething)), invented, found };
}

function hasSomething({ name, lines }: { readonly name: string; readonly lines: readonly string[] }): boolean {
  return name !== SECTION || lines.some((line) => line.trim() !== '');
}
