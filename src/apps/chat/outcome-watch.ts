// What compactions did, told to whoever is at work in the session at that time.
import type { CompactionOutcome, Ullage } from '../../index.ts';

type Listener = (outcome: CompactionOutcome) => void;

export class OutcomeWatch {
  readonly #listeners = new Map<string, Listener>();

  constructor(ullage: Ullage) {
    const tell = (outcome: CompactionOutcome) => this.#listeners.get(outcome.sessionId)?.(outcome);
    ullage.on('compaction-committed', tell);
    ullage.on('compaction-failed', tell);
    ullage.on('compaction-blocked', tell);
  }

  /** The library's outcomes of this session during the work. */
  async during<T>(sessionId: string, listener: Listener, work: () => Promise<T>): Promise<T> {
    this.#listeners.set(sessionId, listener);
    try {
      return await work();
    } finally {
      this.#listeners.delete(sessionId);
    }
  }
}
