// Whether the store can be used, as far as it was last seen. A store that fails later stops no request: it is shown, and asked again.

import type { ExchangeReport } from '../../../adapters/exchange/exchange.ts';
import { UllageError } from '../../../core/errors.ts';
import type { Log } from '../../../ports/log.ts';
import type { Store } from '../../../ports/store.ts';

export interface StoreState {
  /** Of the newest failure since the last success. */
  readonly fault: string | undefined;
  /** True for errors of a store, which are remembered. */
  noteError(error: unknown): boolean;
  /** What an exchange saw. */
  noteReport(report: ExchangeReport): void;
  /** Asks the store. */
  probe(): Promise<boolean>;
}

/** A key that names no session. */
const PROBE = { tenant: 'local', key: 'ullage:probe' };

export function createStoreState(store: Store, log: Log): StoreState {
  let fault: string | undefined;
  const set = (next: string | undefined) => {
    if (next !== undefined && fault === undefined)
      log.write('error', `The store cannot be used: ${next} Requests go on without compaction.`);
    if (next === undefined && fault !== undefined) log.write('info', 'The store can be used again.');
    fault = next;
  };
  const state: StoreState = {
    get fault() {
      return fault;
    },
    noteError(error) {
      if (!isStoreError(error)) return false;
      set(error.message);
      return true;
    },
    noteReport({ outcome, leftAlone, contextTokens }) {
      if (leftAlone === 'store_unavailable' || outcome?.reason === 'store_unavailable') set('it did not answer a request.');
      else if (contextTokens !== undefined) set(undefined);
    },
    async probe() {
      try {
        await store.findSession(PROBE);
        return fault === undefined;
      } catch (error) {
        state.noteError(error);
        return false;
      }
    },
  };
  return state;
}

function isStoreError(error: unknown): error is UllageError {
  return UllageError.is(error) && error.code.startsWith('store_');
}
