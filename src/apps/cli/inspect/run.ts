// Runs `ullage inspect`: reads the flags and the file, writes the report.
import type { CommandContext } from '../command.ts';
import type { InspectFlags } from '../commands/inspect.ts';
import { readTranscript } from '../formats/index.ts';
import { parseFormat } from '../input/parse-format.ts';
import { MOST_BYTES, readText } from '../input/read-text.ts';
import { colorsFor } from '../terminal/colors.ts';
import { parseBytes, parseTokens, parseWhole } from '../terminal/numbers.ts';
import { createProgress } from '../terminal/progress.ts';
import { widthOf } from '../terminal/terminal.ts';
import { renderInspection } from './render.ts';
import { type Inspection, inspectTranscript } from './report.ts';

export async function runInspect(file: string, flags: InspectFlags, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { stdout } = terminal;
  const report = await buildReport(file, flags, context);
  if (flags.json === true) {
    stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    return;
  }
  const lines = renderInspection(report, { width: widthOf(stdout), colors: colorsFor(terminal, stdout) });
  stdout.write(`${lines.join('\n')}\n`);
}

async function buildReport(file: string, flags: InspectFlags, { terminal }: CommandContext): Promise<Inspection> {
  const { stderr, stdin, now } = terminal;
  const format = parseFormat(flags.format);
  const window = flags.window === undefined ? undefined : parseTokens('--window', flags.window);
  const limitBytes = flags.maxSize === undefined ? undefined : parseBytes('--max-size', flags.maxSize, MOST_BYTES);
  const top = parseWhole('--top', flags.top);
  const progress = createProgress({ write: (text) => stderr.write(text), isTerminal: stderr.isTTY === true, now });
  try {
    const source = await readText(file, { stdin, limitBytes, onProgress: () => progress.update('reading') });
    progress.update('counting');
    return inspectTranscript(readTranscript(source, format), { file: source.name, window, top });
  } finally {
    progress.clear();
  }
}
