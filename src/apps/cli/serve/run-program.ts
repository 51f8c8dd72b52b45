// `ullage run -- COMMAND`: a gateway on a free port for one program; at the end, what was saved. Its exit status is the program's.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import os from 'node:os';
import { UllageError } from '../../../core/errors.ts';
import { createGateway, type GatewayTotals } from '../../gateway/gateway.ts';
import type { CommandContext } from '../command.ts';
import type { RunFlags } from '../commands/run.ts';
import { openDatabase } from '../shared/database.ts';
import { plural } from '../shared/plural.ts';
import { formatCount } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { STORE_RETRY_MS } from './gateway-options.ts';
import { argumentsFor, environmentFor, upstreamsOf } from './program-settings.ts';
import { readGatewayFlags } from './read-flags.ts';
import { textLog } from './text-log.ts';

/** As shells have it. */
const NOT_FOUND_EXIT_CODE = 127;
const NOT_EXECUTABLE_EXIT_CODE = 126;
const SIGNAL_EXIT_BASE = 128;
const PRIVATE_MODE = 0o600;

export async function runProgram(words: readonly string[], flags: RunFlags, context: CommandContext): Promise<void> {
  const { terminal } = context;
  const { env } = terminal;
  const [command = '', ...args] = words;
  const known = upstreamsOf(env);
  const { upstreamAnthropic = known.anthropic, upstreamOpenai = known.openai } = flags;
  const options = readGatewayFlags({ ...flags, upstreamAnthropic, upstreamOpenai }, env);
  const lines = flags.logFile === undefined ? undefined : openLog(flags.logFile);
  const log = lines === undefined ? undefined : textLog((line) => writeLine(lines, line), terminal.now);
  const store = await openDatabase(flags.db, { mustExist: false, retryForMs: STORE_RETRY_MS });
  const gateway = await createGateway({ ...options, store, port: 0, log });
  try {
    const settings = { stdio: 'inherit', env: environmentFor(env, gateway.url) } as const;
    context.setExitCode(await ended(spawn(command, argumentsFor(command, args, gateway.url), settings)));
    terminal.stderr.write(savedText(gateway.totals()));
  } catch (error) {
    context.setExitCode(tellStartFailure(error, command, terminal));
  } finally {
    await gateway.close();
    if (lines !== undefined) closeSync(lines);
  }
}

function openLog(file: string): number {
  try {
    return openSync(file, 'a', PRIVATE_MODE);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new UllageError('output_failed', `--log-file ${file} cannot be written: ${code ?? message}.`, { cause });
  }
}

/** A full disk costs lines of the log, and no request. */
function writeLine(file: number, line: string): void {
  try {
    writeSync(file, line);
  } catch {
    // Nobody is left to tell: the program has the terminal.
  }
}

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Its exit status, as a shell has it. Signals that we get are the program's; a terminal sends it its own SIGINT. */
async function ended(child: ChildProcess): Promise<number> {
  const forward = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(code ?? SIGNAL_EXIT_BASE + (os.constants.signals[signal ?? 'SIGTERM'] ?? 0)));
    });
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
  }
}

function tellStartFailure(error: unknown, command: string, terminal: Terminal): number {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'EACCES') throw error;
  const name = toSingleLine(command);
  const isMissing = code === 'ENOENT';
  terminal.stderr.write(
    isMissing
      ? `ullage: ${name}: there is no such program.\nCheck its name and PATH; the program and its arguments stand after --.\n`
      : `ullage: ${name}: it may not be executed.\nCheck its permissions.\n`,
  );
  return isMissing ? NOT_FOUND_EXIT_CODE : NOT_EXECUTABLE_EXIT_CODE;
}

/** Two lines. */
function savedText({ requests, compactions, oldTokens, newTokens }: GatewayTotals): string {
  const saved = compactions === 0 ? 'nothing had to be compacted' : `${formatCount(oldTokens)} → ${formatCount(newTokens)} tokens`;
  return `ullage: ${plural(requests, 'request')}, ${plural(compactions, 'compaction')}\nullage: ${saved}\n`;
}
