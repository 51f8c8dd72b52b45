// Everything a run found, and what it was asked to reach.

import type { FileResult } from '../file-result.ts';
import type { Price } from '../measures/prices.ts';
import type { Peer } from '../peers/peer.ts';
import type { Verdict } from './thresholds.ts';

/** A file that could not be read. */
export interface UnreadFile {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

export interface BenchReport {
  readonly files: readonly FileResult[];
  readonly unread: readonly UnreadFile[];
  readonly budgets: readonly number[];
  readonly prices: readonly Price[];
  readonly windowTokens: number;
  readonly verdicts: readonly Verdict[];
  /** Other projects that were asked for. */
  readonly peers?: readonly Peer[];
}

/** The sentence that stands wherever a figure is shown. */
export const PRESENCE_NOTE =
  'Presence is an upper bound on use: that a fact still stands in the context does not prove that a model would find it and use it.';
