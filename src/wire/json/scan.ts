// Skips over JSON values in a text without building them. Checks all structure; what stands inside a string is left to whoever decodes it.
import { jsonDamage } from './damage.ts';
import { skipNumber } from './number.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Characters of a string that are looked at one by one before the native search takes over: below this a call costs more than the loop. */
const NEAR_CHARS = 16;

/** A stretch with up to 63 escapes, in one native call: text full of escaped quotes would stop the plain search at each of them. */
const ESCAPED_STRETCH = /[^"\\]*(?:\\.[^"\\]*){0,63}/sy;

/** First offset at or behind `start` that is not JSON white space. */
export function skipSpace(text: string, start: number): number {
  let position = start;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position += 1;
  }
}

/** Offset behind the string whose opening quote stands at `start`. */
export function skipString(text: string, start: number): number {
  let position = start + 1;
  const near = position + NEAR_CHARS;
  while (position < near) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) return position + 1;
    position += code === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote < 0) throw jsonDamage(text, text.length, 'the closing quote of a string');
    let run = quote;
    while (run > position && text.charCodeAt(run - 1) === BACKSLASH) run -= 1;
    if ((quote - run) % 2 === 0) return quote + 1;
    ESCAPED_STRETCH.lastIndex = quote + 1;
    ESCAPED_STRETCH.test(text);
    position = ESCAPED_STRETCH.lastIndex;
  }
}

/** Offset of the value of the member whose name starts at `start`. */
export function skipName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw jsonDamage(text, start, 'a member name in double quotes');
  const colon = skipSpace(text, skipString(text, start));
  if (text.charCodeAt(colon) !== COLON) throw jsonDamage(text, colon, "':'");
  return skipSpace(text, colon + 1);
}

/** Offset behind the string, number, true, false or null at `start`. */
export function skipScalar(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return skipString(text, start);
  if (code === 0x74 && text.startsWith('true', start)) return start + 4;
  if (code === 0x66 && text.startsWith('false', start)) return start + 5;
  if (code === 0x6e && text.startsWith('null', start)) return start + 4;
  return skipNumber(text, start);
}

/** Offset behind the value that starts at `start`, however deep it nests. */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, start);
  const closers: number[] = [];
  let position = start;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const closer = code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      position = skipSpace(text, position + 1);
      if (text.charCodeAt(position) !== closer) {
        closers.push(closer);
        if (closer === CLOSE_BRACE) position = skipName(text, position);
        continue;
      }
      position += 1;
    } else {
      position = skipScalar(text, position);
    }
    position = nextValue(text, position, closers);
    if (closers.length === 0) return position;
  }
}

/** From behind a value: closes what ends here, then steps to the next value. With nothing left open, the offset behind the outermost value. */
function nextValue(text: string, start: number, closers: number[]): number {
  let position = start;
  while (closers.length > 0) {
    const closer = closers[closers.length - 1]!;
    position = skipSpace(text, position);
    const code = text.charCodeAt(position);
    position += 1;
    if (code === COMMA) {
      position = skipSpace(text, position);
      return closer === CLOSE_BRACE ? skipName(text, position) : position;
    }
    if (code !== closer) throw jsonDamage(text, position - 1, closer === CLOSE_BRACE ? "',' or '}'" : "',' or ']'");
    closers.pop();
  }
  return position;
}
