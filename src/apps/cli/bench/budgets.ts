// The value of --budget.
import { UllageError } from '../../../core/errors.ts';

/** Shares, ascending, each once. Reads percent with commas: `10,25,50`. Throws option_invalid. */
export function parseBudgets(text: string): readonly number[] {
  const shares = text.split(',').map((part) => {
    const match = /^(\d{1,2}(?:\.\d{1,3})?)\s*%?$/.exec(part.trim());
    const share = Number(match?.[1]) / 100;
    if (!(share > 0))
      throw new UllageError(
        'option_invalid',
        `--budget ${JSON.stringify(part)}: expected percent above 0 and below 100, such as 10,25,50.`,
      );
    return share;
  });
  return [...new Set(shares)].sort((a, b) => a - b);
}
