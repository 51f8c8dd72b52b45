// What happens to the conversations, told to whoever listens: live events per tenant, attempts under way, and totals.
import type { UllageEventName, UllageEvents } from '../../../engine/events.ts';
import type { Ullage } from '../../../engine/ullage.ts';

/** One event as listeners get it. */
export interface CompactionEvent {
  readonly name: UllageEventName;
  readonly data: UllageEvents[UllageEventName];
}

export type CompactionListener = (event: CompactionEvent) => void;

/** Since the start. */
export interface CompactionTotals {
  readonly compactions: number;
  /** Sums over them, tokens. */
  readonly oldTokens: number;
  readonly newTokens: number;
}

/** Hears all tenants: for our own counting. No tenant can have this name. */
export const EVERY_TENANT = '*';

const NAMES: readonly UllageEventName[] = ['compaction-started', 'compaction-committed', 'compaction-failed', 'compaction-blocked'];

export class CompactionEvents {
  totals: CompactionTotals = { compactions: 0, oldTokens: 0, newTokens: 0 };
  private readonly listeners = new Map<string, Set<CompactionListener>>();
  private readonly attempts = new Set<string>();

  /** Listens to an engine for as long as it lives. */
  follow(tenant: string, ullage: Ullage): void {
    for (const name of NAMES) ullage.on(name, (data) => this.publish(tenant, { name, data }));
  }

  /** Answers how to end it. */
  listen(tenant: string, listener: CompactionListener): () => void {
    const set = this.listeners.get(tenant) ?? new Set();
    this.listeners.set(tenant, set.add(listener));
    return () => void set.delete(listener);
  }

  countListeners(tenant: string): number {
    return this.listeners.get(tenant)?.size ?? 0;
  }

  /** An attempt that ended without an event: its outcome was like the one before. */
  settle(attemptId: string): void {
    this.attempts.delete(attemptId);
  }

  get underWay(): number {
    return this.attempts.size;
  }

  private publish(tenant: string, event: CompactionEvent): void {
    const { name, data } = event;
    if (name === 'compaction-started') this.attempts.add(data.attemptId);
    else this.attempts.delete(data.attemptId);
    if (name === 'compaction-committed' && 'newRequestTokens' in data) {
      const { compactions, oldTokens, newTokens } = this.totals;
      this.totals = {
        compactions: compactions + 1,
        oldTokens: oldTokens + data.oldRequestTokens,
        newTokens: newTokens + data.newRequestTokens,
      };
    }
    for (const ears of [tenant, EVERY_TENANT]) for (const listener of this.listeners.get(ears) ?? []) listener(event);
  }
}
