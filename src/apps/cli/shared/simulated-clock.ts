// A clock whose time moves only when it is told to: what is played decides the same on every machine. Waits are real.
import { systemClock } from '../../../adapters/system/index.ts';
import type { Clock } from '../../../ports/clock.ts';

export interface SimulatedClock extends Clock {
  advance(ms: number): void;
}

export function simulatedClock(startMs: number): SimulatedClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    wait: systemClock.wait,
    advance(ms) {
      nowMs += ms;
    },
  };
}
