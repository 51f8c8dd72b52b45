// Waits for work that cannot be ended from here, but need not be waited for.

/** The work's end, or the signal's reason, whichever comes first. The work goes on. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
