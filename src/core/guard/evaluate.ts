// Asking the guard: rows E0 to E8 in order. Pure and total; it never writes, so it may be asked as often as one likes.
import { isResting, isSelfStarted, isTripped, over } from './derive.ts';
import { type Ask, type BlockReason, type Decision, GUARD_DEFAULTS, type Guard, type GuardOptions, type RestReason } from './guard.ts';
import { type Moment, openPaths, settleLease } from './paths.ts';

const BLOCK_REASONS: Readonly<Record<RestReason, BlockReason>> = {
  ineffective: 'guard_ineffective',
  refill: 'guard_refill',
  nothing_to_compact: 'guard_nothing_to_compact',
  undone: 'guard_undone',
};

/**
 * May this attempt run? A function of its arguments alone: equal for every process, before and after a restart. `'unreadable'` stands for a
 * store that could not be read; then nothing automatic runs. A lease that has run out is read as if row A2 had been applied.
 */
// biome-ignore lint/complexity/useMaxParams: the options are an optional last word, and every caller names the other three.
export function evaluate(guard: Guard | 'unreadable', ask: Ask, now: number, options: GuardOptions = GUARD_DEFAULTS): Decision {
  if (isSelfStarted(ask.kind) && ask.size < ask.mark) return { decision: 'not_due' };
  if (guard === 'unreadable') return evaluateUnreadable(ask);
  const at: Moment = { now, options };
  const settled = settleLease(guard, at);
  if (settled.lease !== undefined) {
    return { decision: 'deferred', reason: 'in_progress', retryAtMs: settled.lease.sinceMs + options.leaseMs };
  }
  if (ask.kind === 'manual') return { decision: 'allow', paths: ask.paths.map(({ path }) => path) };
  if (ask.kind === 'overflow') return evaluateOverflow(settled, ask, at);
  return evaluateSelfStarted(settled, ask, at);
}

/** E1: nothing can be stored, so an overflow is answered for this one request only, with facts. */
function evaluateUnreadable(ask: Ask): Decision {
  return ask.kind === 'overflow' ? { decision: 'allow', paths: [] } : { decision: 'deferred', reason: 'store_unavailable' };
}

/** E4: proven by the provider, so never blocked; but a model call is bought only where it can pay. */
function evaluateOverflow(guard: Guard, ask: Ask, at: Moment): Decision {
  const isFactsOnly = isResting(guard, ask, at.now, at.options) || ask.gain < ask.minGain;
  return { decision: 'allow', paths: isFactsOnly ? [] : openPaths(guard.paths, ask, at.now) };
}

/** E5 to E8. */
function evaluateSelfStarted(guard: Guard, ask: Ask, at: Moment): Decision {
  const { pending } = guard;
  if (ask.unit === 'tokens' && pending !== undefined && !over(pending, at.options.verdictWaitMs, at.now)) {
    return { decision: 'deferred', reason: 'verdict_pending', retryAtMs: pending.sinceMs + at.options.verdictWaitMs };
  }
  const { rest } = guard[ask.unit];
  if (rest !== undefined && isResting(guard, ask, at.now, at.options)) {
    return {
      decision: 'blocked',
      reason: BLOCK_REASONS[rest.reason],
      retryAtMs: rest.sinceMs + rest.periodMs,
      retryTokens: rest.size + rest.step,
    };
  }
  return { decision: isTripped(guard, ask.unit) ? 'probe' : 'allow', paths: openPaths(guard.paths, ask, at.now) };
}
