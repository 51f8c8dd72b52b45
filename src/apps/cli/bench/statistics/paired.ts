// Two strategies on the same transcripts: how far one is ahead, transcript by transcript.
import { type Interval, intervalOf } from './interval.ts';

export interface Lead extends Interval {
  /** The interval does not hold zero. Never of a single transcript. */
  readonly isClear: boolean;
}

/** Means by transcript, in the same order; transcripts that miss one of the two are left out. undefined when none is left. */
export function pairedLead(own: readonly (number | undefined)[], other: readonly (number | undefined)[]): Lead | undefined {
  const differences = own.flatMap((value, index) => {
    const against = other[index];
    return value === undefined || against === undefined ? [] : [value - against];
  });
  const interval = intervalOf(differences);
  return interval && { ...interval, isClear: interval.count > 1 && (interval.low > 0 || interval.high < 0) };
}
