// Records and asks for table tests: a plain one, with what the row is about laid over it.
import { type Ask, EMPTY_GUARD, EMPTY_UNIT, type Guard, type Lease, type Rest, type UnitState } from '../guard.ts';

export const NOW = 10_000_000;

export function guardWith(parts: Partial<Guard> = {}): Guard {
  return { ...EMPTY_GUARD, ...parts };
}

export function unitWith(parts: Partial<UnitState> = {}): UnitState {
  return { ...EMPTY_UNIT, ...parts };
}

/** Due, and worth an attempt. */
export function askWith(parts: Partial<Ask> = {}): Ask {
  const paths = [{ path: 'summarizer', deadlineMs: 20_000 }];
  return { kind: 'automatic', unit: 'tokens', size: 120, mark: 100, model: 'm', gain: 80, minGain: 10, paths, ...parts };
}

/** Began just now, and blocks up to 140. */
export function restWith(parts: Partial<Rest> = {}): Rest {
  return { reason: 'refill', sinceMs: NOW, periodMs: 300_000, size: 120, step: 20, ...parts };
}

export function leaseWith(parts: Partial<Lease> = {}): Lease {
  return { attemptId: 'a', fence: 7, path: 'summarizer', sinceMs: NOW, claimedAtMs: NOW, ...parts };
}

/** Two strikes at mark 100, and the rest that they earned. */
export function trippedGuard(parts: Partial<Guard> = {}): Guard {
  return guardWith({
    view: 'v2',
    strikes: 2,
    proof: { size: 120, mark: 100, models: ['m'] },
    tokens: unitWith({ rest: restWith({ reason: 'ineffective' }), level: 1, last: { mark: 100, watermark: 'c1' } }),
    ...parts,
  });
}
