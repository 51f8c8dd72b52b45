// Runs `ullage compact`: flags and file in, request out, and what was done on standard error.
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { CompactFlags } from '../commands/compact.ts';
import { loadTranscript } from '../shared/load-transcript.ts';
import { measureRequest } from '../shared/request-size.ts';
import { checkOutput, writeOutput } from '../shared/write-output.ts';
import { colorsFor } from '../terminal/colors.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { widthOf } from '../terminal/terminal.ts';
import { compactTranscript } from './compact-transcript.ts';
import { renderPlan } from './plan-text.ts';
import { type CompactReport, reportJson, reportOf } from './report.ts';
import { renderSummary } from './summary-text.ts';
import { resolveTarget } from './target.ts';

const EXHAUSTED_EXIT_CODE = 78;

export async function runCompact(file: string, flags: CompactFlags, context: CommandContext): Promise<void> {
  const { stderr, now } = context.terminal;
  await checkFlags(file, flags);
  const progress = createProgress({ write: (text) => stderr.write(text), isTerminal: stderr.isTTY === true, now });
  let report: CompactReport;
  try {
    report = await compactFile(file, flags, { context, progress });
  } finally {
    progress.clear();
  }
  await deliver(report, flags, context);
  if (report.isOverWindow) context.setExitCode(EXHAUSTED_EXIT_CODE);
}

async function checkFlags(file: string, flags: CompactFlags): Promise<void> {
  if (flags.output === undefined) return;
  if (flags.dryRun === true) throw new UllageError('option_invalid', '--dry-run writes nothing: leave --output out.');
  await checkOutput({ file: flags.output, input: file, isForced: flags.force === true });
}

async function compactFile(
  file: string,
  flags: CompactFlags,
  { context, progress }: { readonly context: CommandContext; readonly progress: Progress },
): Promise<CompactReport> {
  const { terminal } = context;
  const startedAtMs = terminal.now();
  const loaded = await loadTranscript(file, flags, { terminal, onProgress: () => progress.update('reading') });
  progress.update('counting');
  const before = measureRequest(loaded.codec, loaded.transcript.bodyText);
  const target = resolveTarget(flags, { tokens: before.tokens, model: loaded.transcript.model });
  progress.update('compacting');
  const request = { ...target, size: before, focus: flags.focus, isDryRun: flags.dryRun === true };
  const result = await compactTranscript(loaded, request);
  return reportOf(loaded, { request, result, durationMs: terminal.now() - startedAtMs });
}

async function deliver(report: CompactReport, flags: CompactFlags, { terminal }: CommandContext): Promise<void> {
  const { stdout, stderr } = terminal;
  const request = report.result.text.endsWith('\n') ? report.result.text : `${report.result.text}\n`;
  if (flags.output !== undefined) await writeOutput(flags.output, request);
  if (flags.json === true) {
    const isInside = flags.output === undefined && flags.dryRun !== true;
    stdout.write(`${reportJson(report, { request: isInside ? request.trim() : undefined })}\n`);
    return;
  }
  const lines = renderSummary(report, { width: widthOf(stderr), colors: colorsFor(terminal, stderr), isDryRun: flags.dryRun === true });
  if (flags.dryRun === true) {
    stdout.write(`${[...renderPlan(report, { width: widthOf(stdout), colors: colorsFor(terminal, stdout) }), ''].join('\n')}`);
  } else if (flags.output === undefined) stdout.write(request);
  stderr.write(`${lines.join('\n')}\n`);
}
