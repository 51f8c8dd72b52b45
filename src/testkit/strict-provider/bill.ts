// The bill: tokens by class, and what they cost.
import type { CachedInput } from './prefix-cache.ts';

/** Prices per token, in any currency. The default is relative: 1 is one uncached input token. */
export interface Prices {
  /** An input token that was in no cache. Default 1. */
  readonly input: number;
  /** Default 0.1. */
  readonly cacheRead: number;
  /** A token written to the cache. Default 1.25; set it to `input` for a provider that writes for free. */
  readonly cacheWrite: number;
  /** A token written to live one hour (Anthropic). Default 2. */
  readonly cacheWrite1h: number;
  /** Default 5. */
  readonly output: number;
}

export const DEFAULT_PRICES: Prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, cacheWrite1h: 2, output: 5 };

/** What was answered so far. Refused requests cost nothing; an answer that was cut, or failed after it had begun, costs all of it. */
export interface Bill {
  /** Answers billed, compactions included. */
  readonly requests: number;
  /** Tokens. The three input classes are disjoint. */
  readonly uncachedInput: number;
  readonly cacheRead: number;
  /** Of either lifetime. */
  readonly cacheWrite: number;
  readonly output: number;
  /** In the unit of the prices. By default: uncached input tokens. */
  readonly cost: number;
}

export interface Account {
  add(input: CachedInput, output: number, prices: Prices): void;
  bill(): Bill;
}

/** An empty account. */
export function createAccount(): Account {
  let bill: Bill = { requests: 0, uncachedInput: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: 0 };
  return {
    add(input, output, prices) {
      const { uncachedInput, cacheRead, cacheWrite, cacheWrite1h } = input;
      const inputCost = uncachedInput * prices.input + cacheRead * prices.cacheRead;
      const writeCost = cacheWrite * prices.cacheWrite + cacheWrite1h * prices.cacheWrite1h;
      bill = {
        requests: bill.requests + 1,
        uncachedInput: bill.uncachedInput + uncachedInput,
        cacheRead: bill.cacheRead + cacheRead,
        cacheWrite: bill.cacheWrite + cacheWrite + cacheWrite1h,
        output: bill.output + output,
        cost: bill.cost + inputCost + writeCost + output * prices.output,
      };
    },
    bill: () => bill,
  };
}
