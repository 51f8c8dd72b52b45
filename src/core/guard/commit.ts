// A compaction lands: rows C1 and C3 to C9. Applied inside the one transaction that also writes the view.
import { isSelfStarted } from './derive.ts';
import type { Guard, GuardResult, Rest, UnitState } from './guard.ts';
import { coolPaths, type Moment, withoutPath } from './paths.ts';
import { restPeriod, tripped, withModel } from './rest.ts';
import { accepted, type EventOf, refused } from './result.ts';

type Commit = EventOf<'commit'>;

/**
 * Refused unless the attempt still holds the lease and its base is still the newest view; a lease that has run out but that nobody took does
 * not refuse. A manual or overflow commit leaves the verdict unknown and touches nothing else.
 */
export function commit(guard: Guard, event: Commit, at: Moment): GuardResult {
  if (guard.lease?.fence !== event.fence || guard.view !== event.baseView) return refused(guard);
  const cooled = coolPaths(guard.paths, event.failed, at);
  const landed: Guard = {
    ...guard,
    view: event.viewId,
    lease: undefined,
    pending: undefined,
    paths: event.modelPath === undefined ? cooled : withoutPath(cooled, event.modelPath),
  };
  return accepted(isSelfStarted(event.ask.kind) ? judgeStreaks(awaitVerdict(landed, event, at), event, at) : landed);
}

/** C5 and C6: tokens wait for the provider's word; a message count is known. Each untried model gets one try at a tripped guard. */
function awaitVerdict(guard: Guard, event: Commit, at: Moment): Guard {
  const { unit, mark, model } = event.ask;
  if (unit === 'messages') return guard;
  const { proof } = guard;
  const isTried = proof !== undefined && guard.strikes >= at.options.strikeLimit;
  return {
    ...guard,
    pending: { mark, model, sinceMs: at.now },
    proof: isTried ? { ...proof, models: withModel(proof.models, model, at) } : proof,
  };
}

/** C4, then C7 to C9. Strikes are a matter of tokens. */
function judgeStreaks(guard: Guard, event: Commit, at: Moment): Guard {
  const { unit } = event.ask;
  const strikes = unit === 'tokens' ? guard.strikes : 0;
  return { ...guard, [unit]: restAfter(countRefill(guard[unit], event, at), strikes, { event, at }) };
}

/** C4. Between the short and the long growth is a dead zone, so that growth around one limit cannot reset the streak for ever. */
function countRefill(unit: UnitState, event: Commit, at: Moment): UnitState {
  const { mark } = event.ask;
  const last = { mark, watermark: event.watermark };
  if (unit.last === undefined || mark < unit.last.mark) return { ...unit, last };
  const growth = event.growthAfter(unit.last.watermark);
  if (growth < at.options.shortGrowthShare * mark) return { ...unit, last, refills: unit.refills + 1 };
  if (growth >= at.options.longGrowthShare * mark) return { ...unit, last, refills: 0 };
  return { ...unit, last };
}

/** C7 to C9. */
function restAfter(unit: UnitState, strikes: number, { event, at }: { event: Commit; at: Moment }): UnitState {
  const { size, mark } = event.ask;
  if (unit.refills >= at.options.refillLimit) return tripped(unit, { reason: 'refill', size, step: at.options.longGrowthShare * mark }, at);
  const { rest } = unit;
  if (rest === undefined) return unit;
  if (!isSpent(rest, unit)) return { ...unit, rest: { ...rest, sinceMs: at.now } };
  if (strikes < at.options.strikeLimit) return { ...unit, rest: undefined, level: strikes === 0 ? 0 : unit.level };
  return { ...unit, rest: { ...rest, reason: 'ineffective', sinceMs: at.now, periodMs: restPeriod(unit.level, at) } };
}

/** A rest that this commit answers: it was not about ineffectiveness, and no refill streak stands. */
function isSpent(rest: Rest, unit: UnitState): boolean {
  return rest.reason === 'nothing_to_compact' || rest.reason === 'undone' || (rest.reason === 'refill' && unit.refills === 0);
}
