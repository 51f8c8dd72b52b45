// What an answer proves: rows O1 to O8. A reading speaks only for the newest view; any other changes nothing, in either direction.
import type { Guard, GuardResult, Reading } from './guard.ts';
import type { Moment } from './paths.ts';
import { tripped, withModel, withoutStrikes } from './rest.ts';
import { accepted, type EventOf } from './result.ts';

type Pending = NonNullable<Guard['pending']>;

export function observe(guard: Guard, { reading }: EventOf<'observe'>, at: Moment): GuardResult {
  if (reading.view !== guard.view) return accepted(guard);
  return accepted(guard.pending === undefined ? hear(guard, reading) : judge(guard, guard.pending, { reading, at }));
}

/** O8: the provider refused the request, which is a verdict too; what it measured is at least the mark. */
export function observeOverflow(guard: Guard, event: EventOf<'overflow-verdict'>, at: Moment): GuardResult {
  const { pending } = guard;
  if (event.reading.view !== guard.view || pending === undefined) return accepted(guard);
  const size = Math.max(event.actual ?? 0, event.limit ?? 0, pending.mark);
  return accepted(judge(guard, pending, { reading: { ...event.reading, size }, at }));
}

/** O1 to O5. */
function judge(guard: Guard, pending: Pending, { reading, at }: { reading: Reading; at: Moment }): Guard {
  const { size, grown } = reading;
  const judged: Guard = { ...guard, pending: undefined };
  if (size === undefined || Number.isNaN(size)) return judged;
  if (reading.model !== pending.model) return guard;
  if (size < pending.mark) return isUnderProof(guard, size) ? withoutStrikes(judged) : judged;
  // It worked, and what came after it filled the room.
  if (size - grown < pending.mark) return judged;
  return struck(judged, { size, grown, mark: pending.mark, model: pending.model }, at);
}

function isUnderProof({ proof }: Guard, size: number): boolean {
  return proof === undefined || size < proof.mark;
}

/** O5. A size under the mark of the older proof contradicts it, so the count begins anew. */
function struck(guard: Guard, proven: { size: number; grown: number; mark: number; model: string }, at: Moment): Guard {
  const { proof } = guard;
  const { size, grown, mark, model } = proven;
  const strikes = proof !== undefined && size < proof.mark ? 1 : guard.strikes + 1;
  const next: Guard = { ...guard, strikes, proof: { size: size - grown, mark, models: withModel(proof?.models ?? [], model, at) } };
  if (strikes < at.options.strikeLimit) return next;
  return { ...next, tokens: tripped(next.tokens, { reason: 'ineffective', size, step: at.options.longGrowthShare * mark }, at) };
}

/** O6 and O7: without a pending verdict only a tried model under the proven mark says something. */
function hear(guard: Guard, { size, model }: Reading): Guard {
  const { proof } = guard;
  const isCleared = guard.strikes > 0 && proof?.models.includes(model) && size !== undefined && size < proof.mark;
  return isCleared ? withoutStrikes(guard) : guard;
}
