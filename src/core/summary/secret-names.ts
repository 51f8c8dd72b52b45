// Secrets that are known by the name before them: assignments, flags, SQL, prose. A pattern finds name and separator; the value behind
// is read by hand, so that no text can make it slow. Names are looked for once for all rules.
import { isSecretValue, looksRandom } from './secret-values.ts';

const NAME =
  '(?<name>pass(?:word|wd|phrase|code)|pwd|secret|token|api[ _-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|' +
  'account[_-]?key|auth[_-]?key|session[_-]?key|credentials?|contrase[nñ]a|passwort|kennwort|mot de passe|пароль|密码|口令|密钥)';
const SUFFIX = '(?:[_-]?(?:key|id|value|hash|base64|b64|string|text|data|[0-9]{1,3})){0,2}';
const BLANK = '[ \\t]{0,8}';
const TYPE = '(?:(?:string|str|&str|text)[ \\t]{0,2}=[ \\t]{0,2})?';
const SIGN = `(?<sign>\\\\{0,3}["'\`]?\\]?${BLANK}(?::=|=>|!?={1,3}|[:：])${BLANK}${TYPE})`;
const VERB = '[ \\t]{0,3}(?:(?<=[ \\t])(?:is|was|ist|es|est|это)(?=[ \\t:])|是|为)[ \\t]{0,3}[:：]?[ \\t]{0,3}';

/** No name holds the beginning of another one: those found one behind the other are all there are. */
const NAMES = new RegExp(`${NAME.replace('?<name>', '?:')}|identified by`, 'gi');

interface Place {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  readonly isEnvironment: boolean;
}

interface Rule {
  readonly pattern: RegExp;
  readonly isSecret: (place: Place) => boolean;
  /** True when only a value in quotes counts. */
  readonly needsQuote?: boolean;
  /** What must stand directly before the name. */
  readonly after?: RegExp;
}

const RULES: readonly Rule[] = [
  { pattern: new RegExp(`${NAME}${SUFFIX}${SIGN}`, 'iy'), isSecret: isSecretValue },
  { pattern: new RegExp(`${NAME}[ \\t]{1,4}`, 'iy'), isSecret: isSecretValue, after: /--?[\w-]{0,24}$/ },
  { pattern: /(?<name>password|identified by)[ \t]{1,4}/iy, isSecret: isSecretValue, needsQuote: true },
  { pattern: new RegExp(`${NAME}${VERB}`, 'iy'), isSecret: ({ value }) => looksRandom(value) },
];

const QUOTE = /\\{0,3}["'`]/y;
const BARE_END = /[\s"'`<>\\，。；]/;
const CLOSING = /[&,;)}\]]/;
const NEXT_NAME = /[\w.-]{1,40}["']?[:=]/y;

interface Value {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where the text begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** The value at this place: up to its closing quote or the line's end, else up to where it visibly ends. */
function readValue(text: string, at: number): Value {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text)?.[0];
  const start = at + (quote?.length ?? 0);
  let end = start;
  if (quote !== undefined) end = closingQuote(text, start, quote);
  else while (end < text.length && isBare(text, end)) end += 1;
  return { text: text.slice(start, end), isQuoted: quote !== undefined, start, end };
}

/** Where the closing quote begins, or the line ends. A quote behind more backslashes than the opening one had is part of the value. */
function closingQuote(text: string, start: number, quote: string): number {
  const escapes = quote.length - 1;
  const mark = quote[escapes];
  let backslashes = 0;
  for (let at = start; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === mark && backslashes % (2 * (escapes + 1)) === escapes) return at - escapes;
    backslashes = text[at] === '\\' ? backslashes + 1 : 0;
  }
  const lineEnd = text.indexOf('\n', start);
  return lineEnd < 0 ? text.length : lineEnd;
}

/** A closing character belongs to the value only when the value goes on behind it and no next name begins there. */
function isBare(text: string, at: number): boolean {
  const char = text[at]!;
  if (BARE_END.test(char)) return false;
  if (!CLOSING.test(char)) return true;
  const next = text[at + 1];
  NEXT_NAME.lastIndex = at + 1;
  return next !== undefined && !BARE_END.test(next) && !CLOSING.test(next) && !NEXT_NAME.test(text);
}

// A mark names its kind with the same words: they must not be read as a name again.
const INSIDE_MARK = /\[redacted:[a-z-]{0,24}$/;
const LONGEST_BEFORE_CHARS = 40;
const MARK = /^\[redacted:[a-z-]{1,24}\]?$/;

function kindOf(name: string): string {
  if (/pass|pwd|contra|wort|mot de|пароль|密码|口令|identified/i.test(name)) return 'password';
  if (/token/i.test(name)) return 'token';
  return /key|密钥/i.test(name) ? 'key' : 'secret';
}

/** Where a name of any rule begins. */
function findNames(text: string): readonly number[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(NAMES)) starts.push(index);
  return starts;
}

function applyRule(
  text: string,
  rule: Rule,
  given: { readonly starts: readonly number[]; readonly mark: (kind: string) => string },
): string {
  const { pattern } = rule;
  const kept: string[] = [];
  let start = 0;
  let behind = 0;
  for (const at of given.starts) {
    if (at < behind) continue;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    behind = pattern.lastIndex;
    const { name = '', sign } = found.groups ?? {};
    const before = text.slice(Math.max(0, at - LONGEST_BEFORE_CHARS), at);
    if (INSIDE_MARK.test(before) || rule.after?.test(before) === false) continue;
    const value = readValue(text, behind);
    const place = { name, value: value.text.trim(), isQuoted: value.isQuoted, isEnvironment: sign === '=' && name === name.toUpperCase() };
    if (MARK.test(place.value) || (rule.needsQuote && !value.isQuoted) || !rule.isSecret(place)) continue;
    kept.push(text.slice(start, value.start), given.mark(kindOf(name)));
    start = value.end;
    behind = value.end;
  }
  return kept.length === 0 ? text : [...kept, text.slice(start)].join('');
}

/** Parts of all names: a text without any of them has nothing to replace; looking for them is cheap. */
const SIGNS = ['pass', 'pwd', 'secret', 'token', 'key', 'credential', 'contrase', 'kennwort', 'пароль', '密', '口令', 'identified by'];

/** Replaces every value behind a secret-like name. */
export function replaceNamedSecrets(text: string, mark: (kind: string) => string): string {
  const lower = text.toLowerCase();
  if (!SIGNS.some((sign) => lower.includes(sign))) return text;
  let redacted = text;
  let starts = findNames(text);
  for (const rule of RULES) {
    const next = applyRule(redacted, rule, { starts, mark });
    if (next !== redacted) starts = findNames(next);
    redacted = next;
  }
  return redacted;
}
