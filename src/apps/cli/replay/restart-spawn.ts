// Starts processes of the incident `restart`, listens to them, and kills them with SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UllageError } from '../../../core/errors.ts';
import type { ReadyReport, RestartReport, RestartTask } from './restart-task.ts';

/** A process at rest after its work, still holding the database open. */
export interface RestartProcess {
  readonly reports: readonly RestartReport[];
  readonly ready: ReadyReport;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const SELF = fileURLToPath(import.meta.url);

/** Resolves when the work is done. Throws internal, with what the process wrote, when it ends by itself. */
export async function startRestartProcess(task: RestartTask): Promise<RestartProcess> {
  const child = spawn(process.execPath, [...commandLine(), 'replay', '--incident-process', JSON.stringify(task)], {
    // Where tsx is found when the sources are run as they are.
    cwd: path.dirname(SELF),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const kill = () => {
    child.kill('SIGKILL');
    return gone;
  };
  try {
    const reports = await listen(child);
    return { reports, ready: reports.at(-1) as ReadyReport, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The command line itself: built, or from source. */
function commandLine(): string[] {
  const extension = path.extname(SELF);
  const main = path.join(path.dirname(SELF), '..', `main${extension}`);
  return extension === '.ts' ? ['--import', 'tsx', main] : [main];
}

async function listen(child: ChildProcess): Promise<readonly RestartReport[]> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new UllageError('internal', 'A process of the incident has no output.');
  const errors: string[] = [];
  stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')));
  const failed = new Promise<never>((_, reject) => child.on('error', reject));
  const read = async () => {
    const reports: RestartReport[] = [];
    for await (const line of createInterface({ input: stdout })) {
      const report = JSON.parse(line) as RestartReport;
      reports.push(report);
      if (report.type === 'ready') return reports;
    }
    throw new UllageError('internal', `A process of the incident ended before its work was done: ${errors.join('').slice(0, 2_000)}`);
  };
  return Promise.race([read(), failed]);
}
