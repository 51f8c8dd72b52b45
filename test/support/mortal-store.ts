// A store as one process sees it until it is killed: from a chosen call on nothing comes back any more.
import type { Store } from '../../src/ports/store.ts';

export interface MortalStore {
  readonly store: Store;
  /** Calls so far. */
  readonly calls: number;
  /** The process is dead: nothing it awaits comes back. */
  readonly isDead: boolean;
  kill(): void;
}

/** Dies at call number `lastCall` (from 1): before it has an effect, or after it and before its answer. */
export function mortalStore(store: Store, lastCall: number, when: 'before' | 'after'): MortalStore {
  let calls = 0;
  let isKilled = false;
  const isDead = () => isKilled || calls >= lastCall;
  const proxy = new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        if (isDead()) return never();
        calls += 1;
        if (isDead() && when === 'before') return never();
        const result = await (member as (...args: unknown[]) => unknown).apply(target, given);
        return isDead() ? never() : result;
      };
    },
  });
  return {
    store: proxy,
    get calls() {
      return calls;
    },
    get isDead() {
      return isDead();
    },
    kill() {
      isKilled = true;
    },
  };
}

const never = () => new Promise<never>(() => {});
