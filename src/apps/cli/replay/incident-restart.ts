// Founding incident 1, for real: processes on one SQLite file, each killed with SIGKILL, and a floor that no estimate sees.
import path from 'node:path';
import type { GuardStatus } from '../../../engine/guard-status.ts';
import { openDatabase } from '../shared/database.ts';
import { freeKey } from '../shared/free-key.ts';
import { withTemporaryFolder } from '../shared/temporary-folder.ts';
import { stepsFor } from './restart-history.ts';
import { type KeptPromise, restartPromises } from './restart-promises.ts';
import { HIDDEN_TOKENS, RESTART_POLICY } from './restart-setting.ts';
import { startRestartProcess } from './restart-spawn.ts';
import type { RestartReport, RestartTask } from './restart-task.ts';
import type { IncidentOptions } from './run-incident.ts';

export type ActName = 'same' | 'changing';

/** One process of the story. */
export interface ProcessRecord {
  /** From 1, within its act. */
  readonly process: number;
  readonly end: 'killed' | 'killed after another process asked';
  readonly reports: readonly RestartReport[];
  /** At its end. */
  readonly guard: GuardStatus;
  /** What a second process was told while this one lived. */
  readonly guardSeenElsewhere?: GuardStatus;
  readonly summaryCalls: number;
}

export interface Act {
  readonly name: ActName;
  readonly processes: readonly ProcessRecord[];
}

export interface RestartStory {
  readonly startMs: number;
  readonly acts: readonly Act[];
  readonly promises: readonly KeptPromise[];
}

type Part = Partial<Pick<RestartTask, 'requests' | 'hiddenTokens' | 'isCompactedByHand'>> & { readonly isSeenElsewhere?: boolean };

interface Script {
  readonly name: ActName;
  /** Tokens of the history at the first request, at least. */
  readonly firstTokens: number;
  readonly parts: readonly Part[];
}

/** A process that goes on until compaction is due; it never takes so many requests. */
const UNTIL_DUE = 40;

/** The floor stands still: what the first answer measures is known from then on. */
const SAME: Script = { name: 'same', firstTokens: 0.1 * RESTART_POLICY.threshold, parts: [{ requests: 2 }, { requests: 1 }] };

/** The floor cannot be learnt, because the system prompt is another one each time; at last it goes away. */
const CHANGING: Script = {
  name: 'changing',
  firstTokens: RESTART_POLICY.threshold,
  parts: [
    {},
    {},
    {},
    { requests: 1 },
    { requests: 1, isSeenElsewhere: true },
    { requests: 1, hiddenTokens: 0, isCompactedByHand: true },
    { requests: 0 },
  ],
};

export async function playRestart({ db, progress, terminal }: IncidentOptions): Promise<RestartStory> {
  if (db !== undefined) return playIn(path.resolve(db), { progress, terminal });
  return withTemporaryFolder((folder) => playIn(path.join(folder, 'incident.db'), { progress, terminal }));
}

async function playIn(db: string, { progress, terminal }: Pick<IncidentOptions, 'progress' | 'terminal'>): Promise<RestartStory> {
  const startMs = terminal.now();
  // Two sessions, each with its own keys: the acts are played at the same time, as agents of one machine would.
  const acts = await Promise.all(
    [SAME, CHANGING].map(async (script) => {
      const key = await keyFor(db, script.name);
      return playAct(script, { db, key, startMs, onProcess: (number) => progress.update(`incident restart, process ${number}`) });
    }),
  );
  return { startMs, acts, promises: restartPromises(acts) };
}

async function keyFor(db: string, name: ActName): Promise<string> {
  const store = await openDatabase(db, { mustExist: false });
  try {
    return await freeKey(store, `incident:restart:${name}`);
  } finally {
    await store.close();
  }
}

interface Place {
  readonly db: string;
  readonly key: string;
  readonly startMs: number;
  readonly onProcess: (number: number) => void;
}

async function playAct({ name, firstTokens, parts }: Script, { db, key, startMs, onProcess }: Place): Promise<Act> {
  const processes: ProcessRecord[] = [];
  const firstSteps = stepsFor(firstTokens);
  let requestsBefore = 0;
  for (const [index, part] of parts.entries()) {
    onProcess(index + 1);
    const { requests, hiddenTokens = HIDDEN_TOKENS, isCompactedByHand = false, isSeenElsewhere = false } = part;
    const task: RestartTask = {
      ...{ db, key, startMs, firstSteps, requestsBefore, hiddenTokens, isCompactedByHand },
      requests: requests ?? UNTIL_DUE,
      isStoppingWhenDue: requests === undefined,
      isPreambleChanging: name === 'changing',
    };
    const record = await playProcess(index + 1, task, isSeenElsewhere);
    processes.push(record);
    requestsBefore += record.reports.filter(({ type }) => type === 'request').length;
  }
  return { name, processes };
}

async function playProcess(number: number, task: RestartTask, isSeenElsewhere: boolean): Promise<ProcessRecord> {
  const started = await startRestartProcess(task);
  try {
    const guardSeenElsewhere = isSeenElsewhere ? await askElsewhere(task) : undefined;
    return {
      process: number,
      end: isSeenElsewhere ? 'killed after another process asked' : 'killed',
      reports: started.reports.filter((report) => report.type !== 'ready'),
      guard: started.ready.guard,
      guardSeenElsewhere,
      summaryCalls: started.ready.summaryCalls,
    };
  } finally {
    await started.kill();
  }
}

async function askElsewhere(task: RestartTask): Promise<GuardStatus> {
  const { requestsBefore, requests } = task;
  const other = await startRestartProcess({ ...task, requestsBefore: requestsBefore + requests, requests: 0 });
  await other.kill();
  return other.ready.guard;
}
