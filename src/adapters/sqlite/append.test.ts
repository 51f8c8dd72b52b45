import { describe, expect, it } from 'vitest';
import type { AppendEntries } from '../../ports/store.ts';
import { sqliteStore } from './index.ts';
import { loadSqliteDriver } from './load-driver.ts';
import { withPath } from './testing/folder.ts';

const TENANT = 'local';
const SESSION = 's';

function command(operationId: string, conversationId: string, count: number): AppendEntries {
  const entries = Array.from({ length: count }, (_, position) => ({
    position,
    chain: `chain-${position}`,
    fingerprint: `print-${position}`,
    role: 'user' as const,
    tokens: 1,
    raw: JSON.stringify({ role: 'user', content: `${position} ${'x'.repeat(400_000)}` }),
  }));
  const conversation = {
    conversationId,
    sessionId: SESSION,
    api: 'openai-chat' as const,
    guardKey: conversationId,
    origin: 'first' as const,
  };
  return { operationId, atMs: 1, tenant: TENANT, sessionId: SESSION, target: { kind: 'create', conversation }, entries };
}

/** Texts in the file that no entry and no append under way points to. */
async function orphanedTexts(path: string): Promise<number> {
  const connection = (await loadSqliteDriver()).open(path, { busyTimeoutMs: 50 });
  try {
    const query = `SELECT count(*) AS orphans FROM texts WHERE id NOT IN (SELECT text FROM entries WHERE text IS NOT NULL)
      AND id NOT IN (SELECT text FROM staged_texts)`;
    return (connection.prepare(query).get() as { orphans: number }).orphans;
  } finally {
    connection.close();
  }
}

describe('a large append', () => {
  it('whose entries another process stores meanwhile leaves no text behind that nothing points to', () =>
    withPath(async (path) => {
      const slow = sqliteStore(path);
      const quick = sqliteStore(path);
      await slow.ensureSession({ tenant: TENANT, key: 'k', sessionId: SESSION, atMs: 1 });
      await quick.open();
      const appended = slow.appendEntries(command('slow', 'c1', 9));
      for (const count of [1, 2, 3, 4, 5]) {
        const { target, ...small } = command(`quick-${count}`, 'c2', count);
        const extend = { kind: 'extend', conversationId: 'c2', expectedTip: `chain-${count - 2}` } as const;
        await quick.appendEntries({ ...small, target: count === 1 ? target : extend, entries: small.entries.slice(count - 1) });
      }
      await expect(appended).resolves.toEqual({ status: 'tip-moved' });
      // The loser goes on from what the winner stored.
      const { target, ...rest } = command('rest', 'c2', 9);
      const extend = { kind: 'extend', conversationId: 'c2', expectedTip: 'chain-4' } as const;
      await expect(slow.appendEntries({ ...rest, target: extend, entries: rest.entries.slice(5) })).resolves.toEqual({
        status: 'appended',
      });
      await slow.close();
      await quick.close();
      expect(await orphanedTexts(path)).toBe(0);
    }));
});
