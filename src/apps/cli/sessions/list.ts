// `ullage sessions list`.
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { plural } from '../shared/plural.ts';
import { colorsFor } from '../terminal/colors.ts';
import { formatBytes, formatCount } from '../terminal/numbers.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { widthOf } from '../terminal/terminal.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { withDatabase } from './open-session.ts';
import { formatTime } from './time-text.ts';
import { writeResult } from './write.ts';

export async function runList(flags: SessionsFlags, context: CommandContext): Promise<void> {
  const sessions = await withDatabase(flags, (store) => store.listSessions({ tenant: flags.tenant }));
  const { stdout } = context.terminal;
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns = [
    { title: 'session', isFlexible: true },
    right('messages'),
    right('folds'),
    right('size'),
    { title: 'last request (UTC)' },
  ];
  const lines = () => {
    if (sessions.length === 0) return [`No sessions in ${flags.db}.`];
    const rows = sessions.map(({ key, entries, folds, sizeBytes, lastRequestAtMs }) => [
      toSingleLine(key),
      formatCount(entries),
      formatCount(folds),
      formatBytes(sizeBytes),
      formatTime(lastRequestAtMs),
    ]);
    const table = renderTable(columns, rows, { width: widthOf(stdout), paintHead: colorsFor(context.terminal, stdout).dim });
    return [...table, plural(sessions.length, 'session')];
  };
  writeResult(context, flags, { document: { db: flags.db, sessions }, lines });
}
