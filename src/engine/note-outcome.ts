// An outcome is returned, stored, logged and told to listeners; one like the one before it is only returned, unless it compacted.
import { UllageError } from '../core/errors.ts';
import type { CompactionOutcome } from '../core/plan/outcome.ts';
import type { Context } from './context.ts';
import type { SessionMemory } from './memory.ts';
import { type OutcomeInput, outcomeOf } from './outcome.ts';

export async function noteOutcome(context: Context, memory: SessionMemory, input: OutcomeInput): Promise<CompactionOutcome> {
  const { committed } = input.result;
  const outcome = committed ?? outcomeOf(context, input);
  const isCommitted = committed !== undefined;
  const state = `${outcome.status}:${outcome.reason ?? ''}:${outcome.exhausted}`;
  const isNews = outcome.status === 'compacted' || memory.lastReason !== state;
  memory.lastReason = outcome.status === 'compacted' ? undefined : state;
  if (!isNews) return outcome;
  if (!isCommitted && input.state.bound && !input.state.bound.fault) await store(context, outcome);
  tell(context, outcome);
  return outcome;
}

/** A commit stores its outcome in its own transaction; all others are stored here. */
async function store(context: Context, outcome: CompactionOutcome): Promise<void> {
  try {
    await context.store.recordOutcome({ operationId: outcome.attemptId, atMs: outcome.atMs, tenant: context.tenant, outcome });
  } catch (error) {
    if (!UllageError.is(error)) throw error;
    context.health.lastFault = `outcome not stored: ${error.message}`;
    context.log.write('error', `An outcome could not be stored: ${error.message}`, { code: error.code, attemptId: outcome.attemptId });
  }
}

export function tell(context: Context, outcome: CompactionOutcome): void {
  const { status, reason, attemptId, oldRequestTokens, newRequestTokens } = outcome;
  const level = status === 'failed' || outcome.exhausted ? 'error' : status === 'compacted' ? 'info' : 'warn';
  context.log.write(level, outcome.message, { attemptId, status, reason, oldRequestTokens, newRequestTokens });
  if (status === 'compacted' && outcome.viewId === undefined) return; // for one request alone: nothing was committed
  if (status === 'compacted') context.emitter.emit('compaction-committed', outcome);
  else if (status === 'blocked' || reason === 'floor_above_target' || reason === 'floor_exceeds_window')
    context.emitter.emit('compaction-blocked', outcome);
  else context.emitter.emit('compaction-failed', outcome);
}
