// The invariants of the guard as judges of one transition. Each hears the world before and after, the event, and the witness of ghost.ts.
import { isSelfStarted, isTripped, over } from '../derive.ts';
import { evaluate } from '../evaluate.ts';
import { GUARD_DEFAULTS as D, type Guard, type GuardEvent, type UnitState } from '../guard.ts';
import { isEqualData } from '../result.ts';
import { isAllowed, SHORTEST_REST_MS, type Transition } from './act.ts';
import { askOf, type World } from './world.ts';

/** True when the transition keeps the invariant. */
export type Holds = (transition: Transition) => boolean;

type Commit = Extract<GuardEvent, { type: 'commit' }>;

const models = (world: World): string[] => Object.keys(world.setup.marks);

/** The record agrees with itself. */
const isConsistent: Holds = ({ after: { guard, ghost } }) =>
  guard.strikes > 0 === (guard.proof !== undefined) &&
  (guard.strikes < D.strikeLimit || guard.tokens.rest !== undefined) &&
  (guard.pending === undefined || (guard.view !== undefined && ghost.unjudged?.view === guard.view));

const isWrittenOnChangeOnly: Holds = ({ before, result }) => result.guard === before.guard || !isEqualData(result.guard, before.guard);

const isClaimedRightly: Holds = ({ before, event, result, after }) => {
  const raised = after.guard.fence - before.guard.fence;
  const isNew = after.guard.lease !== undefined && after.guard.lease.fence !== before.guard.lease?.fence;
  if (event.type !== 'claim' || result.status === 'refused') return raised === 0 && !isNew;
  const { lease } = before.guard;
  const isFree = lease === undefined || over(lease, D.leaseMs, before.nowMs);
  return raised === 1 && isNew && isFree && isAllowed(evaluate(before.guard, event.ask, before.nowMs));
};

const isCommittedOnce: Holds = ({ before, event, result }) => {
  if (result.status === 'refused') return result.guard === before.guard;
  if (event.type !== 'commit') return true;
  const isFirst = !before.views.some(({ base }) => base === event.baseView);
  return event.baseView === before.guard.view && event.fence === before.guard.lease?.fence && isFirst;
};

const isVerdictAwaited: Holds = ({ before, event, result }) => {
  if (!isSelfStartedCommit(event) || event.ask.unit !== 'tokens' || result.status === 'refused') return true;
  const { unjudged } = before.ghost;
  return unjudged === undefined || over({ sinceMs: unjudged.atMs }, D.verdictWaitMs, before.nowMs);
};

function isSelfStartedCommit(event: GuardEvent): event is Commit {
  return event.type === 'commit' && isSelfStarted(event.ask.kind);
}

/** The size that an event proves, if it is an answer. */
function provenSize(event: GuardEvent, mark: number): number | undefined {
  if (event.type === 'observe') return event.reading.size;
  return event.type === 'overflow-verdict' ? Math.max(event.actual ?? 0, event.limit ?? 0, mark) : undefined;
}

const isStrikeEarned: Holds = ({ before, event, after }) => {
  const isStruck = after.guard.strikes > before.guard.strikes || (after.guard.proof && after.guard.proof.size !== before.guard.proof?.size);
  if (!isStruck) return true;
  if (event.type !== 'observe' && event.type !== 'overflow-verdict') return false;
  const { unjudged, struck } = before.ghost;
  const { view, grown, model } = event.reading;
  if (unjudged === undefined || view === undefined || view !== unjudged.view || view === struck || model !== unjudged.model) return false;
  return view === before.guard.view && (provenSize(event, unjudged.mark) ?? 0) - grown >= unjudged.mark;
};

const isClearEarned: Holds = ({ before, event, after }) => {
  const { proof, strikes, view } = before.guard;
  if (after.guard.strikes >= strikes) return true;
  if (event.type !== 'observe' || proof === undefined || event.reading.view !== view) return false;
  const { size, model } = event.reading;
  const { unjudged } = before.ghost;
  const isOwnEffect = unjudged?.view === view && unjudged?.model === model;
  const isJudgedWith = proof.models.includes(model) || proof.models.length >= D.proofModels;
  return size !== undefined && size < proof.mark && (isJudgedWith || isOwnEffect);
};

/** G9, only in worlds where nothing grows: four at once, and a tripped guard gives each model one try in a rest. */
export const isBounded: Holds = ({ before, event, result, after }) => {
  if (!isSelfStartedCommit(event) || result.status === 'refused') return true;
  const probedAtMs = before.ghost.probedAtMs[event.ask.model];
  const isOneTry = !isTripped(before.guard) || probedAtMs === undefined || over({ sinceMs: probedAtMs }, SHORTEST_REST_MS, before.nowMs);
  return after.ghost.allowance >= 0 && (isOneTry || event.ask.unit === 'messages');
};

