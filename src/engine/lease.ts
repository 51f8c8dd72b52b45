// Keeps an attempt's lease alive while a model writes, and tells when it is lost.
import type { Context } from './context.ts';
import { applyGuardEvent } from './guard-store.ts';

export interface KeptLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  release(): void;
}

export function keepLease(context: Context, lease: { readonly guardKey: string; readonly fence: number }): KeptLease {
  const lost = new AbortController();
  const done = new AbortController();
  void renewUntilDone(context, lease, { lost, done });
  return { signal: lost.signal, release: () => done.abort() };
}

async function renewUntilDone(
  context: Context,
  lease: { readonly guardKey: string; readonly fence: number },
  ends: { readonly lost: AbortController; readonly done: AbortController },
): Promise<void> {
  while (!ends.done.signal.aborted) {
    try {
      await context.clock.wait(context.guardOptions.renewMs, ends.done.signal);
    } catch {
      return; // released
    }
    try {
      const renewed = await applyGuardEvent(context, { guardKey: lease.guardKey }, { type: 'renew', fence: lease.fence });
      if (renewed.status === 'refused') return ends.lost.abort(new Error('The lease was taken over.'));
    } catch (error) {
      // A busy store is not a lost lease: the next round tries again, and the commit checks the fence anyway.
      context.log.write('warn', 'The lease could not be renewed.', { error: String(error) });
    }
  }
}
