// What an answer leaves to be done: readings and full-text rows. It begins when the answer is on its way to the caller; closing waits for it.

export interface AfterResponse {
  /** Begins at the next turn of the event loop. The promise resolves at its end; what it throws goes to the log. */
  start(work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is left to be done. */
  settled(): Promise<void>;
}

export function createAfterResponse(nextTurn: () => Promise<void>, onError: (error: unknown) => void): AfterResponse {
  const running = new Set<Promise<void>>();
  return {
    start(work) {
      const task: Promise<void> = nextTurn()
        .then(work)
        .catch(onError)
        .finally(() => running.delete(task));
      running.add(task);
      return task;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
