// `ullage sessions search KEY QUERY`.
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { plural } from '../shared/plural.ts';
import { colorsFor } from '../terminal/colors.ts';
import { parseWhole } from '../terminal/numbers.ts';
import { widthOf } from '../terminal/terminal.ts';
import { toSingleLine, wrapText } from '../terminal/text-width.ts';
import { withSession } from './open-session.ts';
import { writeResult } from './write.ts';

export async function runSearch(
  { key, query }: { readonly key: string; readonly query: string },
  flags: SessionsFlags,
  context: CommandContext,
): Promise<void> {
  const limit = parseWhole('--limit', flags.limit ?? '');
  const hits = await withSession(key, flags, ({ session }) => session.search(query, { limit }));
  const { stdout } = context.terminal;
  const { bold } = colorsFor(context.terminal, stdout);
  writeResult(context, flags, {
    document: { session: key, query, hits },
    lines: () => [
      ...hits.flatMap(({ handle, position, role, excerpt }) => [
        `${bold(handle)}  message ${position}, ${role}`,
        ...wrapText(`  ${toSingleLine(excerpt)}`, widthOf(stdout), '  '),
      ]),
      hits.length === 0 ? 'Nothing found.' : `${plural(hits.length, 'hit')}; \`ullage sessions read HANDLE\` shows the whole text.`,
    ],
  });
}
