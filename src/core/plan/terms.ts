// Terms: the words and names of a text as hashes with a shape, found in one pass without allocating a string per word.
import { charClass, DIGIT, isWide, JOIN, LEAD, UNDERSCORE, UPPER, URL_JOIN, WORD } from './characters.ts';
import { failureOfName, failureOfWord } from './failure-words.ts';
import { hashOf, type Span } from './term-hash.ts';

/** What a term looks like: its weight depends on it. */
export const SHAPE = { plain: 0, capital: 1, integer: 2, name: 3, path: 4, code: 5 } as const;

const SHORTEST_PLAIN = 4;
/** A capital in front of a longer word: often a proper name. */
const SHORTEST_CAPITAL = 6;
/** A name with so many digits is an id, a version or a code: its digits alone tell it from others. */
const FEWEST_CODE_DIGITS = 2;
const SHORTEST_INTEGER = 3;
const SHORTEST_NAME = 3;
const SHORTEST_COMPOSITE = 4;
const SHORTEST_PIECE_WITH_DIGITS = 6;
/** A longer run of word characters is data, not a name. */
const LONGEST_TERM = 300;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;
const QUOTE = 34;

/** Where terms go. */
export interface TermSink {
  addTerm(hash: number, shape: number, span: Span): void;
  /** The surest FAILURE of the terms so far. */
  failure: number;
}

/** A number of so many digits is an id; a shorter one is an amount, a line or a year. */
const SHORTEST_ID_DIGITS = 7;
/** Seconds or milliseconds since 1970: a time, no id. */
const EPOCH_DIGITS = [10, 13];
/** A longer run of digits with letters behind it is the start of a hash. */
const MOST_MEASURED_DIGITS = 4;
const LONGEST_UNIT = 2;
const UUID_CHARS = 36;
const UUID_DASHES = [8, 13, 18, 23];
const DOT = 46;
const DASH = 45;
const TIME = 84;
const ZULU = 90;
const ONE = 49;

/** Appends the terms of text[span] to `out`. Linear. */
export function scanTerms(text: string, span: Span, out: TermSink): void {
  const { end } = span;
  let at = span.start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const flags = charClass(code);
    if (isWide(code)) {
      if (at + 1 < end && isWide(text.charCodeAt(at + 1))) addPlain(text, { start: at, end: at + 2 }, out);
      at += 1;
    } else if ((flags & WORD) !== 0 || ((flags & LEAD) !== 0 && leadsToName(text, at, end))) {
      at = scanChunk(text, { start: at, end }, out);
    } else at += code === BACKSLASH && isEscape(text, at) ? 2 : 1;
  }
}

/** True for `\\n` and the like in front of a capital or of no letter: the letter is no part of the word behind it. */
function isEscape(text: string, at: number): boolean {
  const letter = text.charCodeAt(at + 1);
  const next = text.charCodeAt(at + 2);
  return (letter === 110 || letter === 116 || letter === 114) && !(next >= 97 && next <= 122);
}

/** True when at most three more lead characters stand before a word character. */
function leadsToName(text: string, from: number, end: number): boolean {
  for (let at = from + 1; at < end && at < from + 4; at += 1) {
    const flags = charClass(text.charCodeAt(at));
    if ((flags & WORD) !== 0) return true;
    if ((flags & LEAD) === 0) return false;
  }
  return false;
}

function isWordAt(text: string, at: number): boolean {
  return (charClass(text.charCodeAt(at)) & WORD) !== 0;
}

/** True when the chunk goes on behind a joining character. */
function joins(text: string, at: number, end: number): boolean {
  const next = at + 1 < end ? charClass(text.charCodeAt(at + 1)) : 0;
  if (text.charCodeAt(at) === COLON) {
    const after = at + 1 < end ? text.charCodeAt(at + 1) : 0;
    if (after === COLON) return at + 2 < end && isWordAt(text, at + 2);
    if (text.charCodeAt(at - 1) === COLON) return at + 1 < end && isWordAt(text, at + 1);
    return after === SLASH && text.charCodeAt(at + 2) === SLASH && at + 3 < end && isWordAt(text, at + 3);
  }
  if ((next & WORD) !== 0) return true;
  return (next & JOIN) !== 0 && at + 2 < end && (charClass(text.charCodeAt(at + 2)) & WORD) !== 0;
}

/** Scans one run of word and joining characters, adds its terms, and returns where it ends. */
function scanChunk(text: string, span: Span, out: TermSink): number {
  const { start, end } = span;
  let at = start;
  let seen = 0;
  let lastSlash = -1;
  let isAddress = false;
  let isComposite = false;
  while (at < end) {
    const code = text.charCodeAt(at);
    const flags = charClass(code);
    if ((flags & WORD) !== 0) {
      if (isWide(code)) break;
      seen |= flags;
    } else if ((flags & LEAD) !== 0 && (seen & WORD) === 0) {
      isComposite = true;
      if (code === SLASH) lastSlash = at;
    } else if (((flags & JOIN) !== 0 && joins(text, at, end)) || (isAddress && (flags & URL_JOIN) !== 0)) {
      isComposite = true;
      if (code === COLON && text.charCodeAt(at + 1) === SLASH) isAddress = true;
      if (code === SLASH) lastSlash = at;
    } else break;
    at += 1;
  }
  const chunk = { start, end: at };
  if (text.charCodeAt(at) === QUOTE && text.charCodeAt(at + 1) === COLON && text.charCodeAt(start - 1) === QUOTE) {
    addPlain(text, chunk, out);
    return at;
  }
  if (at - start > LONGEST_TERM) return at;
  if (!isComposite) addWord(text, chunk, out);
  else addComposite(text, { chunk, lastSlash }, out);
  return Math.max(at, start + 1);
}

