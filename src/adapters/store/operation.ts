// The body of an operation as one digest: what "same id and same body" means for every store.
import { hash } from 'node:crypto';
import { UllageError } from '../../core/errors.ts';

/** How long an operation id is remembered. */
export const OPERATION_KEPT_MS = 86_400_000;

/** Digest of a command without its id and time. Entries count by chain hash alone: that is their identity, their bytes may differ. */
export function operationDigest(name: string, command: object): string {
  const { operationId: _id, atMs: _at, ...body } = command as Record<string, unknown>;
  const text = JSON.stringify([name, body], (key, value: unknown) => canonical(key, value));
  return hash('sha256', text, 'hex');
}

export function operationConflict(operationId: string): UllageError {
  return new UllageError('operation_conflict', `Operation ${operationId} was already done with another body: use a new operation id.`, {
    details: { operationId },
  });
}

function canonical(key: string, value: unknown): unknown {
  if (key === 'entries' && Array.isArray(value)) return value.map((entry: { chain: string }) => entry.chain);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
