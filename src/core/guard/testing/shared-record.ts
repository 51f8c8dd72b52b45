// One stored record and the two ways to change it: compare-and-swap by hand, and the loop that every process runs.
import { decodeGuard, encodeGuard } from '../encode.ts';
import type { Guard, GuardEvent, GuardResult } from '../guard.ts';
import { reduceGuard } from '../reduce.ts';

export class SharedRecord {
  #text: string;
  /** Writes that took place. */
  writes = 0;
  /** Swaps that found another version. */
  conflicts = 0;

  constructor(guard: Guard) {
    this.#text = encodeGuard(guard);
  }

  read(): Guard {
    return decodeGuard(this.#text);
  }

  swap(expectedVersion: number, guard: Guard): boolean {
    if (this.read().version !== expectedVersion) {
      this.conflicts++;
      return false;
    }
    this.#text = encodeGuard({ ...guard, version: expectedVersion + 1 });
    this.writes++;
    return true;
  }

  /** Reads, applies, writes; on a conflict again from the beginning. `meanwhile` runs once between the first read and its write. */
  apply(event: GuardEvent, now: number, meanwhile: () => void = () => {}): GuardResult {
    const before = this.read();
    const result = reduceGuard(before, event, now);
    meanwhile();
    if (result.guard === before || this.swap(before.version, result.guard)) return result;
    return this.apply(event, now);
  }
}
