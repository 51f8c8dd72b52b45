// Deletes the sessions of this gateway's tenants whose last request is old: on start, and once a day. What it did is logged.
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';

export interface RetentionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly tenants: readonly string[];
  readonly retentionMs: number;
  readonly signal: AbortSignal;
}

const DAY_MS = 86_400_000;

/** Runs until the signal aborts; throws nothing. */
export async function keepRetention(options: RetentionOptions): Promise<void> {
  const { clock, signal } = options;
  while (!signal.aborted) {
    for (const tenant of options.tenants) await pruneTenant(options, tenant);
    await clock.wait(DAY_MS, signal).catch(() => undefined);
  }
}

async function pruneTenant({ store, clock, log, retentionMs }: RetentionOptions, tenant: string): Promise<void> {
  const days = Math.round(retentionMs / DAY_MS);
  try {
    const { sessions, entries } = await store.prune({ tenant, olderThanMs: clock.now() - retentionMs });
    log.write('info', `Retention of ${days} days: ${sessions} sessions with ${entries} messages deleted.`, { tenant, sessions, entries });
  } catch (error) {
    log.write('error', `Retention of ${days} days: old sessions could not be deleted.`, { tenant, error: String(error) });
  }
}
