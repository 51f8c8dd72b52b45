// Operation ids: the same write twice takes effect once.
import { OPERATION_KEPT_MS, operationConflict, operationDigest } from '../store/operation.ts';
import type { Sql } from './database.ts';

interface Command {
  readonly tenant: string;
  readonly operationId: string;
  readonly atMs: number;
}

/** One operation, with its digest computed outside any transaction. */
export interface Operation {
  readonly command: Command;
  readonly digest: string;
}

export function operationOf(name: string, command: Command): Operation {
  return { command, digest: operationDigest(name, command) };
}

/** Whether it was done before. Throws operation_conflict when the id was used for another body. */
export function wasDone(sql: Sql, { command, digest }: Operation): boolean {
  const { tenant, operationId } = command;
  const before = sql.get<{ digest: string }>('SELECT digest FROM operations WHERE tenant = ? AND operation_id = ?', tenant, operationId);
  if (before !== undefined && before.digest !== digest) throw operationConflict(operationId);
  return before !== undefined;
}

/** Notes, in the transaction of its effect, that it is done; forgets what is too old to be repeated. */
export function noteDone(sql: Sql, { command, digest }: Operation, session: number): void {
  const { tenant, operationId, atMs } = command;
  sql.run('DELETE FROM operations WHERE at_ms < ?', atMs - OPERATION_KEPT_MS);
  sql.run(
    'INSERT INTO operations (tenant, operation_id, session, digest, at_ms) VALUES (?, ?, ?, ?, ?)',
    tenant,
    operationId,
    session,
    digest,
    atMs,
  );
}
