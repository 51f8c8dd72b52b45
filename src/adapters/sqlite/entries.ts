// Reading entries: a chain up to its tip, or one entry by the beginning of its name.
import type { Api } from '../../core/transcript/entry.ts';
import type { Store } from '../../ports/store.ts';
import type { StoreContext } from './context.ts';
import { findSessionId } from './lookup.ts';
import { type EntryRecord, entryOf } from './rows.ts';

export const ENTRY_COLUMNS = 'e.chain, e.position, e.fingerprint, e.role, e.tokens, e.view_id, e.at_ms, t.raw';

const CHAIN = `
WITH RECURSIVE line (id, parent, position) AS (
  SELECT id, parent, position FROM entries WHERE session = ? AND chain = ?
  UNION ALL
  SELECT e.id, e.parent, e.position FROM line JOIN entries e ON e.id = line.parent WHERE line.position > ?
)
SELECT ${ENTRY_COLUMNS} FROM line JOIN entries e ON e.id = line.id LEFT JOIN texts t ON t.id = e.text
WHERE line.position BETWEEN ? AND ? ORDER BY line.position`;

/** Newest first: the same history may stand in several sessions. */
const BY_PREFIX = `
SELECT ${ENTRY_COLUMNS}, c.conversation_id, c.api
FROM sessions s
JOIN entries e ON e.session = s.id AND e.chain >= ? AND e.chain < ?
JOIN conversations c ON c.id = e.conversation
LEFT JOIN texts t ON t.id = e.text
WHERE s.tenant = ? AND s.session_id = coalesce(?, s.session_id)
ORDER BY e.id DESC LIMIT 1`;

const LAST_CHARACTER = '\u{10ffff}';

type FoundRecord = EntryRecord & { readonly conversation_id: string; readonly api: Api };

export function entryCommands({ database, storage }: StoreContext): Pick<Store, 'readEntries' | 'findEntry'> {
  return {
    async readEntries({ tenant, sessionId, tip, from = 0, to = Number.MAX_SAFE_INTEGER }) {
      const rows = await (await database()).read((sql) => {
        const session = findSessionId(sql, tenant, sessionId);
        return session === undefined ? [] : sql.all<EntryRecord>(CHAIN, session, tip, from, from, to);
      });
      return rows.map((row) => entryOf(row, storage));
    },
    async findEntry({ tenant, sessionId, chainPrefix }) {
      const db = await database();
      if (chainPrefix === '') return undefined;
      const row = await db.read((sql) => sql.get<FoundRecord>(BY_PREFIX, chainPrefix, chainPrefix + LAST_CHARACTER, tenant, sessionId));
      return row && { ...entryOf(row, storage), conversationId: row.conversation_id, api: row.api };
    },
  };
}
