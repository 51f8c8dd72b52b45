// A progress line on standard error: only on a terminal, only for what takes longer than a second, gone when it is done.
import { formatShare } from './numbers.ts';

const QUIET_MS = 1000;
const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

export interface ProgressOptions {
  /** Where the line is drawn. */
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** Milliseconds from any start. */
  readonly now: () => number;
}

export interface Progress {
  /** Says what is being done, and how much of it when that is known. */
  update(label: string, done?: number, total?: number): void;
  /** Takes the line away. */
  clear(): void;
}

export function createProgress(options: ProgressOptions): Progress {
  const startedAtMs = options.now();
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    update(label, done, total) {
      const nowMs = options.now();
      if (!options.isTerminal || nowMs - startedAtMs < QUIET_MS || nowMs - drawnAtMs < REDRAW_MS) return;
      const share = done !== undefined && total !== undefined && total > 0 ? ` ${formatShare(done / total)}` : '';
      options.write(`${CLEAR_LINE}${label}${share}`);
      drawnAtMs = nowMs;
      isDrawn = true;
    },
    clear() {
      if (isDrawn) options.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}
