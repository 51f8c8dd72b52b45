// What every store must do, as tests for any runner: SQLite, PostgreSQL, the one in memory, and your own.
import { conversationContract } from './store-contract-conversations.ts';
import { decisionContract } from './store-contract-decisions.ts';
import { entryContract } from './store-contract-entries.ts';
import { followContract } from './store-contract-follow.ts';
import { lifecycleContract } from './store-contract-lifecycle.ts';
import { observationContract } from './store-contract-observations.ts';
import { searchContract } from './store-contract-search.ts';
import { tenantContract } from './store-contract-tenants.ts';
import { type ContractGroup, type StoreContractRunner, World } from './store-contract-world.ts';

export type { StoreContractRunner } from './store-contract-world.ts';

const GROUPS: Readonly<Record<string, (group: ContractGroup) => void>> = {
  'entries of a conversation': entryContract,
  'requests that go on': followContract,
  'branches, forks, rotations and continuations': conversationContract,
  'guard, views and outcomes': decisionContract,
  'anchors, calibrations and pins': observationContract,
  search: searchContract,
  tenants: tenantContract,
  'sessions, deletion and retention': lifecycleContract,
};

/**
 * Declares the tests of the contract. Every test opens a store of its own and disposes of it.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from 'vitest';
 * storeContract({ describe, it, expect, open: async ({ storage }) => openMyStore(storage) });
 * ```
 */
export function storeContract({ describe, it, expect, open, isForgetful = false }: StoreContractRunner): void {
  const group: ContractGroup = {
    expect,
    isForgetful,
    test: (name, body, options = { storage: 'full' }) => {
      it(name, async () => {
        const opened = await open(options);
        try {
          await body(new World(opened));
        } finally {
          await opened.dispose();
        }
      });
    },
  };
  for (const [name, declare] of Object.entries(GROUPS)) describe(name, () => declare(group));
}
