// `ullage sessions delete KEY` and `ullage sessions prune`: for good, and never by accident.
import { createInterface } from 'node:readline/promises';
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { plural } from '../shared/plural.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { withDatabase, withSession } from './open-session.ts';
import { formatTime, parseAge } from './time-text.ts';
import { writeResult } from './write.ts';

const YES = /^y(es)?$/i;

export async function runDelete(key: string, flags: SessionsFlags, context: CommandContext): Promise<void> {
  const deleted = await withSession(key, flags, async ({ session }) => {
    const isWanted = flags.yes === true || (await confirm(context.terminal, `Delete session ${toSingleLine(key)} for good?`));
    return isWanted ? session.delete() : undefined;
  });
  writeResult(context, flags, {
    document: { session: key, isDeleted: deleted !== undefined, entries: deleted?.entries ?? 0 },
    lines: () => [deleted === undefined ? 'Nothing was deleted.' : `Deleted ${toSingleLine(key)}: ${plural(deleted.entries, 'message')}.`],
  });
}

/** Throws usage_invalid where nobody can answer. */
async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  const isInteractive = (terminal.stdin as { readonly isTTY?: boolean }).isTTY === true && terminal.stderr.isTTY === true;
  if (!isInteractive) throw new UllageError('usage_invalid', 'Nobody can be asked here: pass --yes to delete the session for good.');
  terminal.stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: terminal.stdin });
  try {
    for await (const line of lines) return YES.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}

export async function runPrune(flags: SessionsFlags, context: CommandContext): Promise<void> {
  const { tenant, db } = flags;
  const olderThanMs = context.terminal.now() - parseAge('--older-than', flags.olderThan ?? '');
  const isDryRun = flags.dryRun === true;
  const { old, removed } = await withDatabase(flags, async (store) => {
    const sessions = (await store.listSessions({ tenant })).filter(({ lastRequestAtMs }) => lastRequestAtMs < olderThanMs);
    return { old: sessions, removed: isDryRun ? undefined : await store.prune({ tenant, olderThanMs }) };
  });
  writeResult(context, flags, {
    document: { db, olderThan: new Date(olderThanMs).toISOString(), isDryRun, sessions: old.map(({ key }) => key), removed },
    lines: () => [
      ...old.map(({ key, lastRequestAtMs }) => `${formatTime(lastRequestAtMs)}  ${toSingleLine(key)}`),
      removed === undefined
        ? `${plural(old.length, 'session')} would be deleted.`
        : `Deleted ${plural(removed.sessions, 'session')} with ${plural(removed.entries, 'message')}.`,
    ],
  });
}
