import { copyFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../ports/store.ts';
import { entriesOf, SESSION, TENANT } from '../../testkit/store-contract-world.ts';
import { filesOf } from './file.ts';
import { sqliteStore } from './index.ts';
import { DEATH, driverWith, watched } from './testing/driver.ts';
import { withPath } from './testing/folder.ts';
import { appendRound, commitRound, faultsOf, followRound, prepareRounds, type Round } from './testing/rounds.ts';

const LARGE: Round = { name: 'first', round: 0 };
/** Some 200 deaths, each with a database of its own. */
const ALL_POINTS_MS = 300_000;
const SMALL: Round = { name: 'second', round: 1 };
const FOLLOWED: Round = { name: 'third', round: 2 };

/** A history in which every kind of write is made; `confirm` is told what the store has confirmed. */
async function history(store: Store, confirm: (kind: 'appended' | 'committed', round: Round) => void): Promise<void> {
  await prepareRounds(store);
  for (const round of [LARGE, SMALL]) {
    await appendRound(store, round);
    confirm('appended', round);
    await commitRound(store, round);
    confirm('committed', round);
  }
  await followRound(store, FOLLOWED);
  confirm('appended', FOLLOWED);
  const place = { tenant: TENANT, conversationId: 'c1' };
  await store.addPin({ operationId: 'pin', atMs: 4, ...place, pin: { pinId: 'p', text: 'keep', createdAtMs: 4 } });
  const fork = {
    conversationId: 'c2',
    sessionId: SESSION,
    api: 'anthropic' as const,
    guardKey: 'c2',
    origin: 'fork' as const,
    parentId: 'c1',
  };
  const from = entriesOf(['first'])[0]!;
  const target = { kind: 'create' as const, conversation: fork, from: from.chain };
  await store.appendEntries({
    operationId: 'fork',
    atMs: 5,
    tenant: TENANT,
    sessionId: SESSION,
    target,
    entries: entriesOf(['forked'], from),
  });
  const waiting = await store.unindexedEntries({ tenant: TENANT, sessionId: SESSION, limit: 99 });
  await store.indexEntries({
    tenant: TENANT,
    sessionId: SESSION,
    rows: waiting.map(({ chain }) => ({ chain, text: `words of ${chain}` })),
  });
}

interface Call {
  readonly name: keyof Store;
  readonly command: unknown;
}

/** The store, with its last call noted. */
function noting(store: Store, note: (call: Call) => void): Store {
  const call = (name: keyof Store) => (command: unknown) => {
    note({ name, command });
    return give(store, { name, command });
  };
  return new Proxy(store, { get: (_store, name: keyof Store) => call(name) });
}

function give(store: Store, { name, command }: Call): Promise<unknown> {
  return (store[name] as (command: unknown) => Promise<unknown>)(command);
}

/** Plays the history until its statement of number `killAt`; from then on nothing runs any more, as for a process that is gone. */
async function playUntil(path: string, killAt: number) {
  let statements = 0;
  const driver = await driverWith((connection) =>
    watched(connection, () => {
      statements += 1;
      if (statements >= killAt) throw new Error(DEATH);
    }),
  );
  const confirmed: Record<'appended' | 'committed', Round[]> = { appended: [], committed: [] };
  const store = sqliteStore(path, { driver });
  let last: Call = { name: 'open', command: undefined };
  const noted = noting(store, (call) => {
    last = call;
  });
  const end = await history(noted, (kind, round) => confirmed[kind].push(round)).then(
    () => 'done',
    (error: Error) => error.message,
  );
  return { confirmed, end, statements, store, last };
}

/** The files as they are on the disk while the dead connection still holds them. */
function copyFiles(from: string, to: string): void {
  for (const [index, file] of filesOf(from).entries()) if (existsSync(file)) copyFileSync(file, filesOf(to)[index]!);
}

const DONE: Readonly<Record<string, unknown>> = { appendEntries: { status: 'appended' }, commitCompaction: true };

describe('a death before any statement', () => {
  it(
    'F24 leaves nothing half written, and the command that was under way can be given again',
    async () => {
      let total = 0;
      await withPath(async (path) => {
        const played = await playUntil(path, Number.POSITIVE_INFINITY);
        expect(played.end).toBe('done');
        total = played.statements;
        await played.store.close();
      });
      expect(total).toBeGreaterThan(100);
      for (let killAt = 1; killAt <= total; killAt += 1)
        await withPath(async (path) => {
          const { confirmed, end, store, last } = await playUntil(path, killAt);
          const copy = `${path}.copy`;
          copyFiles(path, copy);
          const heir = sqliteStore(copy);
          await prepareRounds(heir);
          expect([killAt, end, await faultsOf(heir, confirmed)]).toEqual([killAt, DEATH, []]);
          const again = await give(heir, last);
          expect([killAt, last.name, again]).toEqual([killAt, last.name, DONE[last.name] ?? again]);
          expect([killAt, await faultsOf(heir, confirmed)]).toEqual([killAt, []]);
          await heir.close();
          await store.close().catch(() => undefined);
        });
    },
    ALL_POINTS_MS,
  );
});
