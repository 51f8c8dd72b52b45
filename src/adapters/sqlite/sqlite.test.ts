import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storeContract } from '../../testkit/store-contract.ts';
import { sqliteStore } from './index.ts';

describe('sqliteStore on a file, two stores on it', () => {
  storeContract({
    describe,
    it,
    expect,
    open: async (options) => {
      const folder = mkdtempSync(join(tmpdir(), 'ullage-sqlite-'));
      const store = sqliteStore(join(folder, 'agent.db'), options);
      const peer = sqliteStore(join(folder, 'agent.db'), options);
      await store.open();
      await peer.open();
      return {
        store,
        peer,
        dispose: async () => {
          await store.close();
          await peer.close();
          rmSync(folder, { recursive: true });
        },
      };
    },
  });
});

describe('sqliteStore in memory', () => {
  storeContract({
    describe,
    it,
    expect,
    isForgetful: true,
    open: async (options) => {
      const store = sqliteStore(':memory:', options);
      await store.open();
      return { store, peer: store, dispose: () => store.close() };
    },
  });
});
