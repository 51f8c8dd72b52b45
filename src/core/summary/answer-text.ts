// The text of an answer without what stands around it: reasoning, a fence, words before the first heading, titles of ours; headings as asked for.
import { TITLE } from '../plan/carried.ts';
import { splitSections } from './sections.ts';

const REASONING_START = /^<(think|thinking|reasoning)>/i;
/** Templates that open the reasoning themselves leave only its end in the answer. */
const REASONING_END = /<\/(?:think|thinking|reasoning)>(?=\s{1,8}(?:#|\*\*))/i;
const FENCE_START = /^```(?:markdown|md|text)?[ \t]{0,8}$/i;
const FENCE_END = '```';

/** What models write in place of the names they were told. */
const NAMES: Readonly<Record<string, RegExp>> = {
  Goal: /^(?:(?:the |main |overall |current |user'?s? )?(?:goals?|objectives?)|objetivos?|ziele?|objectifs?|obiettiv[oi]|цел[ьи]|目标|目標|目的|목표)$/i,
  'Constraints and preferences':
    /^(?:(?:the |user'?s? )?(?:constraints?|preferences|requirements|rules)(?:(?: and | ?[&/] ?)(?:constraints?|preferences|requirements|rules))?|restricciones(?: y preferencias)?|(?:vorgaben|einschränkungen|randbedingungen)(?: und (?:vorlieben|präferenzen|wünsche))?|contraintes(?: et préférences)?|restrições(?: e preferências)?|vincoli(?: e preferenze)?|ограничения(?: и предпочтения)?|约束(?:条件)?(?:[和与及](?:偏好|首选项))?|限制(?:[和与及]偏好)?|制約(?:と(?:希望|好み))?|제약(?: ?조건)?(?: 및 선호(?: ?사항)?)?)$/i,
  Done: /^(?:done(?: so far)?|completed(?: work| tasks)?|work done|what was done|accomplished|finished|hecho|realizado|completado|erledigt(?:es)?|fertig|getan|fait|terminé|réalisé|accompli|fatto|feito|concluído|сделано|выполнено|готово|(?:已)?完成(?:的工作)?|完了|완료)$/i,
  'Open at that time':
    /^(?:next steps?|to-?dos?|remaining (?:work|tasks)|pending (?:asks?|tasks?|work)|action items|what to do next|próximos pasos|nächste schritte|prochaines étapes|следующие шаги|下一步|待办(?:事项)?)$/i,
};

const LONGEST_HEADING_CHARS = 200;
const HASHED = /^(#{1,6})[ \t]{1,4}(.{1,200})$/;
/** `**Goal**`, `1. **Goal:** and text` */
const BOLD = /^(?:\d{1,2}[.)][ \t]{1,4})?\*\*([^*]{1,80})\*\*[ \t]{0,4}(:?.{0,200})$/;
/** What may stand around a name: a number, signs, emphasis. */
const BEFORE_NAME = /^(?:[^\p{L}\p{N}]{0,8}\d{1,2}[.)])?[^\p{L}\p{N}]{0,8}/u;
const AFTER_NAME = /[*_:\s]{1,8}$/;

/** The name as it was asked for; undefined for another. */
function knownName(text: string): string | undefined {
  const bare = text.replace(BEFORE_NAME, '').replace(AFTER_NAME, '').replaceAll('’', "'");
  return Object.keys(NAMES).find((name) => NAMES[name]!.test(bare));
}

/** A line that is a heading in one of the forms models use, as `## Name`, what follows it on the line below; another line as it is. */
function canonicalLine(line: string): string {
  if (line.length > LONGEST_HEADING_CHARS) return line;
  const [, hashes, title = ''] = HASHED.exec(line) ?? [];
  if (hashes !== undefined) return canonicalTitle(hashes, title) ?? line;
  const [, bold, rest = ''] = BOLD.exec(line) ?? [];
  return bold === undefined ? line : (canonicalTitle('##', bold, rest) ?? line);
}

function canonicalTitle(hashes: string, title: string, rest = ''): string | undefined {
  const whole = knownName(title);
  const colon = title.search(/[:：]/);
  const name = whole ?? (colon < 0 ? undefined : knownName(title.slice(0, colon)));
  if (name === undefined) return undefined;
  const below = (whole === undefined ? title.slice(colon + 1) : rest.replace(/^:/, '')).replace(/^\*\*/, '').trim();
  return `${hashes} ${name}${below === '' ? '' : `\n${below}`}`;
}

function withoutReasoning(text: string): string {
  const name = REASONING_START.exec(text)?.[1];
  if (name === undefined) {
    const end = REASONING_END.exec(text);
    return end === null ? text : text.slice(end.index + end[0].length);
  }
  const close = text.toLowerCase().indexOf(`</${name.toLowerCase()}>`);
  // Reasoning that does not end is all there is.
  return close < 0 ? '' : text.slice(close + name.length + 3);
}

function withoutFence(text: string): string {
  const first = text.indexOf('\n');
  const isFenced = first > 0 && FENCE_START.test(text.slice(0, first)) && text.endsWith(`\n${FENCE_END}`) && text.length > first + 4;
  return isFenced ? text.slice(first + 1, -FENCE_END.length - 1) : text;
}

const TITLES: ReadonlySet<string> = new Set(Object.values(TITLE));

/** The answer's own text. Linear. */
export function answerText(answer: string): string {
  const text = withoutFence(withoutReasoning(answer.replaceAll('\r\n', '\n').trim()).trim());
  const lines = text.split('\n').filter((line) => !TITLES.has(line.trim()));
  return lines.map(canonicalLine).join('\n').trim();
}

/** Without the words before the first heading: a greeting, or whatever else was not asked for. */
export function fromFirstHeading(text: string): string {
  const first = splitSections(text)[0];
  return first?.heading === '' ? text.split('\n').slice(first.lines.length).join('\n') : text;
}
