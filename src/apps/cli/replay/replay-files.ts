// Replays files one after the other into one database. Each is a session of its own.
import path from 'node:path';
import type { Store } from '../../../ports/store.ts';
import { openDatabase } from '../shared/database.ts';
import { freeKey } from '../shared/free-key.ts';
import { type InputFlags, type LoadedRequest, loadTranscript } from '../shared/load-transcript.ts';
import { withTemporaryFolder } from '../shared/temporary-folder.ts';
import { parseTokens } from '../terminal/numbers.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type History, readHistory } from './history.ts';
import { type Play, playTranscript } from './play.ts';
import { type AskedPolicy, parsePolicy, policyFor } from './policy.ts';
import { type Totals, totalsOf } from './totals.ts';
import { chooseWindow, type WindowChoice } from './window.ts';

export interface ReplayFilesFlags extends InputFlags {
  readonly window?: string;
  readonly threshold?: string;
  readonly target?: string;
  readonly db?: string;
}

/** One transcript, played. */
export interface FileReplay {
  readonly loaded: LoadedRequest;
  /** Key of its session in the database. */
  readonly key: string;
  readonly window: WindowChoice;
  readonly history: History;
  readonly play: Play;
  readonly totals: Totals;
}

interface Opened {
  readonly store: Store;
  readonly policy: AskedPolicy;
  readonly windowTold?: number;
}

/** Every option is checked and every file read before anything is played. Throws option_invalid, transcript_invalid, format_unknown, store errors. */
export async function replayFiles(
  files: readonly string[],
  flags: ReplayFilesFlags,
  io: { readonly terminal: Terminal; readonly progress: Progress },
): Promise<readonly FileReplay[]> {
  const policy = parsePolicy(flags);
  const windowTold = flags.window === undefined ? undefined : parseTokens('--window', flags.window);
  if (windowTold !== undefined) policyFor(policy, windowTold);
  const loaded: LoadedRequest[] = [];
  for (const file of files) loaded.push(await loadTranscript(file, flags, { ...io, onProgress: () => io.progress.update('reading') }));
  const play = async (db: string) => {
    const store = await openDatabase(db, { mustExist: false });
    try {
      const replays: FileReplay[] = [];
      for (const each of loaded) replays.push(await replayOne(each, { store, policy, windowTold }, io));
      return replays;
    } finally {
      await store.close();
    }
  };
  return flags.db === undefined ? withTemporaryFolder((folder) => play(path.join(folder, 'replay.db'))) : play(flags.db);
}

async function replayOne(
  loaded: LoadedRequest,
  { store, policy, windowTold }: Opened,
  { terminal, progress }: { readonly terminal: Terminal; readonly progress: Progress },
): Promise<FileReplay> {
  const history = readHistory(loaded);
  const window = chooseWindow(history, { told: windowTold, model: loaded.transcript.model });
  const key = await freeKey(store, `replay:${path.basename(loaded.name)}`);
  const play = await playTranscript(loaded, {
    history,
    store,
    key,
    windowTokens: window.tokens,
    policy: policyFor(policy, window.tokens),
    startMs: terminal.now(),
    now: () => performance.now(),
    onRequest: (done, total) => progress.update(`${path.basename(loaded.name)}, request ${done + 1} of ${total}`, done, total),
  });
  return { loaded, key, window, history, play, totals: totalsOf(play.requests, window.tokens) };
}
