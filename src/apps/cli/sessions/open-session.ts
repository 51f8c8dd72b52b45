// Opens a database that must exist, and a session in it that must exist: reading creates nothing.
import { UllageError } from '../../../core/errors.ts';
import { createUllage } from '../../../create-ullage.ts';
import type { Session } from '../../../engine/session.ts';
import type { ConversationRow, SessionRow, Store } from '../../../ports/store.ts';
import { openDatabase } from '../shared/database.ts';

export interface DatabaseFlags {
  readonly db: string;
  readonly tenant: string;
}

/** Runs the work on the open store and closes it. Throws store_unavailable when there is no such file. */
export async function withDatabase<T>({ db }: DatabaseFlags, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openDatabase(db, { mustExist: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export interface OpenedSession {
  readonly store: Store;
  readonly session: Session;
  readonly row: SessionRow;
  readonly conversations: readonly ConversationRow[];
}

export interface SessionOptions extends DatabaseFlags {
  /** Window of its model, where nobody knows it. */
  readonly windowTokens?: number;
}

/** Throws session_not_found. */
export function withSession<T>(key: string, options: SessionOptions, work: (opened: OpenedSession) => Promise<T>): Promise<T> {
  return withDatabase(options, async (store) => work(await openSession(store, key, options)));
}

export async function openSession(store: Store, key: string, { db, tenant, windowTokens }: SessionOptions): Promise<OpenedSession> {
  const row = await store.findSession({ tenant, key });
  if (row === undefined) throw new UllageError('session_not_found', `There is no session ${JSON.stringify(key)} in ${db}.`);
  const conversations = await store.conversations({ tenant, sessionId: row.sessionId });
  const current = conversations.find(({ conversationId }) => conversationId === row.currentConversationId) ?? conversations.at(-1);
  const models = windowTokens === undefined ? undefined : { window: windowTokens };
  const ullage = createUllage({ store, tenant, models, api: current?.api ?? 'openai-chat' });
  return { store, row, conversations, session: await ullage.session(key) };
}
