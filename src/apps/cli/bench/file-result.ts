// What was measured of one transcript, as plain data.
import type { Replayed, Stored } from './measures/replay.ts';
import type { Graded } from './measures/retention.ts';
import type { Round } from './measures/rounds.ts';

/** One strategy at one cut and budget. */
export interface Score {
  readonly strategy: string;
  readonly budget: number;
  readonly cut: number;
  readonly graded: Graded;
  readonly prefixTokens: number;
  /** Rules of the API that only the compacted request breaks. */
  readonly brokenRules: readonly string[];
  /** The strategy cannot aim: a context over its budget is graded as it is. */
  readonly isUnaimed?: boolean;
  /** Another project's. */
  readonly isPeer?: boolean;
  /** What a strategy failed with: it scores 0 here. */
  readonly failure?: string;
}

/** Of Ullage alone. */
export interface Soundness {
  readonly requests: number;
  /** Requests that break a rule which their uncompacted history keeps. */
  readonly invalid: number;
  /** Rules broken, by API: `anthropic: rule`. */
  readonly broken: readonly string[];
  readonly repeats: number;
  readonly unstable: number;
  readonly different: number;
  readonly deadHandles: number;
}

export interface FileResult {
  readonly name: string;
  readonly status: 'scored' | 'too_short' | 'too_few_facts';
  readonly tokens: number;
  readonly events: number;
  readonly cuts: number;
  readonly scoredCuts: number;
  /** Largest number of needed facts at a cut. */
  readonly mostFacts: number;
  readonly scores: readonly Score[];
  readonly soundness: Soundness;
  readonly rounds: readonly { readonly strategy: string; readonly rounds: readonly Round[] }[];
  /** It was not replayed because no request of it fits the window. */
  readonly isOverWindow?: boolean;
  /** Empty when it was not replayed. */
  readonly replays: readonly { readonly strategy: string; readonly replayed: Replayed }[];
  /** What the store gave back of the replayed messages; missing without a replay. */
  readonly stored?: Stored;
  /** One for each cut, planned from nothing at a quarter; empty without a clock. */
  readonly plannings: readonly { readonly ms: number; readonly savedTokens: number; readonly tokens: number }[];
}

export const ULLAGE = 'Ullage';
export const ULLAGE_WITH_HANDLES = 'Ullage + handles';
