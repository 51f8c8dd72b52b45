// A gate that holds answers until it is told to let them pass: tests of slow providers need no clock and no sleep.

/** Where answers wait. */
export type HoldPoint = 'headers' | 'first-byte' | 'events';

export interface Gate {
  hold(points: readonly HoldPoint[]): void;
  /** True when answers wait at the point. */
  holds(point: HoldPoint): boolean;
  /** Lets so many waits pass; without a number all of them, and none waits any more. */
  release(count?: number): void;
  /** Answers waiting now. */
  readonly waiting: number;
  /** Resolves at once when the point is open, else when released or when the signal aborts. */
  pass(point: HoldPoint, signal: AbortSignal): Promise<void>;
}

/** An open gate. `onWait` is told when an answer begins to wait. */
export function createGate(onWait: () => void): Gate {
  let held: ReadonlySet<HoldPoint> = new Set();
  const waiting = new Set<() => void>();
  return {
    hold(points) {
      held = new Set(points);
    },
    holds: (point) => held.has(point),
    release(count) {
      if (count === undefined) held = new Set();
      for (const go of [...waiting].slice(0, count)) go();
    },
    get waiting() {
      return waiting.size;
    },
    pass(point, signal) {
      if (!held.has(point) || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const go = (): void => {
          waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        waiting.add(go);
        signal.addEventListener('abort', go, { once: true });
        onWait();
      });
    },
  };
}
