// Makes a model's summary fit its share of a fold: whole lines go, first of the sections that facts hold anyway, never all of Goal or Done.
import { estimateTokens } from '../size/estimator.ts';
import { joinSections, type SummarySection, splitSections } from './sections.ts';

/** Sections in the order in which they give up lines. Of lists that grow, the oldest lines go first. */
const GIVES_UP = ['files', 'done', 'errors and fixes', 'decisions and why', 'open questions', 'current state', 'critical data'];
const LEFT_OUT = '[… earlier lines left out …]';
const LEFT_OUT_TOKENS = 10;

/** Lines are estimated one by one and together: the sums differ a little. */
const MOST_ROUNDS = 4;

/** The text within `maxTokens`, as far as lines and then whole sections can be left out; goal, demands and the newest of Done stay. */
export function fitProse(text: string, maxTokens: number): string {
  let fitted = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const over = estimateTokens(fitted) - maxTokens;
    if (over <= 0) return fitted;
    fitted = withoutTokens(fitted, over);
  }
  const dispensable = GIVES_UP.filter((name) => name !== 'done');
  while (estimateTokens(fitted) > maxTokens && dispensable.length > 0) {
    const name = dispensable.shift();
    fitted = joinSections(splitSections(fitted).filter((section) => section.name !== name));
  }
  return fitted;
}

function withoutTokens(text: string, tokens: number): string {
  let over = tokens;
  const sections = [...splitSections(text)];
  for (const name of GIVES_UP) {
    const at = sections.findIndex((section) => section.name === name);
    if (at < 0 || over <= 0) continue;
    const cut = withoutFirstLines(sections[at]!, over);
    over -= cut.saved;
    sections[at] = cut.section;
  }
  return joinSections(sections);
}

function withoutFirstLines(section: SummarySection, over: number): { readonly section: SummarySection; readonly saved: number } {
  const lines = section.lines.filter((line) => line.trim() !== '' && line !== LEFT_OUT);
  let saved = -LEFT_OUT_TOKENS;
  let count = 0;
  // The newest line stays.
  while (count < lines.length - 1 && saved < over) {
    saved += estimateTokens(lines[count]!) + 1;
    count += 1;
  }
  return count === 0 ? { section, saved: 0 } : { section: { ...section, lines: [LEFT_OUT, ...lines.slice(count)] }, saved };
}
