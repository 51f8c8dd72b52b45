// Runs `ullage replay`: transcripts, or a founding incident.
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { ReplayFlags } from '../commands/replay.ts';
import { colorsFor } from '../terminal/colors.ts';
import { createProgress } from '../terminal/progress.ts';
import { widthOf } from '../terminal/terminal.ts';
import { type FileReplay, replayFiles } from './replay-files.ts';
import { renderReplays } from './replay-text.ts';
import { replayDocument } from './report.ts';
import { INCIDENTS, type IncidentName, runIncident } from './run-incident.ts';

const EXHAUSTED_EXIT_CODE = 78;
const FAILED_EXIT_CODE = 70;

export async function runReplay(files: readonly string[], flags: ReplayFlags, context: CommandContext): Promise<void> {
  if (flags.incidentProcess !== undefined) {
    const { runIncidentProcess } = await import('./restart-process.ts');
    await runIncidentProcess(flags.incidentProcess, context.terminal);
    return;
  }
  if (flags.incident !== undefined) await playIncident(flags.incident, files, { flags, context });
  else await playFiles(files, flags, context);
}

async function playIncident(
  name: string,
  files: readonly string[],
  { flags, context }: { readonly flags: ReplayFlags; readonly context: CommandContext },
): Promise<void> {
  const incident = INCIDENTS.find((known) => known === name);
  if (incident === undefined)
    throw new UllageError('option_invalid', `--incident ${JSON.stringify(name)}: expected one of ${INCIDENTS.join(', ')}.`);
  if (files.length > 0) throw new UllageError('usage_invalid', '--incident plays its own history: leave the files out.');
  await showIncident(incident, flags, context);
}

async function showIncident(name: IncidentName, flags: ReplayFlags, { terminal, setExitCode }: CommandContext): Promise<void> {
  const { stdout, stderr, now } = terminal;
  const progress = createProgress({ write: (text) => stderr.write(text), isTerminal: stderr.isTTY === true, now });
  try {
    const played = await runIncident(name, { terminal, db: flags.db, progress });
    progress.clear();
    const text =
      flags.json === true
        ? JSON.stringify(played.document, undefined, 2)
        : played.render({ width: widthOf(stdout), colors: colorsFor(terminal, stdout) }).join('\n');
    stdout.write(`${text}\n`);
    if (!played.isKept) setExitCode(FAILED_EXIT_CODE);
  } finally {
    progress.clear();
  }
}

async function playFiles(files: readonly string[], flags: ReplayFlags, { terminal, setExitCode }: CommandContext): Promise<void> {
  if (files.length === 0) throw new UllageError('usage_invalid', 'Name at least one transcript, or --incident restart or 220.');
  const { stdout, stderr, now } = terminal;
  const progress = createProgress({ write: (text) => stderr.write(text), isTerminal: stderr.isTTY === true, now });
  let replays: readonly FileReplay[];
  try {
    replays = await replayFiles(files, flags, { terminal, progress });
  } finally {
    progress.clear();
  }
  const text =
    flags.json === true
      ? JSON.stringify(replayDocument(replays, { isKept: flags.db !== undefined }), undefined, 2)
      : renderReplays(replays, { width: widthOf(stdout), colors: colorsFor(terminal, stdout), db: flags.db }).join('\n');
  stdout.write(`${text}\n`);
  if (replays.some(isExhausted)) setExitCode(EXHAUSTED_EXIT_CODE);
}

function isExhausted({ play }: FileReplay): boolean {
  return play.requests.some(({ sent, outcome }) => sent === undefined || outcome?.exhausted === true);
}
