import { describe, expect, it } from 'vitest';
import { sqliteStore } from './index.ts';
import { runWriter, type WriterRun } from './testing/child.ts';
import { withPath } from './testing/folder.ts';
import { appendRound, commitRound, faultsOf } from './testing/rounds.ts';

const confirmedBy = (runs: readonly WriterRun[]) => ({
  appended: runs.flatMap(({ appended }) => appended),
  committed: runs.flatMap(({ committed }) => committed),
});

/** Statements after which a writer dies: in the first append, around its commit, and in later rounds. */
const DEATHS = [60, 75, 90, 120, 200, 333];

describe('several processes on one file', () => {
  it('F26 two processes that create a database and write at once lose nothing and repeat nothing', () =>
    withPath(async (path) => {
      const runs = await Promise.all(['left', 'right'].map((name) => runWriter(path, { name, count: 150 })));
      expect(runs.map(({ end, errors }) => [end, errors])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      const store = sqliteStore(path, { mustExist: true });
      const { guard, deepest } = await store.loadConversation({ tenant: 'tenant-a', conversationId: 'c1' });
      expect([guard.strikes, deepest]).toEqual([300, 1_200]);
      expect(await faultsOf(store, confirmedBy(runs))).toEqual([]);
      await store.close();
    }));

  for (const [index, killAt] of DEATHS.entries())
    it(`F24 a process that is killed before its statement ${killAt} leaves nothing half written`, () =>
      withPath(async (path) => {
        // With another process on the file the log is left as it is when a writer dies; without one it has to be recovered.
        const other = sqliteStore(path);
        if (index % 2 === 0) await other.open();
        const run = await runWriter(path, { name: 'victim', count: 100, killAt });
        expect([run.end, run.errors]).toEqual(['SIGKILL', '']);
        const store = sqliteStore(path);
        expect(await faultsOf(store, confirmedBy([run]))).toEqual([]);
        const next = { name: 'heir', round: 0 };
        await appendRound(store, next);
        await commitRound(store, next);
        expect(await faultsOf(store, { appended: [...run.appended, next], committed: [...run.committed, next] })).toEqual([]);
        await store.close();
        await other.close();
      }));
});
