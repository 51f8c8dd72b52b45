// Is what stands behind a secret-like name a secret, or a type, a placeholder, a reference, a path? Pure judgement on one value.

/** A value as it was found behind a name. */
export interface NamedValue {
  /** The name as written: `password`, `API_KEY`, `token`. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** `NAME=value` without spaces, in capitals: a line of an environment file. */
  readonly isEnvironment: boolean;
}

const PLACEHOLDER =
  /^(?:(?:[A-Za-z]{2,6}[_-])?[*x•.#-]{3,}|redacted|\[redacted\]|<[^>]{0,80}>|\$\{?[A-Za-z_(].{0,200}|\{\{.{0,200}|%\w{1,80}%|your[-_ ].{0,80})$/is;
const PLAIN_WORDS = new Set(
  (
    'string str number int integer bool boolean any unknown object bytes text varchar null none nil undefined true false void never ' +
    'required optional missing invalid expired empty hidden include omit same-origin here this that input field value type name the a an ' +
    'is not was must should has have can and or for of in to from by with error failed wrong incorrect'
  ).split(' '),
);
const REFERENCE = /^(?:[A-Za-z_$][\w$]{0,80}\??\.){1,8}[A-Za-z_$][\w$]{0,80}$|^[A-Za-z_$][\w$.?]{0,120}[([]|^(?:await|new|async|function)$/;
const PATH = /^(?:~|\.{1,2})?(?:\/[\w.@+-]{1,24}){2,16}\/?$|^(?:~|\.{1,2})\/[\w.@+-]{1,64}$|^[A-Za-z]:\\/;
const ADDRESS = /^https?:\/\//i;
const ALPHANUMERIC_MIX = /^(?=.{0,200}\d)(?=.{0,200}[A-Za-z])/s;
const CASE_MIX = /^(?=.{0,200}[a-z])(?=.{0,200}[A-Z])/s;
const PASSWORD_NAME = /pass|pwd|contra|wort|mot de|пароль|密码|口令/i;
const TOKEN_NAME = /token/i;
const NAME_IN_VALUE = /pass|pwd|secret|token|key|cred|input|hash/i;

/** Random enough to be a secret where nothing but a name before it says so. */
export function looksRandom(value: string): boolean {
  if (value.length >= 6 && ALPHANUMERIC_MIX.test(value)) return true;
  return value.length >= 20 && CASE_MIX.test(value) && !value.includes(' ');
}

/** No type, placeholder, path or reference is longer; also keeps reading the same value again cheap. */
const LONGEST_HARMLESS_CHARS = 400;

/** True when the value must not be kept. */
export function isSecretValue({ name, value, isQuoted, isEnvironment }: NamedValue): boolean {
  const trimmed = value.trim();
  if (trimmed.length > LONGEST_HARMLESS_CHARS) return true;
  if (
    trimmed.length < 4 ||
    PLACEHOLDER.test(trimmed) ||
    PLAIN_WORDS.has(trimmed.toLowerCase()) ||
    PATH.test(trimmed) ||
    ADDRESS.test(trimmed)
  )
    return false;
  const isPassword = PASSWORD_NAME.test(name);
  const isToken = TOKEN_NAME.test(name);
  if (/^\d+$/.test(trimmed)) return isPassword || trimmed.length > 8;
  if (isQuoted) return !isToken || looksRandom(trimmed) || trimmed.length >= 16;
  if (isEnvironment) return true;
  const bare = trimmed.replace(/[):;,?.]{1,8}$/, '');
  if (REFERENCE.test(bare)) return false;
  const isIdentifier = /^[A-Za-z_$]+$/.test(bare);
  if (isPassword) return !isIdentifier || !NAME_IN_VALUE.test(bare);
  return !isIdentifier && (looksRandom(bare) || bare.length >= 24);
}
