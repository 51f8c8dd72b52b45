// Secrets in HTTP headers and command lines: authorization, bearer and basic schemes, cookies, user:password flags.
import { looksRandom } from './secret-values.ts';

type Mark = (kind: string) => string;
type Groups = Readonly<Record<string, string | undefined>>;

const QUOTE = '(?:\\\\{0,3}["\'`])?';
const AUTHORIZATION = new RegExp(
  `(?<head>authorization${QUOTE}[ \\t]{0,4}[:=][ \\t]{0,4}${QUOTE}(?:[A-Za-z][\\w-]{1,20}[ \\t]{1,4})?)(?<value>[^\\s"'\`\\\\]+)`,
  'gi',
);
const SCHEME = /(?<![A-Za-z0-9])(?<head>(?:bearer|basic)[ \t]{1,4})(?<value>[A-Za-z0-9._~+/=-]{8,})/gi;
const COOKIE = new RegExp(`(?<head>cookie${QUOTE}:[ \\t]{0,4}${QUOTE})(?<value>[\\w.-]{1,64}=[^\\n"'\`\\\\]+)`, 'gi');
const USER_FLAG = /(?<head>(?<=\s)(?:-u|--user)[ \t=]{1,4}["']?(?<user>[^\s:"']{1,64}):)(?<value>[^\s"']{3,})/g;

const MARK = /^\[redacted:[a-z-]{1,24}\]$/;

function replaceValue(
  text: string,
  pattern: RegExp,
  change: { mark: string; isSecret: (value: string, groups: Groups) => boolean },
): string {
  return text.replace(pattern, (...match: unknown[]) => {
    const groups = match.at(-1) as Groups;
    const { head = '', value = '' } = groups;
    return MARK.test(value) || !change.isSecret(value, groups) ? (match[0] as string) : `${head}${change.mark}`;
  });
}

/** Replaces the secret part of headers and of user flags. What a pattern cannot do without is looked for first: that is cheaper than the pattern. */
export function replaceHeaderSecrets(text: string, mark: Mark): string {
  const lower = text.toLowerCase();
  let redacted = text;
  if (lower.includes('authorization'))
    redacted = replaceValue(redacted, AUTHORIZATION, {
      mark: mark('authorization'),
      isSecret: (value) => value.length >= 8 && !/^[$<{[]/.test(value),
    });
  if (lower.includes('bearer') || lower.includes('basic'))
    redacted = replaceValue(redacted, SCHEME, {
      mark: mark('authorization'),
      isSecret: (value) => looksRandom(value) || value.length >= 24,
    });
  if (lower.includes('cookie')) redacted = replaceValue(redacted, COOKIE, { mark: mark('cookie'), isSecret: (value) => value.length >= 8 });
  if (!text.includes('-u')) return redacted;
  return replaceValue(redacted, USER_FLAG, {
    mark: mark('password'),
    isSecret: (value, { user = '' }) => !/^\d+$/.test(`${user}${value}`),
  });
}
