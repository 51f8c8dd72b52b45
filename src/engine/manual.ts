// Manual compaction: asked for by a person, never blocked by the guard, told as it was.

import { UllageError } from '../core/errors.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { Plan } from '../core/plan/plan.ts';
import { attemptCompaction } from './attempt.ts';
import type { Context } from './context.ts';
import { manualTarget, tokenGoal } from './goals.ts';
import type { SessionMemory } from './memory.ts';
import { noteOutcome } from './note-outcome.ts';
import { openStored } from './open-stored.ts';
import { outcomeOf } from './outcome.ts';
import { planForThisRequest } from './transient.ts';

/** What a person may ask of `session.compact`. */
export interface CompactOptions {
  /** What the summary should favour. */
  readonly focus?: string;
  /** Plan only: nothing is written, the plan is returned. Default false. */
  readonly dryRun?: boolean;
  /** Size of the whole request to reach, tokens. Default: the policy's target, at most half of what it is now, where the floor allows it. */
  readonly targetTokens?: number;
}

/** A person who asks expects less than before, also far below the threshold. */
const MANUAL_SHARE = 0.5;

/** Throws session_not_found, not_stored, option_invalid, or what the store throws; a lease held elsewhere is a deferred outcome. */
export async function compactSession(
  given: Context,
  memory: SessionMemory,
  options: CompactOptions,
): Promise<CompactionOutcome & { plan?: Plan }> {
  const startedAtMs = given.clock.now();
  const { targetTokens } = options;
  if (targetTokens !== undefined && !(Number.isFinite(targetTokens) && targetTokens > 0)) {
    throw new UllageError('option_invalid', `Option targetTokens is ${targetTokens}; it must be a positive number of tokens.`);
  }
  const { context, state } = await openStored(given, memory);
  const automatic = tokenGoal(context, state, 'manual');
  const target = targetTokens ?? manualTarget(state, Math.min(automatic.targetTokens, Math.floor(automatic.size * MANUAL_SHARE)));
  const goal = {
    ...automatic,
    kind: 'manual' as const,
    mark: Math.max(target + 1, Math.ceil(target * 1.02)),
    targetTokens: target,
    focus: options.focus,
  };
  if (options.dryRun) {
    const result = await planForThisRequest(context, state, goal);
    return { ...outcomeOf(context, { state, goal, result, startedAtMs, isPlanOnly: true }), plan: result.candidate?.plan };
  }
  const result = await attemptCompaction(context, state, goal);
  return noteOutcome(context, memory, { state, goal, result, startedAtMs });
}
