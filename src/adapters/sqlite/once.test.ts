import { describe, expect, it } from 'vitest';
import { outcomeOf, TENANT, World } from '../../testkit/store-contract-world.ts';
import { sqliteStore } from './index.ts';
import { connectTo } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';

const DAY_MS = 86_400_000;

describe('operation ids', () => {
  it('are remembered for a day and then forgotten, so that they do not pile up', () =>
    withPath(async (path) => {
      const store = sqliteStore(path);
      const world = new World({ store, peer: store, dispose: () => store.close() });
      await world.session();
      const record = (operationId: string, atMs: number) =>
        store.recordOutcome({ operationId, atMs, tenant: TENANT, outcome: outcomeOf(operationId) });
      await record('first', 0);
      await record('second', DAY_MS);
      const connection = await connectTo(path);
      const ids = () =>
        connection
          .prepare('SELECT operation_id FROM operations ORDER BY at_ms')
          .all()
          .map((row) => Object.values(row as object)[0]);
      expect(ids()).toEqual(['first', 'second']);
      await record('third', DAY_MS + 1);
      expect(ids()).toEqual(['second', 'third']);
      connection.close();
      await store.close();
    }));
});
