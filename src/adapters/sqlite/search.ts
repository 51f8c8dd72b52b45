// Filling the word index after the response, and searching it; what words cannot find, a scan of the session's texts does.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UllageError } from '../../core/errors.ts';
import type { Api, Role } from '../../core/transcript/entry.ts';
import type { SearchHit, Store } from '../../ports/store.ts';
import { storableText } from '../store/entry-check.ts';
import { excerptOf, foldText, hasEveryTerm, searchTerms, wordsOf } from '../store/search-text.ts';
import type { StoreContext } from './context.ts';
import type { Database, Sql } from './database.ts';
import { ENTRY_COLUMNS } from './entries.ts';
import { findSessionId, requireSessionId } from './lookup.ts';
import { type EntryRecord, entryOf } from './rows.ts';

/** UTF-16 units of text that are indexed in one transaction, and that are scanned without letting others run: some ten milliseconds. */
const INDEX_CHARS = 100_000;
const SCAN_CHARS = 1_000_000;

type SearchCommands = Pick<Store, 'unindexedEntries' | 'indexEntries' | 'search'>;

const UNINDEXED = `
SELECT ${ENTRY_COLUMNS}, c.api FROM entries e JOIN conversations c ON c.id = e.conversation JOIN texts t ON t.id = e.text
WHERE e.session = ? AND e.is_indexed = 0 AND e.text IS NOT NULL ORDER BY e.id LIMIT ?`;

export function searchCommands({ database, storage }: StoreContext): SearchCommands {
  return {
    async unindexedEntries({ tenant, sessionId, limit }) {
      const db = await database();
      if (storage === 'none') return [];
      const rows = await db.read((sql) =>
        sql.all<EntryRecord & { api: Api }>(UNINDEXED, findSessionId(sql, tenant, sessionId), Math.max(0, limit)),
      );
      return rows.map((row) => ({ ...entryOf(row, storage), api: row.api }));
    },
    async indexEntries(command) {
      const db = await database();
      await db.read((sql) => requireSessionId(sql, command.tenant, command.sessionId));
      if (storage === 'none') return;
      for (const rows of chunksOf(command.rows)) {
        await indexChunk(db, { ...command, rows });
        await nextTurn();
      }
    },
    async search({ tenant, sessionId, text, limit }) {
      if (storage === 'none')
        throw new UllageError('not_stored', 'There is nothing to search: this store keeps no message texts (storage: none).');
      const db = await database();
      const terms = searchTerms(storableText(text));
      const session = await db.read((sql) => findSessionId(sql, tenant, sessionId));
      if (session === undefined || terms.length === 0 || limit <= 0) return [];
      return search({ db, session, terms, limit });
    },
  };
}

interface IndexRow {
  readonly chain: string;
  readonly text: string;
}

function chunksOf(rows: readonly IndexRow[]): IndexRow[][] {
  const chunks: IndexRow[][] = [];
  let room = 0;
  for (const row of rows) {
    room -= row.text.length;
    if (room < 0 || chunks.length === 0) {
      chunks.push([]);
      room = INDEX_CHARS - row.text.length;
    }
    chunks.at(-1)!.push(row);
  }
  return chunks;
}

async function indexChunk(db: Database, command: { tenant: string; sessionId: string; rows: readonly IndexRow[] }): Promise<void> {
  await db.write((sql) => {
    const session = requireSessionId(sql, command.tenant, command.sessionId);
    for (const { chain, text } of command.rows) {
      const entry = sql.get<{ id: number }>('SELECT id FROM entries WHERE session = ? AND chain = ? AND is_indexed = 0', session, chain);
      if (entry === undefined) continue;
      sql.run('UPDATE entries SET is_indexed = 1 WHERE id = ?', entry.id);
      sql.run('INSERT INTO entry_words (rowid, scope, text) VALUES (?, ?, ?)', entry.id, scopeOf(session), storableText(text));
    }
  });
}

function scopeOf(session: number): string {
  return `s${session}`;
}

interface Query {
  readonly db: Database;
  readonly session: number;
  readonly terms: readonly string[];
  readonly limit: number;
}

/** As words; then anywhere, when there is room left; then some of the words, when nothing was found. */
async function search(query: Query): Promise<SearchHit[]> {
  const wordy = query.terms.filter((term) => wordsOf(term).length > 0);
  const found = wordy.length === query.terms.length ? await byWords(query, wordy.map(asPhrase).join(' AND ')) : [];
  if (found.length < query.limit) found.push(...(await byScan(query, new Set(found))));
  const ids = found.length === 0 && wordy.length > 0 ? await byWords(query, wordy.map(asPhrase).join(' OR ')) : found;
  return query.db.read((sql) => ids.flatMap((id) => hitOf(sql, query, id) ?? []));
}

/** A quoted string is one phrase to FTS5 whatever it holds; its last word may go on. */
function asPhrase(term: string): string {
  return `"${term.replaceAll('"', ' ')}" *`;
}

async function byWords({ db, session, limit }: Query, phrases: string): Promise<number[]> {
  const match = `{scope} : "${scopeOf(session)}" AND {text} : (${phrases})`;
  const ranked = 'SELECT rowid AS id FROM entry_words WHERE entry_words MATCH ? ORDER BY bm25(entry_words, 0.0, 1.0), rowid DESC LIMIT ?';
  const rows = await db.read((sql) => sql.all<{ id: number }>(ranked, match, limit));
  return rows.map(({ id }) => id);
}

/** Newest first, a megabyte at a time. */
async function byScan({ db, session, terms, limit }: Query, known: ReadonlySet<number>): Promise<number[]> {
  const ids = await db.read((sql) =>
    sql.all<{ id: number }>('SELECT id FROM entries WHERE session = ? AND is_indexed = 1 ORDER BY id DESC', session),
  );
  const found: number[] = [];
  for (let at = 0; at < ids.length && known.size + found.length < limit; ) {
    at = await db.read((sql) => {
      let index = at;
      for (let chars = 0; index < ids.length && chars < SCAN_CHARS && known.size + found.length < limit; index += 1) {
        const { id } = ids[index]!;
        const text = known.has(id) ? '' : (sql.get<{ text: string }>('SELECT text FROM entry_words WHERE rowid = ?', id)?.text ?? '');
        if (text !== '' && hasEveryTerm(foldText(text), terms)) found.push(id);
        chars += text.length;
      }
      return index;
    });
    await nextTurn();
  }
  return found;
}

const HIT = `
SELECT e.chain, e.position, e.role, e.at_ms, c.conversation_id, w.text
FROM entries e JOIN conversations c ON c.id = e.conversation JOIN entry_words w ON w.rowid = e.id WHERE e.id = ? AND e.session = ?`;

interface HitRecord {
  readonly chain: string;
  readonly position: number;
  readonly role: Role;
  readonly at_ms: number;
  readonly conversation_id: string;
  readonly text: string;
}

function hitOf(sql: Sql, { session, terms }: Query, id: number): SearchHit | undefined {
  const row = sql.get<HitRecord>(HIT, id, session);
  if (row === undefined) return undefined;
  const { chain, position, role, at_ms: atMs, conversation_id: conversationId, text } = row;
  return { chain, position, conversationId, role, atMs, excerpt: excerptOf(text, terms) };
}