/** Time alone frees an automatic attempt, in two periods at most of all that is running. The earliest such time is now, or the end of a period. */
const isEndingByTime: Holds = ({ after }) => {
  const periods = runningPeriods(after.guard);
  const latest = after.nowMs + 2 * periods.reduce((total, { periodMs }) => total + periodMs, 0);
  const ends = periods.map(({ sinceMs, periodMs }) => sinceMs + periodMs);
  const moments = [after.nowMs, ...ends].filter((moment) => moment >= after.nowMs && moment <= latest);
  return models(after).every((model) => {
    const ask = askOf(after, { kind: 'automatic', unit: 'tokens', model });
    return ask.size < ask.mark || moments.some((moment) => isAllowed(evaluate(after.guard, ask, moment)));
  });
};

function runningPeriods({ tokens, pending, lease }: Guard): { sinceMs: number; periodMs: number }[] {
  const parts = [tokens.rest, pending && { ...pending, periodMs: D.verdictWaitMs }, lease && { ...lease, periodMs: D.leaseMs }];
  return parts.filter((part) => part !== undefined);
}

const judgement = ({ strikes, tokens, messages }: Guard) => ({ strikes, tokens, messages });

const isForcedHarmless: Holds = ({ before, event, after }) => {
  const isForced = 'ask' in event && !isSelfStarted(event.ask.kind);
  if (isForced && !isEqualData(judgement(before.guard), judgement(after.guard))) return false;
  const isHeld = after.guard.lease !== undefined && !over(after.guard.lease, D.leaseMs, after.nowMs);
  return (['manual', 'overflow'] as const).every((kind) => {
    const decision = evaluate(after.guard, askOf(after, { kind, unit: 'tokens', model: 'm' }), after.nowMs);
    return isHeld ? decision.decision === 'deferred' && decision.reason === 'in_progress' : decision.decision === 'allow';
  });
};

const isProbeTripped: Holds = ({ before, event, after }) => {
  const { rest } = before.guard.tokens;
  const isVerdict = event.type === 'observe' || event.type === 'overflow-verdict';
  const isRefillAnswered = event.type === 'commit' && rest?.reason === 'refill' && after.guard.tokens.refills === 0;
  const isKept = !isTripped(before.guard) || isVerdict || isRefillAnswered || event.type === 'undo' || isTripped(after.guard);
  const { lease } = after.guard;
  const later = lease === undefined ? after.nowMs : lease.sinceMs + D.leaseMs;
  const freed = evaluate(after.guard, askOf(after, { kind: 'manual', unit: 'tokens', model: 'm' }), later);
  return isKept && freed.decision === 'allow';
};

const isOverflowAnswered: Holds = ({ after }) => {
  const decision = evaluate(after.guard, askOf(after, { kind: 'overflow', unit: 'tokens', model: 'm' }), after.nowMs);
  return decision.decision === 'allow' || (decision.decision === 'deferred' && after.guard.lease !== undefined);
};

const isSafeUnread: Holds = ({ after }) => {
  const ask = askOf(after, { kind: 'automatic', unit: 'tokens', model: 'm' });
  return !isAllowed(evaluate('unreadable', { ...ask, size: ask.mark }, after.nowMs));
};

/** What one unit does leaves the streaks and the rest of the other alone; each is judged at its own mark. */
const isUnitApart: Holds = ({ before, event, result, after }) => {
  const isKept = (unit: (guard: Guard) => UnitState): boolean =>
    unit(before.guard) === unit(after.guard) || isEqualData(unit(before.guard), unit(after.guard));
  if (!('ask' in event)) return isKept(({ messages }) => messages);
  const { unit, mark } = event.ask;
  const isPending = result.status === 'accepted' && unit === 'tokens' && isSelfStartedCommit(event);
  if (isPending && after.guard.pending?.mark !== mark) return false;
  const isStruck = unit === 'messages' && after.guard.strikes !== before.guard.strikes;
  return !isStruck && isKept((guard) => guard[unit === 'tokens' ? 'messages' : 'tokens']);
};

/** By the number in the specification. G1, G14 and G15 need more than one transition. */
export const INVARIANTS = {
  G2: isConsistent,
  G3: isWrittenOnChangeOnly,
  G4: isClaimedRightly,
  G5: isCommittedOnce,
  G6: isVerdictAwaited,
  G7: isStrikeEarned,
  G8: isClearEarned,
  G10: isEndingByTime,
  G11: isForcedHarmless,
  G12: isProbeTripped,
  G13: isOverflowAnswered,
  G16: isSafeUnread,
  G17: isUnitApart,
} as const satisfies Record<string, Holds>;

export type InvariantId = keyof typeof INVARIANTS;

/** Those that a transition breaks. */
export function broken(transition: Transition): InvariantId[] {
  return (Object.keys(INVARIANTS) as InvariantId[]).filter((id) => !INVARIANTS[id](transition));
}
