// What the two tools answer: texts of bounded size from a database. Knows no protocol.
import { UllageError } from '../../../core/errors.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { Session } from '../../../engine/session.ts';
import type { Store } from '../../../ports/store.ts';
import { keyOfHandle } from '../shared/handle-session.ts';

/** An answer of the tool is a part of the agent's context: larger texts are given in ranges. */
const READ_LIMIT_CHARS = 24_000;
const LINE_LIMIT_CHARS = 4_000;
const SEARCH_LIMIT = 50;
const EXCERPT_LIMIT_CHARS = 400;

export interface ReadRequest {
  readonly handle: string;
  /** From 1, inclusive. */
  readonly fromLine?: number;
  readonly toLine?: number;
}

export interface RecallTools {
  /** The lines asked for, as many as fit in 24,000 characters, and which they are; a line over 4,000 characters counts as several. Throws handle_not_found, not_stored, option_invalid. */
  read(request: ReadRequest): Promise<string>;
  /** Hits with their handles, newest first where equal. Throws session_not_found, not_stored. */
  search(request: { readonly query: string; readonly limit?: number; readonly session?: string }): Promise<string>;
}

/** `onlySession`: another session's handles are "not found". */
export function recallTools(store: Store, scope: { readonly tenant: string; readonly onlySession?: string }): RecallTools {
  const { tenant, onlySession } = scope;
  return {
    async read({ handle, fromLine = 1, toLine }) {
      const key = onlySession ?? (await keyOfHandle(store, handle, tenant));
      const session = await openExisting(store, key, tenant);
      return lineRange(await session.read(handle), { fromLine, toLine });
    },
    async search({ query, limit = 10, session: asked }) {
      const key = onlySession ?? asked ?? (await newestKey(store, tenant));
      const session = await openExisting(store, key, tenant);
      const hits = await session.search(query, { limit: Math.min(limit, SEARCH_LIMIT) });
      if (hits.length === 0) return `Nothing found in session ${JSON.stringify(key)}.`;
      return hits
        .map(({ handle, position, role, excerpt }) => `${handle}  message ${position}, ${role}\n  ${excerpt.slice(0, EXCERPT_LIMIT_CHARS)}`)
        .join('\n');
    },
  };
}

/** Throws session_not_found: looking creates no session. */
async function openExisting(store: Store, key: string, tenant: string): Promise<Session> {
  const row = await store.findSession({ tenant, key });
  if (row === undefined) throw new UllageError('session_not_found', `There is no session ${JSON.stringify(key.slice(0, 80))}.`);
  const conversation = row.currentConversationId && (await store.conversation({ tenant, conversationId: row.currentConversationId }));
  return createUllage({ store, tenant, api: (conversation || undefined)?.api ?? 'openai-chat' }).session(key);
}

async function newestKey(store: Store, tenant: string): Promise<string> {
  const sessions = await store.listSessions({ tenant });
  const newest = sessions.reduce<(typeof sessions)[number] | undefined>(
    (best, row) => (best === undefined || row.lastRequestAtMs > best.lastRequestAtMs ? row : best),
    undefined,
  );
  if (newest === undefined) throw new UllageError('session_not_found', 'No session is stored yet.');
  return newest.key;
}

function lineRange(text: string, { fromLine, toLine }: { readonly fromLine: number; readonly toLine?: number }): string {
  const lines = text.split('\n').flatMap(shortLines);
  if (fromLine > lines.length) throw new UllageError('option_invalid', `fromLine is ${fromLine}; this text has ${lines.length} lines.`);
  const last = Math.min(toLine ?? lines.length, lines.length);
  if (last < fromLine) throw new UllageError('option_invalid', `toLine is ${toLine}; it must not be before fromLine, ${fromLine}.`);
  const shown: string[] = [];
  let room = READ_LIMIT_CHARS;
  for (const line of lines.slice(fromLine - 1, last)) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  const end = fromLine + shown.length - 1;
  const isWhole = fromLine === 1 && end === lines.length;
  return isWhole ? shown.join('\n') : `[lines ${fromLine}–${end} of ${lines.length}]\n${shown.join('\n')}`;
}

/** A line too long to be read at once, as several: minified JSON is one line. */
const PIECE = new RegExp(`.{1,${LINE_LIMIT_CHARS}}`, 'gsu');

function shortLines(line: string): readonly string[] {
  return line.length <= LINE_LIMIT_CHARS ? [line] : (line.match(PIECE) ?? []);
}
