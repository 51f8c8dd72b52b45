// Work that runs while nobody waits for it: counted, so that closing can end it. Decides nothing and remembers nothing.

export interface BackgroundWork {
  /** Aborts when the engine is being closed. */
  readonly closing: AbortSignal;
  /** Starts work that nobody awaits; nothing once closing has begun. What it throws goes to the log. */
  start(work: () => Promise<void>): void;
  /** Resolves when nothing runs (any more). */
  settled(): Promise<void>;
  /** Ends what runs and waits for it; later work may start again. */
  close(): Promise<void>;
}

export function createBackgroundWork(onError: (error: unknown) => void): BackgroundWork {
  let closing = new AbortController();
  const running = new Set<Promise<void>>();
  const settled = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    get closing() {
      return closing.signal;
    },
    start(work) {
      if (closing.signal.aborted) return;
      const task: Promise<void> = work()
        .catch(onError)
        .finally(() => running.delete(task));
      running.add(task);
    },
    settled,
    async close() {
      closing.abort(new Error('The engine is being closed.'));
      await settled();
      closing = new AbortController();
    },
  };
}
