// The guard by compare-and-swap, a compaction as one transaction, outcomes.
import { encodeGuard } from '../../core/guard/encode.ts';
import type { Guard } from '../../core/guard/guard.ts';
import type { CompactionOutcome } from '../../core/plan/outcome.ts';
import type { View, ViewBody } from '../../core/plan/view.ts';
import type { CommitCompaction, Store } from '../../ports/store.ts';
import { conversationNotFound } from '../store/append-rules.ts';
import { operationConflict } from '../store/operation.ts';
import type { StoreContext } from './context.ts';
import type { Sql } from './database.ts';
import { findSessionId, requireConversation, requireSessionId } from './lookup.ts';
import { noteDone, type Operation, operationOf, wasDone } from './once.ts';
import { type ViewRecord, viewHeadOf } from './rows.ts';

type CommitCommands = Pick<Store, 'swapGuard' | 'view' | 'commitCompaction' | 'recordOutcome' | 'outcomes'>;

export function commitCommands({ database }: StoreContext): CommitCommands {
  return {
    async swapGuard(command) {
      return (await database()).write((sql) => swapGuard(sql, command));
    },
    async view({ tenant, viewId }) {
      const row = await (await database()).read((sql) => findView(sql, tenant, viewId));
      return row && { ...viewHeadOf(row), body: JSON.parse(row.body) as ViewBody };
    },
    async commitCompaction(command) {
      const operation = operationOf('commitCompaction', command);
      return (await database()).write((sql) => commit(sql, command, operation));
    },
    async recordOutcome(command) {
      const operation = operationOf('recordOutcome', command);
      await (await database()).write((sql) => {
        const session = requireSessionId(sql, command.tenant, command.outcome.sessionId);
        if (wasDone(sql, operation)) return;
        insertOutcome(sql, session, command.outcome);
        noteDone(sql, operation, session);
      });
    },
    async outcomes({ tenant, sessionId, limit }) {
      const query = 'SELECT outcome FROM outcomes WHERE session = ? ORDER BY id DESC LIMIT ?';
      const rows = await (await database()).read((sql) =>
        sql.all<{ outcome: string }>(query, findSessionId(sql, tenant, sessionId), Math.max(0, limit)),
      );
      return rows.map(({ outcome }) => JSON.parse(outcome) as CompactionOutcome);
    },
  };
}

interface Swap {
  readonly tenant: string;
  readonly guardKey: string;
  readonly expectedVersion: number;
  readonly guard: Guard;
}

const IS_GUARD_KEY = 'SELECT 1 FROM conversations WHERE tenant = ? AND guard_key = ? LIMIT 1';

function swapGuard(sql: Sql, { tenant, guardKey, expectedVersion, guard }: Swap): boolean {
  if (sql.get(IS_GUARD_KEY, tenant, guardKey) === undefined) throw conversationNotFound(guardKey);
  const version = expectedVersion + 1;
  const record = encodeGuard({ ...guard, version });
  const update = 'UPDATE guards SET version = ?, record = ? WHERE tenant = ? AND guard_key = ? AND version = ?';
  if (sql.run(update, version, record, tenant, guardKey, expectedVersion) === 1) return true;
  if (expectedVersion !== 0) return false;
  return (
    sql.run('INSERT OR IGNORE INTO guards (tenant, guard_key, version, record) VALUES (?, ?, ?, ?)', tenant, guardKey, version, record) ===
    1
  );
}

function commit(sql: Sql, command: CommitCompaction, operation: Operation): boolean {
  const { tenant, sessionId, conversationId, view, outcome } = command;
  const conversation = requireConversation(sql, tenant, conversationId);
  if (conversation.session_id !== sessionId) throw conversationNotFound(conversationId);
  if (wasDone(sql, operation)) return true;
  if (findView(sql, tenant, view.viewId) !== undefined) throw operationConflict(command.operationId);
  if (!swapGuard(sql, command)) return false;
  insertView(sql, { tenant, session: conversation.session }, view);
  if (outcome !== undefined) insertOutcome(sql, conversation.session, outcome);
  noteDone(sql, operation, conversation.session);
  return true;
}

function findView(sql: Sql, tenant: string, viewId: string): (ViewRecord & { body: string }) | undefined {
  return sql.get('SELECT v.* FROM views v JOIN sessions s ON s.id = v.session WHERE v.tenant = ? AND v.view_id = ?', tenant, viewId);
}

function insertView(sql: Sql, { tenant, session }: { tenant: string; session: number }, view: View): void {
  const { viewId, baseViewId, kind, cover, watermark, atMs, refusedFold, body } = view;
  sql.run(
    `INSERT INTO views (session, tenant, view_id, base_view_id, kind, cover_position, cover_chain, watermark_position, watermark_chain,
       at_ms, refused_fold, has_fold, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[session, tenant, viewId, baseViewId, kind, cover?.position, cover?.chain, watermark.position, watermark.chain],
    ...[atMs, refusedFold, body.fold !== undefined, JSON.stringify(body)],
  );
}

function insertOutcome(sql: Sql, session: number, outcome: CompactionOutcome): void {
  sql.run('INSERT INTO outcomes (session, outcome) VALUES (?, ?)', session, JSON.stringify(outcome));
}
