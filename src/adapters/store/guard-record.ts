// The guard as one JSON text. A field that a record of an older version lacks reads as the value of the empty guard.
import { EMPTY_GUARD, EMPTY_UNIT, type Guard, type UnitState } from '../../core/guard/guard.ts';

/** `version` lives in a column of its own: it is what compare-and-swap looks at. */
export function encodeGuardRecord(guard: Guard): string {
  const { version: _version, ...record } = guard;
  return JSON.stringify(record);
}

export function decodeGuardRecord(version: number, record: string): Guard {
  const stored = JSON.parse(record) as Partial<Guard>;
  return { ...EMPTY_GUARD, ...stored, tokens: unit(stored.tokens), messages: unit(stored.messages), version };
}

function unit(stored: Partial<UnitState> | undefined): UnitState {
  return { ...EMPTY_UNIT, ...stored };
}
