// `ullage sessions pin KEY [TEXT]`.
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { toSingleLine } from '../terminal/text-width.ts';
import { withSession } from './open-session.ts';
import { writeResult } from './write.ts';

export async function runPin(
  { key, text }: { readonly key: string; readonly text: string },
  flags: SessionsFlags,
  context: CommandContext,
): Promise<void> {
  if (flags.remove !== undefined && text !== '') throw new UllageError('usage_invalid', 'Either pin a text or --remove one, not both.');
  const pins = await withSession(key, flags, async ({ session }) => {
    if (flags.remove !== undefined && !(await session.unpin(flags.remove)))
      throw new UllageError('option_invalid', `--remove ${JSON.stringify(flags.remove)}: there is no such pin.`, {
        hint: 'List the pins with `ullage sessions pin KEY`.',
      });
    if (text !== '') await session.pin(text);
    return session.pins();
  });
  writeResult(context, flags, {
    document: { session: key, pins },
    lines: () => (pins.length === 0 ? ['No pins.'] : pins.map((pin) => `${pin.id}  ${toSingleLine(pin.text)}`)),
  });
}
