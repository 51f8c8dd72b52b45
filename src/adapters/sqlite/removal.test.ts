import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, guardWith, outcomeOf, TENANT, viewOf, World } from '../../testkit/store-contract-world.ts';
import { type SqliteStoreOptions, sqliteStore } from './index.ts';
import { DEATH, driverWith, dyingDriver } from './testing/driver.ts';
import { foundInFiles, withPath } from './testing/folder.ts';

/** Letters and digits in random order: one word to the index, and found nowhere by chance. */
const canary = () => `q${randomBytes(12).toString('hex')}`;

/** The index cuts the beginnings that words share: what must not be found is the end. */
const trace = (word: string) => word.slice(-16);

async function worldOn(path: string, options: SqliteStoreOptions = {}): Promise<World> {
  const store = sqliteStore(path, options);
  await store.open();
  return new World({ store, peer: store, dispose: () => store.close() });
}

/** A session that holds the word in every place where a user's text can stand. */
async function fill(world: World, name: string, words: readonly string[]): Promise<void> {
  const [word = ''] = words;
  const conversationId = `c-${name}`;
  await world.session({ key: `key ${word}`, sessionId: name });
  const entries = entriesOf(words.map((text, index) => `${text} ${'filler '.repeat((index * 37) % 900)}`));
  await world.store.appendEntries(world.createCommand(conversationId, entries, { row: { sessionId: name } }));
  const view = viewOf(`v-${name}`, entries[0]!);
  const body = { ...view.body, replacements: [{ position: 0, raw: JSON.stringify(word), kind: 'prune' as const, tokens: 1 }] };
  const outcome = outcomeOf(`a-${name}`, { sessionId: name, message: word });
  const place = { sessionId: name, conversationId, guardKey: conversationId };
  await world.store.commitCompaction(world.commit({ ...view, body }, { ...place, guard: guardWith({ view: view.viewId }), outcome }));
  const pin = { pinId: 'p1', text: word, createdAtMs: 1 };
  await world.store.addPin({ operationId: world.operationId(), atMs: 1, tenant: TENANT, conversationId, pin });
  await world.index(name);
}

