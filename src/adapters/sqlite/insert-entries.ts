// The rows of new entries, their texts, and the tip that moves to the last of them.
import type { Insertion } from '../store/append-rules.ts';
import type { Sql } from './database.ts';

/** What is written, and for whom. */
export interface EntryRows {
  readonly inserts: readonly Insertion[];
  /** A stored entry whose row was found already. */
  readonly known?: { readonly chain: string; readonly id: number };
  readonly isBranch: boolean;
  /** Short ids. */
  readonly session: number;
  readonly owner: number;
  readonly atMs: number;
  readonly storage: 'full' | 'none';
}

export function insertEntries(sql: Sql, { inserts, known, isBranch, session, owner, atMs, storage }: EntryRows): void {
  const ids = new Map(known && [[known.chain, known.id]]);
  const hasStaged = storage === 'full' && sql.get('SELECT 1 FROM staged_texts WHERE session = ? LIMIT 1', session) !== undefined;
  let isLinked = false;
  for (const { entry, parent } of inserts) {
    const parentId = parent === undefined ? undefined : (ids.get(parent) ?? entryId(sql, session, parent));
    const staged = hasStaged ? stagedText(sql, session, entry.chain) : undefined;
    const text = storage === 'full' ? (staged ?? sql.insert('INSERT INTO texts (raw) VALUES (?)', entry.raw)) : undefined;
    const sizeBytes = storage === 'full' ? Buffer.byteLength(entry.raw) : 0;
    const id = sql.insert(
      `INSERT INTO entries (session, parent, chain, position, conversation, is_branch, fingerprint, role, tokens, view_id, at_ms, text, size_bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[session, parentId, entry.chain, entry.position, owner, isBranch, entry.fingerprint, entry.role, entry.tokens],
      ...[entry.viewId, atMs, text, sizeBytes],
    );
    ids.set(entry.chain, id);
    isLinked ||= staged !== undefined;
  }
  if (isLinked) sql.run(UNSTAGE, session);
}

export function moveTip(sql: Sql, conversation: number, tip: { readonly chain: string; readonly position: number }): void {
  sql.run('UPDATE conversations SET tip_chain = ?, tip_position = ? WHERE id = ?', tip.chain, tip.position, conversation);
}

/** The text that was written ahead for an entry. */
export function stagedText(sql: Sql, session: number, chain: string): number | undefined {
  return sql.get<{ text: number }>('SELECT text FROM staged_texts WHERE session = ? AND chain = ?', session, chain)?.text;
}

function entryId(sql: Sql, session: number, chain: string): number {
  return sql.get<{ id: number }>('SELECT id FROM entries WHERE session = ? AND chain = ?', session, chain)!.id;
}

/** Linked texts are not waiting any more. */
const UNSTAGE = `
DELETE FROM staged_texts WHERE session = ?
AND EXISTS (SELECT 1 FROM entries e WHERE e.session = staged_texts.session AND e.chain = staged_texts.chain)`;
