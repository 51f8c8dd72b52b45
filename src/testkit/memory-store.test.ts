import { describe, expect, it } from 'vitest';
import { memoryStore } from './memory-store.ts';
import { storeContract } from './store-contract.ts';

describe('memoryStore', () => {
  storeContract({
    describe,
    it,
    expect,
    open: async (options) => {
      const store = memoryStore(options);
      await store.open();
      return { store, peer: store, dispose: () => store.close() };
    },
  });
});
