import { describe, expect, it } from 'vitest';
import { sqliteStore } from './index.ts';
import { runWriter, type WriterRun } from './testing/child.ts';
import { withPath } from './testing/folder.ts';
import { appendRound, commitRound, faultsOf, prepareRounds } from './testing/rounds.ts';

const confirmedBy = (runs: readonly WriterRun[]) => ({
  appended: runs.flatMap(({ appended }) => appended),
  committed: runs.flatMap(({ committed }) => committed),
});

describe('several processes on one file', () => {
  it('F26 two processes that create a database and write at once lose nothing and repeat nothing', () =>
    withPath(async (path) => {
      const runs = await Promise.all(['left', 'right'].map((name) => runWriter(path, { name, count: 15 })));
      expect(runs.map(({ exitCode, errors }) => [exitCode, errors])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      const store = sqliteStore(path, { mustExist: true });
      const { guard, deepest } = await store.loadConversation({ tenant: 'tenant-a', conversationId: 'c1' });
      expect([guard.strikes, deepest]).toEqual([30, 120]);
      expect(await faultsOf(store, confirmedBy(runs))).toEqual([]);
      await store.close();
    }));

  const moments = ['appending 0', 'appended 1', 'appending 3', 'committed 3', 'appending 6', 'appended 6'];
  for (const [index, killAt] of moments.entries())
    it(`F24 a process that is killed after “${killAt}” leaves nothing half written`, () =>
      withPath(async (path) => {
        const before = sqliteStore(path);
        await prepareRounds(before);
        // With another process on the file the log is not merged when the writer dies; without one it has to be recovered.
        if (index % 2 === 0) await before.close();
        const run = await runWriter(path, { name: 'victim', count: 100, killAt });
        expect(run.exitCode).toBe(undefined);
        const store = sqliteStore(path);
        expect(await faultsOf(store, confirmedBy([run]))).toEqual([]);
        const next = { name: 'heir', round: 0 };
        await appendRound(store, next);
        await commitRound(store, next);
        expect(await faultsOf(store, { appended: [...run.appended, next], committed: [...run.committed, next] })).toEqual([]);
        await store.close();
        await before.close();
      }));
});
