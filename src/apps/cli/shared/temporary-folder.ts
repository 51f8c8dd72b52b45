// A folder that is gone afterwards, also when the command is interrupted.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the work with a fresh private folder and removes the folder with all it holds. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ullage-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const interrupted = (signal: NodeJS.Signals) => {
    remove();
    stopListening();
    process.kill(process.pid, signal);
  };
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    return await work(folder);
  } finally {
    stopListening();
    remove();
  }
}
