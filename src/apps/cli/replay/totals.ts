// What a play adds up to, against never compacting at all.
import type { PlayedRequest } from './play.ts';

/** Price of a token relative to the input price. */
export const CACHED_PRICE = 0.1;
export const NEW_PRICE = 1.25;

/** Tokens are estimates of the same estimator on both sides. */
export interface Totals {
  readonly requests: number;
  readonly compactions: number;
  /** Requests for which nothing that fits could be made. */
  readonly unsent: number;
  /** Requests sent that break a rule of the API. */
  readonly invalid: number;
  readonly largestTokens: number;
  readonly sentTokens: number;
  /** Of what was sent, read from the prompt cache: 0..1. */
  readonly cacheShare: number;
  /** Weighted by price. */
  readonly cost: number;
  /** The same requests without any compaction, as if all of them fitted. */
  readonly never: { readonly largestTokens: number; readonly sentTokens: number; readonly cost: number; readonly overWindow: number };
  /** cost / never.cost; undefined when nothing was sent. */
  readonly costRatio?: number;
  readonly prepareMs: number;
}

export function totalsOf(requests: readonly PlayedRequest[], windowTokens: number): Totals {
  const sent = requests.flatMap((request) => request.sent ?? []);
  const sentTokens = sumOf(sent.map(({ tokens }) => tokens));
  const cached = sumOf(sent.map(({ cachedTokens }) => cachedTokens));
  const cost = CACHED_PRICE * cached + NEW_PRICE * (sentTokens - cached);
  const history = requests.map(({ historyTokens }) => historyTokens);
  const neverCost = neverCompacting(history);
  return {
    requests: requests.length,
    compactions: requests.filter(({ outcome }) => outcome?.status === 'compacted').length,
    unsent: requests.length - sent.length,
    invalid: requests.filter(({ brokenRules }) => brokenRules > 0).length,
    largestTokens: largestOf(sent.map(({ tokens }) => tokens)),
    sentTokens,
    cacheShare: sentTokens === 0 ? 0 : cached / sentTokens,
    cost,
    never: {
      largestTokens: largestOf(history),
      sentTokens: sumOf(history),
      cost: neverCost,
      overWindow: history.filter((tokens) => tokens > windowTokens).length,
    },
    costRatio: neverCost === 0 || sent.length === 0 ? undefined : cost / neverCost,
    prepareMs: sumOf(requests.map(({ prepareMs }) => prepareMs)),
  };
}

/** Every request repeats the one before it and adds to it. */
function neverCompacting(history: readonly number[]): number {
  return sumOf(
    history.map((tokens, index) => {
      const cached = Math.min(tokens, history[index - 1] ?? 0);
      return CACHED_PRICE * cached + NEW_PRICE * (tokens - cached);
    }),
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function largestOf(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

/** Totals of several transcripts as one. */
export function addTotals(all: readonly Totals[]): Totals {
  const sum = (value: (totals: Totals) => number) => sumOf(all.map(value));
  const sentTokens = sum((totals) => totals.sentTokens);
  const cost = sum((totals) => totals.cost);
  const neverCost = sum((totals) => totals.never.cost);
  return {
    requests: sum((totals) => totals.requests),
    compactions: sum((totals) => totals.compactions),
    unsent: sum((totals) => totals.unsent),
    invalid: sum((totals) => totals.invalid),
    largestTokens: largestOf(all.map((totals) => totals.largestTokens)),
    sentTokens,
    cacheShare: sentTokens === 0 ? 0 : sum((totals) => totals.cacheShare * totals.sentTokens) / sentTokens,
    cost,
    never: {
      largestTokens: largestOf(all.map((totals) => totals.never.largestTokens)),
      sentTokens: sum((totals) => totals.never.sentTokens),
      cost: neverCost,
      overWindow: sum((totals) => totals.never.overWindow),
    },
    costRatio: neverCost === 0 || sentTokens === 0 ? undefined : cost / neverCost,
    prepareMs: sum((totals) => totals.prepareMs),
  };
}
