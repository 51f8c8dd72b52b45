// What really happened, followed from the events alone and not from the record: the witness that the invariants hear.
import { isSelfStarted, isTripped } from '../derive.ts';
import type { GuardEvent, GuardResult, Reading } from '../guard.ts';
import type { Ghost, World } from './world.ts';

export function follow(before: World, event: GuardEvent, result: GuardResult): Ghost {
  const { ghost } = before;
  switch (event.type) {
    case 'commit':
      return result.status === 'accepted' ? afterCommit(before, event) : ghost;
    case 'undo':
      return { ...ghost, unjudged: undefined };
    case 'observe':
      return afterReading(before, event.reading, result);
    case 'overflow-verdict':
      return ghost.unjudged === undefined
        ? ghost
        : afterReading(before, { ...event.reading, size: event.actual ?? event.limit ?? 0 }, result);
    default:
      return ghost;
  }
}

function afterCommit({ ghost, guard, nowMs }: World, { ask, viewId }: Extract<GuardEvent, { type: 'commit' }>): Ghost {
  if (!isSelfStarted(ask.kind)) return { ...ghost, unjudged: undefined };
  const allowance = ghost.allowance - 1;
  if (ask.unit === 'messages') return { ...ghost, allowance, unjudged: undefined };
  const unjudged = { view: viewId, mark: ask.mark, model: ask.model, atMs: nowMs };
  const probedAtMs = isTripped(guard) ? { ...ghost.probedAtMs, [ask.model]: nowMs } : ghost.probedAtMs;
  return { ...ghost, allowance, unjudged, probedAtMs };
}

/** An answer through the newest automatic view, by its own model or without a size, ends the wait. */
function afterReading({ ghost, guard }: World, reading: Reading, result: GuardResult): Ghost {
  const struck = result.guard.strikes > guard.strikes || result.guard.proof?.size !== guard.proof?.size ? reading.view : ghost.struck;
  const { unjudged } = ghost;
  const isAnswer = unjudged !== undefined && unjudged.view === reading.view;
  if (!isAnswer || (reading.size !== undefined && reading.model !== unjudged.model)) return { ...ghost, struck };
  return { ...ghost, struck, unjudged: undefined };
}
