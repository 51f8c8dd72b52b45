// A caller's wait for an attempt: its signal ends the wait, not the attempt, and what the attempt comes to is told later.
import { UllageError } from '../core/errors.ts';

export interface Wait<T> {
  readonly signal?: AbortSignal;
  /** Told of the result when the wait had ended before it. */
  readonly onLate: (result: T) => void;
}

/** The work's own result or error, or `cancelled` when the signal comes first. */
export async function withinWait<T>(work: Promise<T>, { signal, onLate }: Wait<T>): Promise<T> {
  if (!signal) return work;
  let isOver = false;
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      isOver = true;
      const message = 'The caller’s signal ended the wait for a compaction; it goes on by itself.';
      reject(new UllageError('cancelled', message, { cause: signal.reason }));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    const forget = () => signal.removeEventListener('abort', abort);
    work.then(forget, forget);
  });
  work.then(
    (result) => isOver && onLate(result),
    () => {},
  );
  return Promise.race([work, aborted]);
}
