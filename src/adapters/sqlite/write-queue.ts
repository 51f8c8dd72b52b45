// Writes that are asked for in one turn of the event loop share a transaction: a commit costs more than most of what it commits. While they come
// one a turn, none waits for others.
import { UllageError } from '../../core/errors.ts';
import type { Sql } from './database.ts';

/** A shared transaction takes on no further write after this time. */
const SHARED_MS = 5;

type Work<T> = (sql: Sql) => T;

/** Runs the work in a transaction of its own, also again when that was rolled back. */
type Transact = <T>(work: Work<T>) => Promise<T>;

interface Write {
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class WriteQueue {
  readonly #transact: Transact;
  #waiting: Write[] = [];
  /** Writes of this turn. */
  #asked = 0;
  /** The turn before had several. */
  #isBusy = false;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** Resolves when it is committed; a write that fails takes none of the others with it. */
  add<T>(work: Work<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      this.#asked += 1;
      if (this.#asked > 1) return;
      setImmediate(() => this.#endTurn());
      if (!this.#isBusy) this.flush();
    }) as Promise<T>;
  }

  #endTurn(): void {
    this.#isBusy = this.#asked > 1;
    this.#asked = 0;
    this.flush();
  }

  /** Begins with what waits; what does not fit into the time waits on. */
  flush(sharedMs = SHARED_MS): void {
    const writes = this.#waiting;
    this.#waiting = [];
    if (writes.length === 1) void this.#alone(writes[0]!);
    else if (writes.length > 1) void this.#together(writes, sharedMs);
  }

  #alone({ work, resolve, reject }: Write): Promise<void> {
    return this.#transact(work).then(resolve, reject);
  }

  async #together(writes: readonly Write[], sharedMs: number): Promise<void> {
    let results: readonly unknown[] = [];
    try {
      results = await this.#transact((sql) => resultsInTime(sql, writes, sharedMs));
    } catch (error) {
      // They waited for another writer as long as each of them would have.
      const isHeld = UllageError.is(error) && error.details.fault === 'busy';
      for (const write of writes) void (isHeld ? write.reject(error) : this.#alone(write));
      return;
    }
    for (const [index, result] of results.entries()) writes[index]!.resolve(result);
    for (const { work, resolve, reject } of writes.slice(results.length)) this.add(work).then(resolve, reject);
  }
}

/** Of as many as fit, at least one. */
function resultsInTime(sql: Sql, writes: readonly Write[], sharedMs: number): unknown[] {
  const results: unknown[] = [];
  const untilMs = performance.now() + sharedMs;
  for (const { work } of writes) {
    results.push(work(sql));
    if (performance.now() >= untilMs) break;
  }
  return results;
}
