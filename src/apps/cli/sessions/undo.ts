// `ullage sessions undo KEY`.
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { plural } from '../shared/plural.ts';
import { parseTokens } from '../terminal/numbers.ts';
import { withSession } from './open-session.ts';
import { writeResult } from './write.ts';

export async function runUndo(key: string, flags: SessionsFlags, context: CommandContext): Promise<void> {
  const windowTokens = flags.window === undefined ? undefined : parseTokens('--window', flags.window);
  const undone = await withSession(key, { ...flags, windowTokens }, ({ session }) => session.undo());
  writeResult(context, flags, {
    document: { session: key, ...undone },
    lines: () => [
      `The newest compaction is taken back: ${plural(undone.restoredMessages, 'message')} go out again as they came.`,
      'Automatic compaction rests for an hour, until the context is nearly full, or until a provider refuses the request.',
    ],
  });
}