describe('deleting from a file', () => {
  it('F24 leaves no trace of a session in database, log and shared memory, while others use the file', () =>
    withPath(async (path) => {
      const world = await worldOn(path);
      const peer = await worldOn(path);
      const [gone, kept] = [canary(), canary()];
      await fill(world, 'gone', [gone, gone]);
      await fill(peer, 'kept', [kept]);
      expect(foundInFiles(path, [trace(gone), trace(kept)])).toEqual([trace(gone), trace(kept)]);
      await world.store.deleteSession({ tenant: TENANT, sessionId: 'gone' });
      expect(foundInFiles(path, [trace(gone), trace(kept)])).toEqual([trace(kept)]);
      expect((await peer.store.search({ tenant: TENANT, sessionId: 'kept', text: kept, limit: 9 })).length).toBe(1);
      expect((await peer.store.check()).filter(({ ok }) => !ok)).toEqual([]);
      await world.store.close();
      await peer.store.close();
    }));

  it('F24 leaves no trace whatever the sizes and the order, and keeps the rest', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 60 }), isOld: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        (plan) =>
          withPath(async (path) => {
            const world = await worldOn(path);
            const sessions = plan.map(({ size, isOld }, index) => ({
              name: `s${index}`,
              isOld,
              words: Array.from({ length: size }, canary),
            }));
            for (const { name, words } of sessions) await fill(world, name, words);
            for (const { name, isOld } of sessions)
              if (!isOld) await world.store.touchConversation({ tenant: TENANT, conversationId: `c-${name}`, atMs: 900, isCurrent: true });
            const old = sessions.filter(({ isOld }) => isOld);
            const entries = old.reduce((sum, { words }) => sum + words.length, 0);
            expect(await world.store.prune({ olderThanMs: 900 })).toEqual({ sessions: old.length, entries });
            const traces = (isOld: boolean) =>
              sessions.filter((session) => session.isOld === isOld).flatMap(({ words }) => words.map(trace));
            expect([foundInFiles(path, traces(true)), foundInFiles(path, traces(false))]).toEqual([[], traces(false)]);
            expect((await world.store.check()).filter(({ ok }) => !ok)).toEqual([]);
            await world.store.close();
          }),
      ),
      { seed: 20_240, numRuns: 8 },
    ));

  it('F24 a deletion that dies half way is a deletion at once, and is finished when the store is opened again', () =>
    withPath(async (path) => {
      const { driver } = await dyingDriver('DELETE FROM texts', 300);
      const words = Array.from({ length: 600 }, canary);
      const world = await worldOn(path, { driver });
      await fill(world, 'gone', words);
      await expect(world.store.deleteSession({ tenant: TENANT, sessionId: 'gone' })).rejects.toThrow(DEATH);
      expect(await world.store.findSession({ tenant: TENANT, key: `key ${words[0]}` })).toBe(undefined);
      expect(await world.store.view({ tenant: TENANT, viewId: 'v-gone' })).toBe(undefined);
      expect(foundInFiles(path, words.map(trace)).length).toBeGreaterThan(200);
      expect((await world.store.check()).filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['deletions']);
      await world.store.close();
      const again = await worldOn(path);
      await again.store.close();
      expect(foundInFiles(path, words.map(trace))).toEqual([]);
      await again.store.open();
      expect((await again.store.check()).filter(({ ok }) => !ok)).toEqual([]);
      await again.store.close();
    }));

  it('F24 texts of an append that died between its transactions are seen by nobody, and used when it is repeated', () =>
    withPath(async (path) => {
      const { driver, revive, runs } = await dyingDriver('INSERT INTO texts', 3);
      const world = await worldOn(path, { driver });
      await world.session();
      const words = Array.from({ length: 6 }, canary);
      const entries = entriesOf(words.map((word) => `${word}${' filler'.repeat(90_000)}`));
      const command = world.createCommand('c1', entries);
      await expect(world.store.appendEntries(command)).rejects.toThrow(DEATH);
      expect(foundInFiles(path, words).length).toBeGreaterThan(0);
      expect((await world.locate(entries)).deepest).toBe(undefined);
      expect(await world.store.conversation({ tenant: TENANT, conversationId: 'c1' })).toBe(undefined);
      revive();
      expect(await world.store.appendEntries(command)).toEqual({ status: 'appended' });
      expect(runs()).toBe(6);
      expect(await world.textsTo(entries[5]!)).toEqual(entries.map(({ raw }) => raw));
      await world.store.close();
    }));

  it('F24 texts that were written ahead and never used go with the session', () =>
    withPath(async (path) => {
      const { driver } = await dyingDriver('INSERT INTO texts', 1);
      const world = await worldOn(path, { driver });
      const sessionId = await world.session();
      const words = [canary(), canary()];
      const command = world.createCommand('c1', entriesOf(words.map((word) => `${word}${' filler'.repeat(90_000)}`)));
      await expect(world.store.appendEntries(command)).rejects.toThrow(DEATH);
      expect(foundInFiles(path, words).length).toBeGreaterThan(0);
      await world.store.deleteSession({ tenant: TENANT, sessionId });
      expect(foundInFiles(path, words)).toEqual([]);
      await world.store.close();
    }));

  it('F24 a driver without another thread clears the file too', () =>
    withPath(async (path) => {
      const { aside: _aside, ...driver } = await driverWith((connection) => connection);
      const world = await worldOn(path, { driver });
      const gone = canary();
      await fill(world, 'gone', [gone]);
      await world.store.deleteSession({ tenant: TENANT, sessionId: 'gone' });
      expect(foundInFiles(path, [trace(gone)])).toEqual([]);
      await world.store.close();
    }));
});
