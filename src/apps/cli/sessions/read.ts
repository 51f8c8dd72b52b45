// `ullage sessions read HANDLE`: a handle names its session by itself.
import { UllageError } from '../../../core/errors.ts';
import type { Store } from '../../../ports/store.ts';
import type { CommandContext } from '../command.ts';
import type { SessionsFlags } from '../commands/sessions.ts';
import { openSession, withDatabase } from './open-session.ts';
import { printable } from './printable.ts';

const ENTRY_HANDLE = /^e_([0-9a-f]{12,64})(?:\.\d{1,6})?$/;
const FOLD_HANDLE = /^f_([A-Za-z0-9-]{1,64})$/;

export async function runRead(handle: string, flags: SessionsFlags, { terminal }: CommandContext): Promise<void> {
  const range = flags.lines === undefined ? undefined : parseLines(flags.lines);
  const found = await withDatabase(flags, async (store) => {
    const key = await keyOf(store, handle, flags.tenant);
    const { session } = await openSession(store, key, flags);
    return { session: key, text: await session.read(handle, range) };
  });
  const { stdout } = terminal;
  if (flags.json === true) stdout.write(`${JSON.stringify({ handle, ...found }, undefined, 2)}\n`);
  else stdout.write(`${stdout.isTTY === true ? printable(found.text) : found.text}\n`);
}

/** Throws handle_not_found. */
async function keyOf(store: Store, handle: string, tenant: string): Promise<string> {
  const chainPrefix = ENTRY_HANDLE.exec(handle)?.[1] ?? (await foldEnd(store, handle, tenant));
  const entry = chainPrefix === undefined ? undefined : await store.findEntry({ tenant, chainPrefix });
  const conversation = entry && (await store.conversation({ tenant, conversationId: entry.conversationId }));
  const sessions = conversation === undefined ? [] : await store.listSessions({ tenant });
  const row = sessions.find(({ sessionId }) => sessionId === conversation?.sessionId);
  if (row === undefined)
    throw new UllageError('handle_not_found', `Nothing is stored under the handle ${JSON.stringify(handle.slice(0, 80))}.`);
  return row.key;
}

/** Chain hash of the last message of a fold. */
async function foldEnd(store: Store, handle: string, tenant: string): Promise<string | undefined> {
  const viewId = FOLD_HANDLE.exec(handle)?.[1];
  const view = viewId === undefined ? undefined : await store.view({ tenant, viewId });
  return view?.body.fold?.toChain;
}

function parseLines(text: string): { readonly fromLine: number; readonly toLine: number } {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text.trim());
  const fromLine = Number(match?.[1]);
  const toLine = Number(match?.[2] ?? match?.[1]);
  if (fromLine >= 1 && toLine >= fromLine) return { fromLine, toLine };
  throw new UllageError('option_invalid', `--lines ${JSON.stringify(text)}: expected lines from 1, such as 10-25.`);
}
