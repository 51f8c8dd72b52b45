// Guard events against the stored record: apply, compare-and-swap, and on a conflict apply again to the fresh record.
import { UllageError } from '../core/errors.ts';
import type { Guard, GuardEvent, GuardResult } from '../core/guard/guard.ts';
import { reduceGuard } from '../core/guard/reduce.ts';
import type { Context } from './context.ts';

const SWAP_TRIES = 64;

/** `known` saves the first read; it is checked by the swap. */
export interface GuardRef {
  readonly guardKey: string;
  readonly known?: Guard;
}

/** Throws a store error when the record cannot be read or written. */
export async function applyGuardEvent(context: Context, ref: GuardRef, event: GuardEvent): Promise<GuardResult> {
  const key = { tenant: context.tenant, guardKey: ref.guardKey };
  let guard = ref.known ?? (await context.store.readGuard(key));
  for (let attempt = 0; attempt < SWAP_TRIES; attempt++) {
    const result = reduceGuard(guard, event, context.clock.now(), context.guardOptions);
    if (result.guard === guard) return result;
    const isSwapped = await context.store.swapGuard({ ...key, expectedVersion: guard.version, guard: result.guard });
    if (isSwapped) return { ...result, guard: { ...result.guard, version: guard.version + 1 } };
    guard = await context.store.readGuard(key);
  }
  throw new UllageError('store_unavailable', `The guard record was changed ${SWAP_TRIES} times by other writers; try again.`);
}
