// The event table. Total by type: an event without a row does not compile. What each row does is in the file of its family.
import { claim, notePath, renew } from './claim.ts';
import { commit } from './commit.ts';
import { endFailed, endNoop, endSuperseded } from './end.ts';
import { GUARD_DEFAULTS, type Guard, type GuardEvent, type GuardOptions, type GuardResult } from './guard.ts';
import { observe, observeOverflow } from './observe.ts';
import type { Moment } from './paths.ts';
import { type EventOf, isEqualData } from './result.ts';
import { undo } from './undo.ts';

type Row<T extends GuardEvent['type']> = (guard: Guard, event: EventOf<T>, at: Moment) => GuardResult;

const TABLE: { readonly [T in GuardEvent['type']]: Row<T> } = {
  claim,
  renew,
  path: notePath,
  'end-failed': endFailed,
  'end-noop': endNoop,
  'end-superseded': endSuperseded,
  commit,
  undo,
  observe,
  'overflow-verdict': observeOverflow,
};

/**
 * What an event makes of the record. Pure; when nothing changes the very same object comes back, and nothing needs to be written. Otherwise
 * the caller writes by compare-and-swap on `version` (which the store bumps, not this function), and on a conflict reads again and applies
 * the event again.
 */
// biome-ignore lint/complexity/useMaxParams: the options are an optional last word, and every caller names the other three.
export function reduceGuard(guard: Guard, event: GuardEvent, now: number, options: GuardOptions = GUARD_DEFAULTS): GuardResult {
  // The compiler cannot pair an event with the row of its own type.
  const row = TABLE[event.type] as (guard: Guard, event: GuardEvent, at: Moment) => GuardResult;
  const result = row(guard, event, { now, options });
  return isEqualData(result.guard, guard) ? { ...result, guard } : result;
}
