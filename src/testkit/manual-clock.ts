// A clock that moves only when it is told to. Waits end in the order of their time, then of their beginning.
import type { Clock } from '../ports/clock.ts';

/** A clock moved by hand. */
export interface ManualClock extends Clock {
  /** Moves time forward and ends every wait that falls due, each at its own time; resolves when what they started has run. */
  advance(ms: number): Promise<void>;
  /** Sets the time, also backwards, as a system clock may step. Ends no wait. */
  set(ms: number): void;
  /** Waits that have not ended. */
  readonly pendingWaits: number;
}

interface Waiting {
  readonly dueMs: number;
  readonly finish: () => void;
}

/** Turns of the microtask queue that are left to code between two waits. */
const SETTLING_TURNS = 100;

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLING_TURNS; turn += 1) await Promise.resolve();
}

/**
 * A clock for tests.
 *
 * @param startMs milliseconds since the epoch; default 0
 */
export function manualClock(startMs = 0): ManualClock {
  let nowMs = startMs;
  // Time that has passed by `advance`: waits are measured by it, so that `set` ends or delays none of them.
  let passedMs = 0;
  const waiting = new Set<Waiting>();

  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = (): void => {
        waiting.delete(entry);
        reject(signal?.reason);
      };
      const entry: Waiting = {
        dueMs: passedMs + Math.max(0, ms),
        finish: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
      };
      waiting.add(entry);
      signal?.addEventListener('abort', abort, { once: true });
    });

  const nextDue = (limitMs: number): Waiting | undefined => {
    let next: Waiting | undefined;
    for (const entry of waiting) {
      if (entry.dueMs <= limitMs && (next === undefined || entry.dueMs < next.dueMs)) next = entry;
    }
    return next;
  };

  const advance = async (ms: number): Promise<void> => {
    const endMs = passedMs + ms;
    await settle();
    for (let next = nextDue(endMs); next !== undefined; next = nextDue(endMs)) {
      const stepMs = Math.max(0, next.dueMs - passedMs);
      passedMs += stepMs;
      nowMs += stepMs;
      waiting.delete(next);
      next.finish();
      await settle();
    }
    nowMs += endMs - passedMs;
    passedMs = endMs;
  };

  return {
    now: () => nowMs,
    wait,
    advance,
    set: (ms) => {
      nowMs = ms;
    },
    get pendingWaits() {
      return waiting.size;
    },
  };
}
