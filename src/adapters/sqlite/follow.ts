// A request that goes on from a tip: found and stored in one transaction.
import type { Followed, FollowRequest, NewEntry, Store } from '../../ports/store.ts';
import { newestOf, REQUEST_TIME_PRECISION_MS } from '../store/follow-rule.ts';
import type { StoreContext } from './context.ts';
import type { Sql } from './database.ts';
import { insertEntries, moveTip } from './insert-entries.ts';
import { type LocatedIn, locateIn } from './locate.ts';
import { findSessionId } from './lookup.ts';

export function followCommand({ database, storage }: StoreContext): Pick<Store, 'followRequest'> {
  return {
    async followRequest(command) {
      const db = await database();
      const guess = command.chain.length - command.entries.length - 1;
      if (guess < 0) {
        // Who knows of no entry before may send again what is stored, or begin: then no other writer is waited for.
        const located = await db.read((sql) => (goesOn(sql, command) ? undefined : locateIn(sql, command).located));
        if (located !== undefined) return located;
      }
      return db.write((sql) => follow(sql, { command, found: locateIn(sql, command, guess), storage }));
    },
  };
}

const STORED = 'SELECT 1 FROM entries WHERE session = ? AND chain = ?';

/** Something of it is stored, and not all. */
function goesOn(sql: Sql, { tenant, sessionId, chain }: FollowRequest): boolean {
  const session = findSessionId(sql, tenant, sessionId);
  const isStored = (link: string | undefined) => sql.get(STORED, session, link) !== undefined;
  return isStored(chain[0]) && !isStored(chain.at(-1));
}

interface Follow {
  readonly command: FollowRequest;
  readonly found: LocatedIn;
  readonly storage: 'full' | 'none';
}

function follow(sql: Sql, { command, found, storage }: Follow): Followed {
  const { session, conversation, entry, located } = found;
  const entries = newestOf(command, located);
  if (entries === undefined || conversation === undefined || session === undefined) return located;
  const { atMs } = command;
  const { id: owner, conversation_id: current } = conversation;
  const tip = { chain: conversation.tip_chain!, id: entry! };
  insertEntries(sql, { inserts: linked(entries, tip.chain), known: tip, isBranch: false, session, owner, atMs, storage });
  moveTip(sql, owner, entries.at(-1)!);
  sql.run(NOTE_REQUEST, atMs, current, session, atMs - REQUEST_TIME_PRECISION_MS, current);
  return { ...located, appendedFrom: entries[0].position };
}

/** Most requests of a minute find it noted. */
const NOTE_REQUEST = `
UPDATE sessions SET last_request_at_ms = max(last_request_at_ms, ?), current_conversation_id = ?
WHERE id = ? AND (last_request_at_ms <= ? OR current_conversation_id IS NOT ?)`;

function linked(entries: readonly NewEntry[], tip: string) {
  return entries.map((entry, index) => ({ entry, parent: index === 0 ? tip : entries[index - 1]!.chain }));
}
