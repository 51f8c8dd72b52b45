// Counts what a reader leaves out, in the order it first met it.
import type { Note } from './transcript.ts';

export interface Counter {
  /** Adds one (or `count`) to what is written as `what`. */
  add(what: string, count?: number): void;
  notes(): readonly Note[];
}

export function createCounter(): Counter {
  const counts = new Map<string, number>();
  return {
    add(what, count = 1) {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    },
    notes: () => [...counts].map(([what, count]) => ({ what, count })),
  };
}
