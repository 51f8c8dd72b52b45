// Takes down what must not outlive this process, however that ends.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `close` is run once: by what is returned, or when the process ends or is told to end before that. */
export function closeOnEnd(close: () => void): () => void {
  const closeOnce = (): void => {
    process.off('exit', closeOnce);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    close();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    closeOnce();
    // Nobody listens any more: this ends the process as if nobody had.
    process.kill(process.pid, signal);
  };
  process.on('exit', closeOnce);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return closeOnce;
}
