// Prices of prompt tokens, relative to the plain input price.
import { UllageError } from '../../../../core/errors.ts';

export interface Price {
  /** A token that is read from the prompt cache. */
  readonly cached: number;
  /** Any other token: it is written to the cache. */
  readonly fresh: number;
}

/** Cached reads at a tenth, a twentieth and a fortieth of the input price; writes a quarter over it, as Anthropic charges them. */
export const DEFAULT_PRICES: readonly Price[] = [
  { cached: 0.1, fresh: 1.25 },
  { cached: 0.05, fresh: 1.25 },
  { cached: 0.025, fresh: 1.25 },
];

const PRICE = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/;

/** Reads `0.1:1.25`, several with commas between. Throws option_invalid. */
export function parsePrices(option: string, text: string): readonly Price[] {
  return text.split(',').map((part) => {
    const match = PRICE.exec(part.trim());
    const price = { cached: Number(match?.[1]), fresh: Number(match?.[2]) };
    if (match === null || !(price.fresh > 0 && Number.isFinite(price.fresh + price.cached))) {
      throw new UllageError(
        'option_invalid',
        `${option} ${JSON.stringify(part)}: expected the prices of a cached and of a new token (above 0) relative to the input price, such as 0.1:1.25.`,
      );
    }
    return price;
  });
}

/** Tokens of requests, cached and not. */
export interface Sent {
  readonly tokens: number;
  readonly cachedTokens: number;
}

export function costOf({ tokens, cachedTokens }: Sent, price: Price): number {
  return price.cached * cachedTokens + price.fresh * (tokens - cachedTokens);
}
