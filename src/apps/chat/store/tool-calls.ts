// Tool calls: noted before they run, so that a process that dies in one leaves a trace and it is never run twice.
import type { Sql } from './database.ts';
import type { StepPlace } from './turns.ts';

/** 'new': may run. 'interrupted': was begun by a process that died. Else what it gave. */
export type CallRecord = { readonly kind: 'new' } | { readonly kind: 'interrupted' } | { readonly kind: 'done'; readonly result: string };

export function callRecord(sql: Sql, place: StepPlace, callId: string): CallRecord {
  const row = sql.get<{ result: string | null }>(
    'SELECT result FROM tool_call WHERE inbox_id = ? AND epoch = ? AND position = ? AND call_id = ?',
    place.itemId,
    place.epoch,
    place.position,
    callId,
  );
  if (row === undefined) return { kind: 'new' };
  return row.result === null ? { kind: 'interrupted' } : { kind: 'done', result: row.result };
}

export function noteCallStarted(sql: Sql, { itemId, epoch, position }: StepPlace, callId: string): void {
  sql.run('INSERT INTO tool_call (inbox_id, epoch, position, call_id) VALUES (?, ?, ?, ?)', itemId, epoch, position, callId);
}

export function noteCallResult(sql: Sql, place: StepPlace, { callId, result }: { readonly callId: string; readonly result: string }): void {
  sql.run(
    `INSERT INTO tool_call (inbox_id, epoch, position, call_id, result) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET result = excluded.result`,
    place.itemId,
    place.epoch,
    place.position,
    callId,
    result,
  );
}
