// Runs `ullage demo`: each section is shown as soon as it is played.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import { inspectTranscript } from '../inspect/report.ts';
import { play220 } from '../replay/incident-220.ts';
import { playRestart } from '../replay/incident-restart.ts';
import { type LoadedRequest, loadTranscript } from '../shared/load-transcript.ts';
import { withTemporaryFolder } from '../shared/temporary-folder.ts';
import { colorsFor } from '../terminal/colors.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { widthOf } from '../terminal/terminal.ts';
import {
  closing,
  type DemoTextOptions,
  incidentSection,
  inspectSection,
  introduction,
  type PlayedPromises,
  replaySection,
  searchSection,
  summarySection,
} from './demo-text.ts';
import { playExample } from './play-example.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/session.json', import.meta.url));
const FAILED_EXIT_CODE = 70;
/** Wider lines are hard to read. */
const MOST_COLUMNS = 100;

interface Stage {
  readonly context: CommandContext;
  readonly progress: Progress;
  readonly text: DemoTextOptions;
  readonly show: (lines: readonly string[]) => void;
}

export async function runDemo(file: string | undefined, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { stdout, stderr, now } = terminal;
  const startedAtMs = now();
  const progress = createProgress({ write: (written) => stderr.write(written), isTerminal: stderr.isTTY === true, now });
  const text = { width: Math.min(MOST_COLUMNS, widthOf(stdout)), colors: colorsFor(terminal, stdout) };
  const show = (lines: readonly string[]) => {
    progress.clear();
    stdout.write(`${lines.join('\n')}\n\n`);
  };
  const stage = { context, progress, text, show };
  try {
    show(introduction(text));
    const loaded = await loadExample(file, context);
    // Its processes take their time: they start now and are shown later.
    const restarted = restart(stage);
    restarted.catch(() => undefined);
    await showExample(loaded, stage);
    progress.update('incident 1');
    const areKept = [await showIncident(await restarted, stage), await showIncident(await messages220(stage), stage)];
    stdout.write(`${closing(now() - startedAtMs, text).join('\n')}\n`);
    if (areKept.includes(false)) context.setExitCode(FAILED_EXIT_CODE);
  } finally {
    progress.clear();
  }
}

async function loadExample(file: string | undefined, { terminal }: CommandContext): Promise<LoadedRequest> {
  if (file !== undefined) return loadTranscript(file, {}, { terminal });
  if (!existsSync(EXAMPLE)) {
    throw new UllageError(
      'usage_invalid',
      'The bundled session is part of a checkout, not of the package: name a transcript, ullage demo FILE.',
    );
  }
  const loaded = await loadTranscript(EXAMPLE, {}, { terminal });
  return { ...loaded, name: path.posix.join('examples', 'session.json') };
}

async function showExample(loaded: LoadedRequest, { context, progress, text, show }: Stage): Promise<void> {
  show(inspectSection(inspectTranscript(loaded.transcript, { file: loaded.name, top: 10 }), text));
  progress.update('playing the session');
  await withTemporaryFolder(async (folder) => {
    const store = sqliteStore(path.join(folder, 'demo.db'));
    await store.open();
    try {
      const played = await playExample(loaded, store, context.terminal.now());
      for (const section of [replaySection, summarySection, searchSection]) show(section(played, text));
    } finally {
      await store.close();
    }
  });
}

async function restart({ context, progress }: Stage): Promise<PlayedPromises> {
  const { promises, acts } = await playRestart({ terminal: context.terminal, progress: { ...progress, update: () => {} } });
  const processes = acts.reduce((sum, act) => sum + act.processes.length, 0);
  const story = `48,000 tokens that only the provider sees, compaction due at 50,000: it can never help. An agent that forgot this at every restart paid for useless summaries again and again. Here ${processes} real processes on one SQLite file, each ended by kill -9:`;
  return { title: '5. Founding incident 1: restarts  (ullage replay --incident restart)', story, promises };
}

async function messages220({ context, progress }: Stage): Promise<PlayedPromises> {
  progress.update('incident 2');
  const { promises } = await play220({ terminal: context.terminal, progress });
  const story = '220 messages stayed 220, so a fine compaction was called a failure, and the session was thrown away:';
  return { title: '6. Founding incident 2: 220 messages  (ullage replay --incident 220)', story, promises };
}

async function showIncident(played: PlayedPromises, { text, show }: Stage): Promise<boolean> {
  show(incidentSection(played, text));
  return played.promises.every(({ isKept }) => isKept);
}
