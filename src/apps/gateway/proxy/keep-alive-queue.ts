// Who waits for a sign of life, all in one queue with one timer: most requests are gone long before their turn.
import type { Clock } from '../../../ports/clock.ts';

/** Called when its time has come; false = it wants no further one. One that throws is not called again: the others are waiting, too. */
export type Waiting = () => boolean;

export interface KeepAliveQueue {
  add(waiting: Waiting): void;
  remove(waiting: Waiting): void;
}

/** Each is called after `everyMs`, and again after each such time. The signal ends the timer. */
export function createKeepAliveQueue(clock: Clock, everyMs: number, signal: AbortSignal): KeepAliveQueue {
  // All wait equally long: the first that came is the first that is due.
  const due = new Map<Waiting, number>();
  let isRunning = false;
  const add = (waiting: Waiting) => {
    due.delete(waiting);
    due.set(waiting, clock.now() + everyMs);
    if (!isRunning) void run();
  };
  async function run(): Promise<void> {
    isRunning = true;
    for (;;) {
      const next = due.entries().next();
      if (next.done || signal.aborted) break;
      const leftMs = next.value[1] - clock.now();
      if (leftMs > 0) await clock.wait(leftMs, signal).catch(() => undefined);
      const nowMs = clock.now();
      for (const [waiting, atMs] of due) {
        if (atMs > nowMs) break;
        due.delete(waiting);
        if (wantsMore(waiting)) add(waiting);
      }
    }
    isRunning = false;
  }
  return { add, remove: (waiting) => void due.delete(waiting) };
}

function wantsMore(waiting: Waiting): boolean {
  try {
    return waiting();
  } catch {
    return false;
  }
}
