// The record of a fork.
import { describe, expect, it } from 'vitest';
import { forkGuard } from './fork.ts';
import { leaseWith, NOW, trippedGuard } from './testing/fixtures.ts';

const parent = trippedGuard({ version: 9, fence: 7, lease: leaseWith(), pending: { mark: 100, model: 'm', sinceMs: NOW } });

describe('a fork', () => {
  it('starts with a copy without the lease', () => {
    expect(forkGuard(parent, 'v2')).toEqual({ ...parent, lease: undefined });
  });

  it.each([['v1'], [undefined]])('that left before the newest view goes on from %s and waits for no verdict', (view) => {
    expect(forkGuard(parent, view)).toEqual({ ...parent, lease: undefined, pending: undefined, view });
  });

  it('leaves the record it was made from alone', () => {
    const copy = structuredClone(parent);
    forkGuard(parent, 'v1');
    expect(parent).toEqual(copy);
  });
});
