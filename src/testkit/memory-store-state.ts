// The tables of the in-memory store and how they are looked up. Whatever a caller could change later is kept as JSON text.
import { OPERATION_KEPT_MS, operationConflict, operationDigest } from '../adapters/store/operation.ts';
import { UllageError } from '../core/errors.ts';
import type { ViewHead } from '../core/plan/view.ts';
import type { Anchor, Calibration } from '../core/size/size.ts';
import type { ConversationRow, PinRow, SessionRow, StoredEntry } from '../ports/store.ts';

export interface MemoryNode {
  readonly entry: StoredEntry;
  readonly parent?: MemoryNode;
  conversationId: string;
  isBranch: boolean;
  /** Text for the search; undefined = not indexed yet. */
  text?: string;
}

export interface MemorySession {
  row: SessionRow;
  /** By chain hash, oldest first. */
  readonly nodes: Map<string, MemoryNode>;
  /** Oldest first. */
  readonly outcomes: string[];
}

export interface MemoryConversation {
  row: ConversationRow;
  /** Last recorded first. */
  anchors: readonly Anchor[];
  pins: readonly PinRow[];
}

interface MemoryView {
  readonly sessionId: string;
  readonly head: ViewHead;
  readonly json: string;
}

export interface MemoryGuard {
  readonly version: number;
  readonly record: string;
}

/** All data of one tenant. */
export interface MemoryTenant {
  readonly sessions: Map<string, MemorySession>;
  readonly conversations: Map<string, MemoryConversation>;
  readonly guards: Map<string, MemoryGuard>;
  readonly views: Map<string, MemoryView>;
  readonly operations: Map<string, { readonly sessionId: string; readonly digest: string; readonly atMs: number }>;
}

export interface MemoryState {
  readonly storage: 'full' | 'none';
  readonly tenants: Map<string, MemoryTenant>;
  readonly calibrations: Map<string, Calibration>;
  isClosed: boolean;
}

export function emptyState(storage: 'full' | 'none'): MemoryState {
  return { storage, tenants: new Map(), calibrations: new Map(), isClosed: false };
}

export function tenantOf(state: MemoryState, tenant: string): MemoryTenant {
  if (state.isClosed) throw new UllageError('store_unavailable', 'The store is closed: open it again before it is used.');
  const known = state.tenants.get(tenant);
  if (known !== undefined) return known;
  const created: MemoryTenant = {
    sessions: new Map(),
    conversations: new Map(),
    guards: new Map(),
    views: new Map(),
    operations: new Map(),
  };
  state.tenants.set(tenant, created);
  return created;
}

export function sessionOf(tenant: MemoryTenant, sessionId: string): MemorySession {
  const session = tenant.sessions.get(sessionId);
  if (session === undefined) throw new UllageError('session_not_found', `There is no session ${sessionId}: it may have been deleted.`);
  return session;
}

interface OperationCommand {
  readonly operationId: string;
  readonly atMs: number;
}

/** Runs `effect` unless the operation was done before; an effect that answers `undefined` did nothing and is not remembered. */
export function once<T>(
  tenant: MemoryTenant,
  name: string,
  work: { command: OperationCommand; sessionId: string; done: T; effect: () => T | undefined },
): T | undefined {
  const { command, sessionId } = work;
  const digest = operationDigest(name, command);
  const before = tenant.operations.get(command.operationId);
  if (before !== undefined) {
    if (before.digest !== digest) throw operationConflict(command.operationId);
    return work.done;
  }
  const result = work.effect();
  if (result === undefined) return undefined;
  for (const [id, operation] of tenant.operations) {
    if (operation.atMs >= command.atMs - OPERATION_KEPT_MS) break;
    tenant.operations.delete(id);
  }
  tenant.operations.set(command.operationId, { sessionId, digest, atMs: command.atMs });
  return result;
}
