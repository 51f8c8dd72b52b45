// What follows an answer: its reading, and now and then the search index. The caller waits for neither.
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/testkit/index.ts';
import { bodyOf, encodeAsk } from '../support/conversation.ts';
import { answerOf } from '../support/provider.ts';
import { makeWorld } from '../support/recovery.ts';

describe('an answer that was given', () => {
  const api = 'openai-chat';
  const hello = bodyOf(api, encodeAsk(api, 'hi'));

  /** A store whose readings wait for `release`, and what was done. */
  function slowStore() {
    const store = memoryStore();
    const { recordObservation } = store;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const done: string[] = [];
    store.recordObservation = async (command) => {
      await released;
      done.push('reading');
      return recordObservation(command);
    };
    return { store, done, release };
  }

  it('does not wait for its reading; closing waits for it', async () => {
    const { store, done, release } = slowStore();
    const ullage = makeWorld({ api, store }).open();
    await (await ullage.session('k')).send(hello, async () => answerOf(api, 4_321));
    expect(done).toEqual([]);
    const closed = ullage.close();
    release();
    await closed;
    expect(done).toEqual(['reading']);
  });

  it('is not followed by the search index each time, and does not wait for it when it is; closing does', async () => {
    const store = memoryStore();
    let indexed = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { indexEntries } = store;
    store.indexEntries = async (command) => {
      await released;
      indexed += command.rows.length;
      return indexEntries(command);
    };
    const ullage = makeWorld({ api, store }).open();
    const session = await ullage.session('k');
    for (let answer = 0; answer < 8; answer++) await session.send(hello, async () => answerOf(api, 4_321));
    expect(indexed).toBe(0);
    const closed = ullage.close();
    release();
    await closed;
    expect(indexed).toBe(1);
  });

  it('is known to whatever is asked of the session next', async () => {
    const { store, done, release } = slowStore();
    const session = await makeWorld({ api, store }).open().session('k');
    await session.send(hello, async () => answerOf(api, 4_321));
    const next = session.prepare(hello);
    release();
    expect((await next).context).toEqual({ kind: 'measured', tokens: 4_321 });
    expect(done[0]).toBe('reading');
  });
});
