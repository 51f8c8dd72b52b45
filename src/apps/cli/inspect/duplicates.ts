// Results that say the same as an earlier one, byte for byte: only the newest is needed.
import { labelOf, type PartWeight } from './part-weight.ts';

/** Shorter results (`ok`, an exit status) repeat by nature and weigh nothing. */
const LEAST_CHARS = 200;

export interface DuplicateGroup {
  readonly label: string;
  readonly copies: number;
  /** Tokens of all copies but the newest. */
  readonly tokens: number;
}

export interface Duplicates {
  /** Copies beyond the first of each text. */
  readonly count: number;
  readonly tokens: number;
  /** Largest first. */
  readonly groups: readonly DuplicateGroup[];
}

export function findDuplicates(weights: readonly PartWeight[]): Duplicates {
  const byText = new Map<string, PartWeight[]>();
  for (const weight of weights) {
    if (weight.part?.kind !== 'result' || weight.part.text.length < LEAST_CHARS) continue;
    const known = byText.get(weight.part.text);
    if (known === undefined) byText.set(weight.part.text, [weight]);
    else known.push(weight);
  }
  const groups = [...byText.values()]
    .filter((copies) => copies.length > 1)
    .map((copies) => {
      const newest = copies.at(-1)!;
      const tokens = copies.slice(0, -1).reduce((sum, copy) => sum + copy.tokens, 0);
      return { label: labelOf(newest), copies: copies.length, tokens };
    })
    .sort((a, b) => b.tokens - a.tokens);
  return {
    count: groups.reduce((sum, group) => sum + group.copies - 1, 0),
    tokens: groups.reduce((sum, group) => sum + group.tokens, 0),
    groups,
  };
}
