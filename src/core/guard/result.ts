// Results of an event, and the equality that decides whether anything is written.
import type { Decision, Guard, GuardEvent, GuardResult } from './guard.ts';

/** The event of one type. */
export type EventOf<T extends GuardEvent['type']> = Extract<GuardEvent, { readonly type: T }>;

export function accepted(guard: Guard, decision?: Decision): GuardResult {
  return { guard, status: 'accepted', decision };
}

export function refused(guard: Guard, decision?: Decision): GuardResult {
  return { guard, status: 'refused', decision };
}

/** Deep equality of plain data; an absent member equals one that is undefined, as it does once stored. */
export function isEqualData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => isEqualData(own(left, key), own(right, key)));
}

function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
