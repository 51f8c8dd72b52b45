// Numbers of the command line that are tokens or a share of something.
import { UllageError } from '../../../core/errors.ts';
import { parseTokens } from '../terminal/numbers.ts';

export type Amount = { readonly kind: 'tokens'; readonly tokens: number } | { readonly kind: 'share'; readonly share: number };

/** Fewer tokens are a percentage whose sign was forgotten. */
const LEAST_TOKENS = 101;

const PERCENT = /^(\d{1,3}(?:\.\d{1,6})?) ?%$/;
const DECIMAL = /^(?:0?\.\d{1,9}|1\.0{1,9})$/;

/** Reads `50000`, `50k`, `25%` and `0.25`. A share is above 0 and at most 1. Throws option_invalid. */
export function parseAmount(option: string, text: string): Amount {
  const trimmed = text.trim();
  const share = shareOf(trimmed);
  if (share === undefined) {
    const tokens = parseTokens(option, trimmed);
    if (tokens >= LEAST_TOKENS) return { kind: 'tokens', tokens };
    throw invalid(option, text, `for a share write ${Math.min(tokens, 100)}%`);
  }
  if (share > 0 && share <= 1) return { kind: 'share', share };
  throw invalid(option, text, 'a share is above 0 % and at most 100 %');
}

function shareOf(text: string): number | undefined {
  const percent = PERCENT.exec(text)?.[1];
  if (percent !== undefined) return Number(percent) / 100;
  return DECIMAL.test(text) ? Number(text) : undefined;
}

function invalid(option: string, text: string, next: string): UllageError {
  return new UllageError(
    'option_invalid',
    `${option} ${JSON.stringify(text)}: expected more than ${LEAST_TOKENS - 1} tokens, or a share such as 25%; ${next}.`,
  );
}

/** Tokens of an amount; shares are of `whole`. */
export function tokensOf(amount: Amount, whole: number): number {
  return amount.kind === 'tokens' ? amount.tokens : Math.floor(amount.share * whole);
}