function countDigits(text: string, span: Span): number {
  let digits = 0;
  for (let at = span.start; at < span.end; at += 1) if ((charClass(text.charCodeAt(at)) & DIGIT) !== 0) digits += 1;
  return digits;
}

function addComposite(text: string, found: { readonly chunk: Span; readonly lastSlash: number }, out: TermSink): void {
  const { chunk, lastSlash } = found;
  if (chunk.end - chunk.start < SHORTEST_COMPOSITE) return;
  const digits = countDigits(text, chunk);
  const isNumber = lastSlash < 0 && (isAmount(text, chunk, digits) || isMeasure(text, chunk));
  const shape = lastSlash >= 0 ? SHAPE.path : isNumber ? SHAPE.integer : digits >= FEWEST_CODE_DIGITS ? SHAPE.code : SHAPE.name;
  out.addTerm(hashOf(text, chunk, false), shape, chunk);
  if (isNumber || isUuid(text, chunk)) return;
  if (lastSlash >= 0) {
    const base = { start: lastSlash + 1, end: chunk.end };
    if (base.end - base.start >= SHORTEST_NAME && base.start > chunk.start) out.addTerm(hashOf(text, base, false), SHAPE.name, base);
    return;
  }
  let from = chunk.start;
  for (let at = chunk.start; at <= chunk.end; at += 1) {
    const isWord = at < chunk.end && (charClass(text.charCodeAt(at)) & WORD) !== 0;
    if (isWord) continue;
    if (at > from) addPiece(text, { start: from, end: at }, out);
    from = at + 1;
  }
}

/** Decimals, ranges, dates and times: digits with one point, or with dashes, colons and the letters T and Z of a time. */
function isAmount(text: string, chunk: Span, digits: number): boolean {
  let points = 0;
  let others = 0;
  for (let at = chunk.start; at < chunk.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) points += 1;
    else if ((charClass(code) & DIGIT) === 0 && code !== DASH && code !== COLON && code !== TIME && code !== ZULU) others += 1;
  }
  return digits > 0 && others === 0 && points <= 1;
}

/** An amount with its unit: `1.25s`, `350ms`, `12MB`. */
function isMeasure(text: string, { start, end }: Span): boolean {
  let number = start;
  let points = 0;
  while (number < end && ((charClass(text.charCodeAt(number)) & DIGIT) !== 0 || text.charCodeAt(number) === DOT)) {
    if (text.charCodeAt(number) === DOT) points += 1;
    number += 1;
  }
  if (number === start || number === end || end - number > LONGEST_UNIT || points > 1) return false;
  if (points === 0 && number - start > MOST_MEASURED_DIGITS) return false;
  for (let at = number; at < end; at += 1) if ((charClass(text.charCodeAt(at)) & (WORD | DIGIT | UNDERSCORE)) !== WORD) return false;
  return true;
}

/** Groups of 8, 4, 4, 4 and 12 characters: none of them means anything alone. */
function isUuid(text: string, { start, end }: Span): boolean {
  return end - start === UUID_CHARS && UUID_DASHES.every((at) => text.charCodeAt(start + at) === DASH);
}

/** A word inside a name. Short ones with digits are pieces of dates, versions and ids: they mean nothing alone. */
function addPiece(text: string, piece: Span, out: TermSink): void {
  if (piece.end - piece.start < SHORTEST_PIECE_WITH_DIGITS) {
    if (countDigits(text, piece) > 0) return;
  }
  addWord(text, piece, out);
}

function addPlain(text: string, word: Span, out: TermSink): void {
  out.addTerm(hashOf(text, word, true), SHAPE.plain, word);
}

/** A run of word characters without a joint: a plain word, a number or a name. */
function addWord(text: string, word: Span, out: TermSink): void {
  const length = word.end - word.start;
  if (length < SHORTEST_NAME) return;
  let uppers = 0;
  let flags = 0;
  let digits = 0;
  for (let at = word.start; at < word.end; at += 1) {
    const own = charClass(text.charCodeAt(at));
    flags |= own;
    if ((own & UPPER) !== 0) uppers += 1;
    if ((own & DIGIT) !== 0) digits += 1;
  }
  if (digits === length) {
    const isTime = EPOCH_DIGITS.includes(length) && text.charCodeAt(word.start) === ONE;
    const shape = length >= SHORTEST_ID_DIGITS && !isTime ? SHAPE.code : SHAPE.integer;
    if (length >= SHORTEST_INTEGER) out.addTerm(hashOf(text, word, false), shape, word);
    return;
  }
  const startsUpper = (charClass(text.charCodeAt(word.start)) & UPPER) !== 0;
  const isPlain = (flags & (DIGIT | UNDERSCORE)) === 0 && (uppers === 0 || (uppers === 1 && startsUpper) || uppers === length);
  if (!isPlain) {
    const shape = isMeasure(text, word) ? SHAPE.integer : digits < FEWEST_CODE_DIGITS ? SHAPE.name : SHAPE.code;
    out.addTerm(hashOf(text, word, false), shape, word);
    noteFailure(out, failureOfName(text, word));
    return;
  }
  const hash = hashOf(text, word, true);
  noteFailure(out, failureOfWord(text, word, hash));
  if (uppers === 1 && length >= SHORTEST_CAPITAL) out.addTerm(hashOf(text, word, false), SHAPE.capital, word);
  else if (length >= SHORTEST_PLAIN) out.addTerm(hash, SHAPE.plain, word);
}

function noteFailure(out: TermSink, failure: number): void {
  if (failure > out.failure) out.failure = failure;
}
