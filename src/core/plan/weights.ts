// How much a term is worth: who wrote it, what it looks like, how old it is, how large the text around it was.
import { SHAPE } from './terms.ts';
import { SOURCE } from './work.ts';

/** By SOURCE. Measured share of such terms that are needed again; who wrote it matters most. */
const SOURCE_WEIGHT = new Float64Array(6);
SOURCE_WEIGHT[SOURCE.call] = 0.25;
SOURCE_WEIGHT[SOURCE.said] = 0.1;
SOURCE_WEIGHT[SOURCE.thought] = 0.08;
SOURCE_WEIGHT[SOURCE.user] = 0.15;
SOURCE_WEIGHT[SOURCE.result] = 0.026;
// Its terms are values: the words around them, the keys, are none.
SOURCE_WEIGHT[SOURCE.record] = 0.065;

/** By SHAPE. */
const SHAPE_WEIGHT = new Float64Array(6);
SHAPE_WEIGHT[SHAPE.plain] = 0.2;
SHAPE_WEIGHT[SHAPE.capital] = 0.3;
SHAPE_WEIGHT[SHAPE.integer] = 0.6;
SHAPE_WEIGHT[SHAPE.name] = 1;
SHAPE_WEIGHT[SHAPE.path] = 1.2;
SHAPE_WEIGHT[SHAPE.code] = 1.5;

/** Of names that stand in results alone: in one line, and in so many lines and more. */
const ONE_LINE_FACTOR = 0.7;
const MANY_LINES = 3;
const MANY_LINES_FACTOR = 1.5;
/** Of the same when a line defines them. */
const DEFINED_FACTOR = 2.5;

/** A term of the oldest entry against one of the newest. */
const OLDEST_WEIGHT = 0.6;
/** A source of so many tokens is of ordinary size; each term of a larger one matters less. */
const ORDINARY_SOURCE_TOKENS = 400;
const SOURCE_SIZE_EXPONENT = 0.5;
/** Terms of the text a person asked to favour. */
const FOCUS_FACTOR = 10;

/** What a term is worth by its place: source and size of the source. */
export function placeWeight(kind: number, sourceTokens: number): number {
  const size = sourceTokens <= ORDINARY_SOURCE_TOKENS ? 1 : (ORDINARY_SOURCE_TOKENS / sourceTokens) ** SOURCE_SIZE_EXPONENT;
  return SOURCE_WEIGHT[kind]! * size;
}

export interface TermStanding {
  /** Best of {@link placeWeight} over the term's places. */
  readonly place: number;
  readonly shape: number;
  /** 0 = the oldest unit, 1 = the newest. */
  readonly age: number;
  /** In how many units it stands. */
  readonly units: number;
  /** In how many lines it stands. */
  readonly lines: number;
  /** It stands in results that are no records, and nowhere else. */
  readonly isOnlyRead: boolean;
  /** A line defines it. */
  readonly isDefined: boolean;
  readonly isFocus: boolean;
}

export function termWeight(term: TermStanding): number {
  const recency = OLDEST_WEIGHT + (1 - OLDEST_WEIGHT) * term.age;
  const rarity = term.shape === SHAPE.plain ? 1 / term.units : 1;
  const read = term.isOnlyRead && term.shape >= SHAPE.name ? readFactor(term) : 1;
  return term.place * SHAPE_WEIGHT[term.shape]! * recency * rarity * read * (term.isFocus ? FOCUS_FACTOR : 1);
}

/** Measured: names of results in three lines or more are needed again three times as often as those in one, those of definitions twice as often as others. */
function readFactor({ lines, isDefined }: TermStanding): number {
  const factor = lines === 1 ? ONE_LINE_FACTOR : lines >= MANY_LINES ? MANY_LINES_FACTOR : 1;
  return isDefined ? factor * DEFINED_FACTOR : factor;
}
