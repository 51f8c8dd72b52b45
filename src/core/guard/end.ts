// The end of an attempt without a commit: rows F1 to F4. With a lost fence nothing is written.
import { isResting, isSelfStarted, isTripped } from './derive.ts';
import type { Ask, Guard, GuardResult, Rest } from './guard.ts';
import { coolPaths, type Moment } from './paths.ts';
import { withModel } from './rest.ts';
import { accepted, type EventOf, refused } from './result.ts';

/** F1 and F2. */
export function endFailed(guard: Guard, event: EventOf<'end-failed'>, at: Moment): GuardResult {
  if (guard.lease?.fence !== event.fence) return refused(guard);
  const failed = event.isAborted ? event.failed.map((path) => ({ ...path, reason: 'aborted' })) : event.failed;
  return accepted({ ...guard, lease: undefined, paths: coolPaths(guard.paths, failed, at) });
}

/** F3. A plan that buys nothing now is not worth planning again at once; a person's attempt or an overflow leaves no such mark. */
export function endNoop(guard: Guard, event: EventOf<'end-noop'>, at: Moment): GuardResult {
  if (guard.lease?.fence !== event.fence) return refused(guard);
  const { ask } = event;
  const ended: Guard = { ...guard, lease: undefined, paths: coolPaths(guard.paths, event.failed, at) };
  if (!isSelfStarted(ask.kind) || isResting(guard, ask, at.now, at.options)) return accepted(ended);
  const rest = noopRest(guard, ask, at);
  return accepted({ ...ended, ...triedModel(guard, { ask, rest }, at), [ask.unit]: { ...guard[ask.unit], rest } });
}

/** A rest of reason 'ineffective' holds only models it was judged with: one that tried and found nothing joins them, or it would try at each request. */
function triedModel(guard: Guard, { ask, rest }: { readonly ask: Ask; readonly rest: Rest }, at: Moment): Partial<Guard> {
  if (rest.reason !== 'ineffective' || guard.proof === undefined) return {};
  return { proof: { ...guard.proof, models: withModel(guard.proof.models, ask.model, at) } };
}

/** A tripped guard stays tripped: the next attempt is still a probe. */
function noopRest(guard: Guard, ask: Ask, at: Moment): Rest {
  const reason = (isTripped(guard, ask.unit) && guard[ask.unit].rest?.reason) || 'nothing_to_compact';
  return { reason, sinceMs: at.now, periodMs: at.options.noopRestMs, size: ask.size, step: ask.minGain };
}

/** F4. */
export function endSuperseded(guard: Guard, event: EventOf<'end-superseded'>): GuardResult {
  if (guard.lease?.fence !== event.fence) return refused(guard);
  return accepted({ ...guard, lease: undefined });
}
