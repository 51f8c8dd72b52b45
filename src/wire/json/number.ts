// The grammar of JSON numbers, by offset.
import { jsonDamage } from './damage.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

function skipDigits(text: string, start: number): number {
  let position = start;
  for (;;) {
    const code = text.charCodeAt(position);
    if (!(code >= ZERO && code <= NINE)) break;
    position += 1;
  }
  if (position === start) throw jsonDamage(text, start, 'a digit');
  return position;
}

/** Offset behind the number that starts at `start`. */
export function skipNumber(text: string, start: number): number {
  let position = start;
  if (text.charCodeAt(position) === MINUS) position += 1;
  const first = text.charCodeAt(position);
  if (!(first >= ZERO && first <= NINE)) throw jsonDamage(text, position, position === start ? 'a value' : 'a digit');
  position = first === ZERO ? position + 1 : skipDigits(text, position);
  if (text.charCodeAt(position) === DOT) position = skipDigits(text, position + 1);
  const exponent = text.charCodeAt(position);
  if (exponent === 0x65 || exponent === 0x45) {
    const sign = text.charCodeAt(position + 1);
    position = skipDigits(text, position + (sign === PLUS || sign === MINUS ? 2 : 1));
  }
  return position;
}
