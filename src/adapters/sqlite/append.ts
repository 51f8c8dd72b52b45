// Appending entries: the rules of every store, and transactions of at most a megabyte of new texts each.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendEntries, Store } from '../../ports/store.ts';
import { type AppendFacts, type AppendPlan, chainsOf, planAppend, type StoredNode } from '../store/append-rules.ts';
import { assertStorableEntries } from '../store/entry-check.ts';
import { sizeOf, TRANSACTION_BYTES } from '../store/follow-rule.ts';
import type { StoreContext } from './context.ts';
import { createConversation, finishCreation } from './create-conversation.ts';
import type { Database, Sql } from './database.ts';
import { insertEntries, moveTip, stagedText } from './insert-entries.ts';
import { findConversation, findSuccessor, requireSessionId } from './lookup.ts';
import { noteDone, type Operation, operationOf, wasDone } from './once.ts';
import { conversationOf } from './rows.ts';

interface Append {
  readonly command: AppendEntries;
  readonly operation: Operation;
  readonly storage: 'full' | 'none';
}

export function appendCommand({ database, storage }: StoreContext): Pick<Store, 'appendEntries'> {
  return {
    async appendEntries(command) {
      assertStorableEntries(command.entries);
      const db = await database();
      const append: Append = { command, operation: operationOf('appendEntries', command), storage };
      if (storage === 'full') await stageLargeTexts(db, append);
      return db.write((sql) => ({ status: appendAll(sql, append) }));
    },
  };
}

/** Writes the texts of a large append ahead, a chunk at a time. Until the entries follow, nobody sees them; a repeated append uses them. */
async function stageLargeTexts(db: Database, append: Append): Promise<void> {
  const { entries, tenant, sessionId } = append.command;
  if (sizeOf(entries) <= TRANSACTION_BYTES) return;
  const plan = await db.read((sql) => planIn(sql, append));
  if (plan?.status !== 'appended') return;
  for (const chunk of chunksOf(plan.inserts.map(({ entry }) => entry))) {
    await db.write((sql) => {
      const session = requireSessionId(sql, tenant, sessionId);
      for (const { chain, raw } of chunk) {
        // Another process may have written ahead, or stored, the same meanwhile.
        if (stagedText(sql, session, chain) !== undefined || nodeAt(sql, session, chain) !== undefined) continue;
        const text = sql.insert('INSERT INTO texts (raw) VALUES (?)', raw);
        sql.run('INSERT INTO staged_texts (session, chain, text) VALUES (?, ?, ?)', session, chain, text);
      }
    });
    await nextTurn();
  }
}

function chunksOf<T extends { readonly raw: string }>(entries: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let room = 0;
  for (const entry of entries) {
    const sizeBytes = Buffer.byteLength(entry.raw);
    room -= sizeBytes;
    if (room < 0 || chunks.length === 0) {
      chunks.push([]);
      room = TRANSACTION_BYTES - sizeBytes;
    }
    chunks.at(-1)!.push(entry);
  }
  return chunks;
}

/** What is to be done; undefined when it was done already. */
function planIn(sql: Sql, { command, operation }: Append): AppendPlan | undefined {
  const session = requireSessionId(sql, command.tenant, command.sessionId);
  return wasDone(sql, operation) ? undefined : planAppend(command, factsFor(sql, command, session));
}

function appendAll(sql: Sql, append: Append): 'appended' | 'tip-moved' {
  const { command, operation } = append;
  const session = requireSessionId(sql, command.tenant, command.sessionId);
  const plan = planIn(sql, append);
  if (plan === undefined) return 'appended';
  if (plan.status === 'tip-moved') return 'tip-moved';
  const owner = ownerOf(sql, command, session);
  const { atMs } = command;
  insertEntries(sql, { inserts: plan.inserts, isBranch: plan.isBranch, session, owner, atMs, storage: append.storage });
  for (const chain of plan.adopt)
    sql.run('UPDATE entries SET conversation = ?, is_branch = 0 WHERE session = ? AND chain = ?', owner, session, chain);
  if (plan.tip !== undefined) moveTip(sql, owner, plan.tip);
  if (command.target.kind === 'create') finishCreation(sql, command, { session, tip: plan.tip });
  sql.run('UPDATE sessions SET last_request_at_ms = ? WHERE id = ? AND last_request_at_ms < ?', atMs, session, atMs);
  noteDone(sql, operation, session);
  return 'appended';
}

function factsFor(sql: Sql, command: AppendEntries, session: number): AppendFacts {
  const { target, tenant } = command;
  const conversation = findConversation(sql, tenant, target.kind === 'create' ? target.conversation.conversationId : target.conversationId);
  const { parentId, closes: closesId } = target.kind === 'create' ? { ...target.conversation, closes: target.closes } : {};
  const parent = parentId === undefined ? undefined : findConversation(sql, tenant, parentId);
  const closes = closesId === undefined ? undefined : findConversation(sql, tenant, closesId);
  const nodes = new Map(chainsOf(command).map((chain) => [chain, nodeAt(sql, session, chain)]));
  return {
    conversation: conversation && conversationOf(conversation),
    isClosed: findSuccessor(sql, tenant, conversation) !== undefined,
    parent: parent && conversationOf(parent),
    closes: closes && conversationOf(closes),
    node: (chain) => nodes.get(chain),
    branchTo: (chain) => branchTo(sql, session, chain),
  };
}

const NODE = `SELECT e.chain, e.position, e.is_branch, e.parent, c.conversation_id FROM entries e JOIN conversations c ON c.id = e.conversation`;

interface NodeRecord {
  readonly chain: string;
  readonly position: number;
  readonly is_branch: number;
  readonly parent: number | null;
  readonly conversation_id: string;
}

function nodeAt(sql: Sql, session: number, chain: string): StoredNode | undefined {
  const row = sql.get<NodeRecord>(`${NODE} WHERE e.session = ? AND e.chain = ?`, session, chain);
  return row && nodeOf(row);
}

function branchTo(sql: Sql, session: number, chain: string): StoredNode[] {
  const path: StoredNode[] = [];
  let row = sql.get<NodeRecord>(`${NODE} WHERE e.session = ? AND e.chain = ?`, session, chain);
  while (row?.is_branch === 1) {
    path.push(nodeOf(row));
    row = row.parent === null ? undefined : sql.get<NodeRecord>(`${NODE} WHERE e.id = ?`, row.parent);
  }
  return path;
}

function nodeOf(row: NodeRecord): StoredNode {
  return { chain: row.chain, position: row.position, conversationId: row.conversation_id, isBranch: row.is_branch === 1 };
}

/** The row of the conversation that gets the entries; a new one is made now, because entries point to it. */
function ownerOf(sql: Sql, command: AppendEntries, session: number): number {
  const { target, tenant } = command;
  if (target.kind === 'create') return createConversation(sql, { command, session });
  return findConversation(sql, tenant, target.conversationId)!.id;
}
