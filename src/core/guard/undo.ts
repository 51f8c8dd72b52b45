// A person takes a compaction back: row C2. No lease is needed; a running attempt loses its base.
import { isRunning } from './derive.ts';
import type { Guard, GuardResult, Rest } from './guard.ts';
import type { Moment } from './paths.ts';
import { accepted, type EventOf } from './result.ts';

/** Share of the usable window at which automatic compaction may run again after an undo. */
const UNDO_LIMIT_SHARE = 0.95;

/**
 * The verdict becomes unknown, and automatic compaction rests, else the next request would fold the same range again. An undo has no model
 * and no mark, so any rest that still runs counts as resting and stays.
 */
export function undo(guard: Guard, event: EventOf<'undo'>, at: Moment): GuardResult {
  const { tokens } = guard;
  const { size } = event;
  const undone: Guard = { ...guard, view: event.viewId, pending: undefined };
  if (tokens.rest !== undefined && isRunning(tokens.rest, size, at.now)) return accepted(undone);
  const step = Math.max(event.minGain, UNDO_LIMIT_SHARE * event.usable - size);
  const rest: Rest = { reason: 'undone', sinceMs: at.now, periodMs: at.options.undoRestMs, size, step };
  return accepted({ ...undone, tokens: { ...tokens, rest } });
}
