// Who answers a session: one process at a time. A lease that ran out, or whose process is gone, is taken over with a higher fence.
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Sql } from './database.ts';

/** Longer than any pause of a living process between two renewals. */
export const LEASE_MS = 20_000;

/** Proof of a claim; every write of a turn checks it. */
export interface Lease {
  readonly session: string;
  readonly owner: string;
  readonly fence: number;
}

/** The session is answered by another process now: whoever holds the old lease must stop. */
export class LeaseLost extends Error {
  constructor(session: string) {
    super(`The session ${session} was taken over by another process.`);
    this.name = 'LeaseLost';
  }
}

/** A name that tells whether the process behind it still lives: host and process namespace, process id, a random part. */
export function processName(random: string): string {
  return JSON.stringify([machine(), process.pid, random]);
}

function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** True only when it is certain: same machine, and no such process (or it is this one, started anew). */
export function isGone(owner: string, self: string): boolean {
  if (owner === self) return false;
  const [host, pid] = JSON.parse(owner) as [string, number];
  const [ownHost, ownPid] = JSON.parse(self) as [string, number];
  if (host !== ownHost) return false;
  // Two runtimes in one process are told apart by their random part, and both live.
  if (pid === ownPid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

interface LeaseRow {
  readonly owner: string | null;
  readonly fence: number;
  readonly expires_at_ms: number;
}

/** Takes the session, or answers undefined while another process answers it. */
export function claimLease(sql: Sql, { session, owner, nowMs }: { session: string; owner: string; nowMs: number }): Lease | undefined {
  sql.run('INSERT INTO session (key) VALUES (?) ON CONFLICT DO NOTHING', session);
  const row = sql.get<LeaseRow>('SELECT owner, fence, expires_at_ms FROM session WHERE key = ?', session)!;
  const isFree = row.owner === null || row.owner === owner || row.expires_at_ms <= nowMs || isGone(row.owner, owner);
  if (!isFree) return undefined;
  const fence = row.fence + 1;
  sql.run('UPDATE session SET owner = ?, fence = ?, expires_at_ms = ? WHERE key = ?', owner, fence, nowMs + LEASE_MS, session);
  return { session, owner, fence };
}

/** Renews it as part of the transaction that relies on it. Throws LeaseLost. */
export function holdLease(sql: Sql, { session, owner, fence }: Lease, nowMs: number): void {
  const changed = sql.run(
    'UPDATE session SET expires_at_ms = ? WHERE key = ? AND owner = ? AND fence = ?',
    nowMs + LEASE_MS,
    session,
    owner,
    fence,
  );
  if (changed !== 1) throw new LeaseLost(session);
}

export function releaseLease(sql: Sql, { session, owner, fence }: Lease): void {
  sql.run('UPDATE session SET owner = NULL, expires_at_ms = 0 WHERE key = ? AND owner = ? AND fence = ?', session, owner, fence);
}
