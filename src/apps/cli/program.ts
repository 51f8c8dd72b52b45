// Parses the command line, runs one command, and turns whatever goes wrong into a message and an exit status.
import { Command, CommanderError } from 'commander';
import { UllageError } from '../../core/errors.ts';
import type { CommandContext } from './command.ts';
import { COMMANDS } from './registry.ts';
import { reportError } from './report-error.ts';
import type { Terminal } from './terminal/terminal.ts';
import { packageVersion } from './version.ts';

const USAGE_EXIT_CODE = 2;

/** Runs `ullage` with these arguments (without the program's own name). Returns the exit status; throws nothing. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const context: CommandContext = {
    terminal,
    setExitCode: (code) => {
      exitCode = code;
    },
  };
  try {
    const program = await buildProgram(args, context);
    if (args.length === 0) {
      terminal.stderr.write(program.helpInformation());
      return USAGE_EXIT_CODE;
    }
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportError(toUsageError(error), { terminal, isJson: args.includes('--json') });
  }
}

async function buildProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const { terminal } = context;
  const program = new Command('ullage')
    .description('Keeps headroom in the context window of long-running LLM agents.')
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      // Messages are written once, by reportError.
      writeErr: () => {},
    });
  const named = new Set(args);
  for (const entry of COMMANDS) {
    const command = program.command(entry.name, { hidden: entry.isHidden === true }).description(entry.summary);
    if (named.has(entry.name)) (await entry.load()).configure(command, context);
  }
  return program;
}

/** commander's own errors are about the command line; their text begins with "error: ". */
function toUsageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  return new UllageError('usage_invalid', error.message.replace(/^error: /, '').replaceAll('\n', ' '));
}
