// Row C2.
import { describe, expect, it } from 'vitest';
import type { GuardEvent, RestReason } from './guard.ts';
import { reduceGuard } from './reduce.ts';
import { guardWith, leaseWith, NOW, restWith, trippedGuard, unitWith } from './testing/fixtures.ts';

const undo = (parts: { size?: number; usable?: number } = {}): GuardEvent => ({
  type: 'undo',
  viewId: 'v3',
  size: 120,
  usable: 1_000,
  minGain: 10,
  ...parts,
});
const pending = { mark: 100, model: 'm', sinceMs: NOW };

describe('C2: undo', () => {
  it('ends the verdict as unknown and rests for an hour, or until 95 % of usable', () => {
    const before = guardWith({ view: 'v2', pending });
    const rest = restWith({ reason: 'undone', periodMs: 3_600_000, size: 120, step: 830 });
    expect(reduceGuard(before, undo(), NOW)).toEqual({ status: 'accepted', guard: guardWith({ view: 'v3', tokens: unitWith({ rest }) }) });
  });

  it('rests for minGain more when it is over 95 % already', () => {
    expect(reduceGuard(guardWith({ view: 'v2' }), undo({ size: 945 }), NOW).guard.tokens.rest?.step).toBe(10);
  });

  it('needs no lease; a running attempt keeps it but loses its base', () => {
    const before = guardWith({ view: 'v2', fence: 7, lease: leaseWith() });
    const { guard } = reduceGuard(before, undo(), NOW);
    expect(guard.lease).toBe(before.lease);
    const commit: GuardEvent = {
      type: 'commit',
      fence: 7,
      baseView: 'v2',
      viewId: 'v4',
      ask: { kind: 'automatic', unit: 'tokens', size: 120, mark: 100, model: 'm', gain: 80, minGain: 10, paths: [] },
      watermark: 'c1',
      growthAfter: () => 0,
      failed: [],
    };
    expect(reduceGuard(guard, commit, NOW).status).toBe('refused');
  });

  it.each(['ineffective', 'refill', 'nothing_to_compact', 'undone'] as RestReason[])(
    'keeps a rest of reason %s that still holds',
    (reason) => {
      const before = trippedGuard({ pending, tokens: unitWith({ rest: restWith({ reason }), level: 1 }) });
      expect(reduceGuard(before, undo(), NOW).guard).toEqual({ ...before, view: 'v3', pending: undefined });
    },
  );

  it.each([
    ['time', undo(), NOW + 300_000],
    ['growth', undo({ size: 140 }), NOW],
  ])('replaces a rest that %s ended, and touches no streak', (_, event, now) => {
    const { guard } = reduceGuard(trippedGuard(), event, now);
    expect(guard).toMatchObject({ strikes: 2, tokens: { level: 1, rest: { reason: 'undone', sinceMs: now } } });
  });
});
