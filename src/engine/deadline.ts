// How long a turn waits for summarizers: the whole chain shares one deadline, and a path that others follow leaves half of it to them.
import type { AskKind } from '../core/guard/guard.ts';
import type { Context } from './context.ts';

const DEFAULT_FOREGROUND_MS = 20_000;
/** Nobody waits for it; the lease lasts for three minutes at most. */
const DEFAULT_BACKGROUND_MS = 120_000;
const SHARE_BEFORE_OTHERS = 0.5;

/** Longest that all summarizers of one attempt may take together, milliseconds. */
export function chainDeadlineMs(context: Context, kind: AskKind): number {
  const { summaryDeadlineMs, backgroundDeadlineMs } = context.options;
  if (kind === 'background') return backgroundDeadlineMs ?? DEFAULT_BACKGROUND_MS;
  return summaryDeadlineMs ?? DEFAULT_FOREGROUND_MS;
}

/** Longest that the summarizer at `index` may take of it. */
export function pathDeadlineMs(context: Context, kind: AskKind, index: number): number {
  const whole = chainDeadlineMs(context, kind);
  return index === context.summarizers.length - 1 ? whole : Math.ceil(whole * SHARE_BEFORE_OTHERS);
}

export interface DeadlineLimits {
  readonly deadlineMs: number;
  /** Ends the work early. */
  readonly signal: AbortSignal;
}

/** Races the work against the deadline; the work's signal aborts when it loses, and its late result is dropped. */
export async function withDeadline<T>(context: Context, limits: DeadlineLimits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(limits.signal.reason);
  if (limits.signal.aborted) abort();
  limits.signal.addEventListener('abort', abort, { once: true });
  const timeout = context.clock.wait(limits.deadlineMs, controller.signal).then(() => {
    throw Object.assign(new Error(`No summary within ${limits.deadlineMs} ms.`), { name: 'TimeoutError' });
  });
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), timeout, aborted]);
  } finally {
    limits.signal.removeEventListener('abort', abort);
    timeout.catch(() => {});
    aborted.catch(() => {});
    controller.abort();
  }
}
