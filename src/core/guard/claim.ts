// Taking the lease, keeping it, and naming the path it is about to pay for: rows A1 to A4, renew, path.
import { over } from './derive.ts';
import { evaluate } from './evaluate.ts';
import type { Guard, GuardResult } from './guard.ts';
import { FACTS_PATH, isSummarizerPath, type Moment, settleLease } from './paths.ts';
import { accepted, type EventOf, refused } from './result.ts';

/**
 * Evaluate and claim are one step, at the claim's own `now`. Strikes, refills and rest stay as they are: a probe does not untrip. A summarizer
 * path that the decision does not allow is not noted in the lease, else a crash would be charged to a path that was never called.
 */
export function claim(guard: Guard, event: EventOf<'claim'>, at: Moment): GuardResult {
  const { ask, attemptId } = event;
  const decision = evaluate(guard, ask, at.now, at.options);
  if (decision.decision !== 'allow' && decision.decision !== 'probe') return refused(guard, decision);
  const settled = settleLease(guard, at);
  const fence = settled.fence + 1;
  const isPathAllowed = !isSummarizerPath(event.path) || decision.paths.includes(event.path);
  const path = isPathAllowed ? event.path : (decision.paths[0] ?? FACTS_PATH);
  const lease = { attemptId, fence, path, sinceMs: at.now, claimedAtMs: at.now };
  return accepted({ ...settled, fence, lease, paths: ask.kind === 'manual' ? {} : settled.paths }, decision);
}

/** Refused when the lease is lost, or held for `leaseCapMs` already: then the attempt aborts. */
export function renew(guard: Guard, event: EventOf<'renew'>, at: Moment): GuardResult {
  const { lease } = guard;
  if (lease?.fence !== event.fence) return refused(guard);
  const isCapReached = over({ sinceMs: lease.claimedAtMs ?? lease.sinceMs }, at.options.leaseCapMs, at.now);
  return isCapReached ? refused(guard) : accepted({ ...guard, lease: { ...lease, sinceMs: at.now } });
}

/** Before the first summary call of the next path in the chain, so that A2 charges the right one. */
export function notePath(guard: Guard, event: EventOf<'path'>): GuardResult {
  const { lease } = guard;
  if (lease?.fence !== event.fence) return refused(guard);
  return accepted({ ...guard, lease: { ...lease, path: event.path } });
}
