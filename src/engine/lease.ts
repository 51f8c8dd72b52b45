// Keeps an attempt's lease alive while a model writes, and tells when it is lost.
import type { Context } from './context.ts';
import { applyGuardEvent } from './guard-store.ts';

export interface KeptLease {
  /** Aborts when it is not renewed any more: then no model is waited for. */
  readonly signal: AbortSignal;
  /** True when another holds it. False after an abort: it was held for as long as a lease may be, and is still ours. */
  isLost(): boolean;
  release(): void;
}

interface HeldLease {
  readonly guardKey: string;
  readonly fence: number;
}

interface Ends {
  /** No further renewal. */
  readonly over: AbortController;
  readonly done: AbortController;
  isLost: boolean;
}

export function keepLease(context: Context, lease: HeldLease): KeptLease {
  const ends: Ends = { over: new AbortController(), done: new AbortController(), isLost: false };
  void renewUntilDone(context, lease, ends);
  return { signal: ends.over.signal, isLost: () => ends.isLost, release: () => ends.done.abort() };
}

async function renewUntilDone(context: Context, lease: HeldLease, ends: Ends): Promise<void> {
  while (!ends.done.signal.aborted) {
    try {
      await context.clock.wait(context.guardOptions.renewMs, ends.done.signal);
    } catch {
      return; // released
    }
    try {
      const renewed = await applyGuardEvent(context, { guardKey: lease.guardKey }, { type: 'renew', fence: lease.fence });
      if (renewed.status === 'accepted') continue;
      ends.isLost = renewed.guard.lease?.fence !== lease.fence;
      return ends.over.abort(new Error(ends.isLost ? 'The lease was taken over.' : 'The lease was held for as long as it may be.'));
    } catch (error) {
      // A busy store is not a lost lease: the next round tries again, and the commit checks the fence anyway.
      context.log.write('warn', 'The lease could not be renewed.', { error: String(error) });
    }
  }
}
