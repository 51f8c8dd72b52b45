// A whole store in memory: for tests of an agent, and for conversations that need not outlive the process.
import type { Store } from '../ports/store.ts';
import { entryCommands } from './memory-store-append.ts';
import { guardCommands } from './memory-store-guard.ts';
import { searchCommands } from './memory-store-search.ts';
import { sessionCommands } from './memory-store-sessions.ts';
import { emptyState } from './memory-store-state.ts';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** 'none' keeps no message texts, only what decides: fingerprints, views, guard, counts. Default 'full'. */
  readonly storage?: 'full' | 'none';
}

/**
 * A store that keeps everything in this object and passes the same contract as the durable ones. What it holds survives `close()` and a
 * later `open()` of the same object, and nothing else.
 *
 * @example
 * ```ts
 * const ullage = createUllage({ store: memoryStore(), api: 'anthropic' });
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const state = emptyState(options.storage ?? 'full');
  return {
    storage: state.storage,
    async open() {
      state.isClosed = false;
    },
    async close() {
      state.isClosed = true;
    },
    async check() {
      return [{ name: 'storage', ok: true, detail: `in memory, ${state.storage === 'full' ? 'with' : 'without'} message texts` }];
    },
    ...sessionCommands(state),
    ...entryCommands(state),
    ...guardCommands(state),
    ...searchCommands(state),
  };
}
