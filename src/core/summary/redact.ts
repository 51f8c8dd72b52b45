// Takes secrets out of a text before it goes into a summary, to a summarizer or into a log. Deterministic, idempotent, linear.
import { replaceHeaderSecrets } from './secret-headers.ts';
import { replaceNamedSecrets } from './secret-names.ts';
import { BOT_TOKEN, JWT, replaceShapes, URL_CREDENTIALS, URL_SIGNATURE, URL_TOKEN, WEBHOOK } from './secret-shapes.ts';

/** What stands in place of a secret: its kind, and no part of it. */
function mark(kind: string): string {
  return `[redacted:${kind}]`;
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// What a key block without an end consists of: base64, its header lines, line breaks also in their escaped form.
const KEY_BODY =
  /(?:[A-Za-z0-9+/=]{16,}|[\s\\]+|(?<=\\)[nr]|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*|[A-Za-z0-9+/=]+(?=[\s\\"']|$))*/y;

function replacePrivateKeys(text: string): string {
  const kept: string[] = [];
  let start = 0;
  KEY_BEGIN.lastIndex = 0;
  KEY_END.lastIndex = 0;
  let end = KEY_END.exec(text);
  for (let begin = KEY_BEGIN.exec(text); begin !== null; begin = KEY_BEGIN.exec(text)) {
    kept.push(text.slice(start, begin.index), mark('private-key'));
    const from = KEY_BEGIN.lastIndex;
    while (end !== null && end.index < from) end = KEY_END.exec(text);
    start = end !== null && end.index - from < LONGEST_KEY_CHARS ? end.index + end[0].length : endOfKeyBody(text, from);
    KEY_BEGIN.lastIndex = start;
  }
  return kept.length === 0 ? text : [...kept, text.slice(start)].join('');
}

/** A block that was cut off ends where its text stops looking like one. */
function endOfKeyBody(text: string, from: number): number {
  KEY_BODY.lastIndex = from;
  KEY_BODY.exec(text);
  return Math.max(from, KEY_BODY.lastIndex);
}

/** An end farther away belongs to another block. */
const LONGEST_KEY_CHARS = 20_000;

/**
 * The text without secrets: keys and tokens of known shapes, bearer and basic headers, private key blocks, credentials in addresses, values
 * behind names like password, token or apiKey. Each becomes a mark such as `[redacted:github-token]`. Hashes of commits, UUIDs, paths and
 * versions stay.
 */
export function redactSecrets(text: string): string {
  let redacted = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = redactOnce(redacted);
    if (next === redacted) return redacted;
    redacted = next;
  }
  return redacted;
}

/** A mark can lay bare what directly follows it, so the text is read again until nothing changes; ordinary text takes two rounds. */
const MAX_ROUNDS = 16;

function redactOnce(text: string): string {
  // What a pattern cannot do without is looked for first: that is cheaper than the pattern.
  let redacted = text.includes('-----BEGIN ') ? replacePrivateKeys(text) : text;
  redacted = replaceShapes(redacted, mark);
  if (redacted.includes('eyJ')) redacted = redacted.replace(JWT, mark('jwt'));
  redacted = redacted.replace(BOT_TOKEN, mark('bot-token'));
  if (redacted.includes('hooks')) redacted = redacted.replace(WEBHOOK, `$1${mark('webhook')}`);
  if (redacted.includes('://'))
    redacted = redacted.replace(URL_CREDENTIALS, `$1$2:${mark('password')}@`).replace(URL_TOKEN, `$1${mark('token')}@`);
  redacted = redacted.replace(URL_SIGNATURE, `$1${mark('key')}`);
  return replaceNamedSecrets(replaceHeaderSecrets(redacted, mark), mark);
}
