// Runs `ullage doctor`.
import type { CommandContext } from '../command.ts';
import type { DoctorFlags } from '../commands/doctor.ts';
import { colorsFor } from '../terminal/colors.ts';
import { widthOf } from '../terminal/terminal.ts';
import { toSingleLine, wrapText } from '../terminal/text-width.ts';
import { type Check, runChecks } from './checks.ts';

const STORE_EXIT_CODE = 69;
const FAILED_EXIT_CODE = 70;
const NAME_CHARS = 16;

export async function runDoctor(flags: DoctorFlags, { terminal, setExitCode }: CommandContext): Promise<void> {
  const checks = await runChecks(flags.db);
  const isOk = checks.every(({ ok }) => ok);
  const { stdout } = terminal;
  const text =
    flags.json === true ? JSON.stringify({ ok: isOk, checks: checks.map(publicCheck) }, undefined, 2) : lines(checks, terminal).join('\n');
  stdout.write(`${text}\n`);
  if (checks.some(({ ok, isStore }) => !ok && isStore === true)) setExitCode(STORE_EXIT_CODE);
  else if (!isOk) setExitCode(FAILED_EXIT_CODE);
}

function publicCheck({ name, ok, detail }: Check): Pick<Check, 'name' | 'ok' | 'detail'> {
  return { name, ok, detail };
}

function lines(checks: readonly Check[], terminal: CommandContext['terminal']): string[] {
  const colors = colorsFor(terminal, terminal.stdout);
  const width = widthOf(terminal.stdout) - NAME_CHARS - 2;
  const indent = ' '.repeat(NAME_CHARS + 2);
  return checks.flatMap(({ name, ok, detail }) => {
    const [first = '', ...rest] = wrapText(toSingleLine(detail), width);
    return [`${ok ? colors.green('✓') : colors.red('✗')} ${name.padEnd(NAME_CHARS)}${first}`, ...rest.map((line) => indent + line)];
  });
}
