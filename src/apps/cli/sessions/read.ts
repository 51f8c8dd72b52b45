// `ullage sessions read HANDLE`: a handle names its session by itself.
import { UllageError } from '../../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { keyOfHandle } from '../shared/handle-session.ts';
import { openSession, withDatabase } from './open-session.ts';
import { printable } from './printable.ts';

export async function runRead(handle: string, flags: SessionsFlags, { terminal }: CommandContext): Promise<void> {
  const range = flags.lines === undefined ? undefined : parseLines(flags.lines);
  const found = await withDatabase(flags, async (store) => {
    const key = await keyOfHandle(store, handle, flags.tenant);
    const { session } = await openSession(store, key, flags);
    return { session: key, text: await session.read(handle, range) };
  });
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify({ handle, ...found }, undefined, 2)}\n`);
  else stdout.write(`${stdout.isTTY === true ? printable(found.text) : found.text}\n`);
}

function parseLines(text: string): { readonly fromLine: number; readonly toLine: number } {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text.trim());
  const fromLine = Number(match?.[1]);
  const toLine = Number(match?.[2] ?? match?.[1]);
  if (fromLine >= 1 && toLine >= fromLine) return { fromLine, toLine };
  throw new UllageError('option_invalid', `--lines ${JSON.stringify(text)}: expected lines from 1, such as 10-25.`);
}
