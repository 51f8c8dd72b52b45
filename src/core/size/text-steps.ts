// The estimator's tables, built once on first use from the classes, the automaton and the fitted weights.
import { CLASS_OF_CODE } from './text-classes.ts';
import { automaton, STATE_SHIFT } from './text-states.ts';
import { PAIR_WEIGHTS, STEP_WEIGHTS } from './text-weights.ts';

export interface TextSteps {
  /** By code unit: class in the low six bits, letter above. */
  readonly codes: Uint16Array;
  /** By state << 6 | class: milli-tokens, and the next state. */
  readonly costs: Uint16Array;
  readonly next: Uint8Array;
  /** By letter << 5 | following letter: milli-tokens. */
  readonly pairs: Uint16Array;
}

/** Letters by number: 1..26 = a..z in either case, 27 = a backslash (as the first of a pair only), 0 = anything else. */
export const LETTER_COUNT = 28;
export const BACKSLASH_LETTER = 27;

/** Class and letter of every code unit, packed. */
export function packCodes(): Uint16Array {
  const codes = Uint16Array.from(CLASS_OF_CODE);
  for (let letter = 1; letter <= 26; letter++) {
    for (const base of [0x40, 0x60]) codes[base + letter]! |= letter << STATE_SHIFT;
  }
  codes[0x5c]! |= BACKSLASH_LETTER << STATE_SHIFT;
  return codes;
}

function unpackSteps(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.flatMap((line) => line.split(', ').map((pair) => pair.split(' = '))).map(([name, value]) => [name!, Number(value)]));
}

function unpackPairs(rows: readonly string[]): Uint16Array {
  const pairs = new Uint16Array(LETTER_COUNT << 5);
  rows.forEach((row, first) => {
    row.split(' ').forEach((value, index) => {
      pairs[(first << 5) | (index + 1)] = Number(value);
    });
  });
  return pairs;
}

let steps: TextSteps | undefined;

/** The same tables every time. */
export function textSteps(): TextSteps {
  if (steps) return steps;
  const { next, weightOf, weightNames } = automaton();
  const weights = unpackSteps(STEP_WEIGHTS);
  const byName = weightNames.map((name) => weights.get(name) ?? 0);
  steps = { codes: packCodes(), costs: Uint16Array.from(weightOf, (index) => byName[index]!), next, pairs: unpackPairs(PAIR_WEIGHTS) };
  return steps;
}
