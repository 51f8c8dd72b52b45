// Which session a handle belongs to: handles name it by themselves.
import { UllageError } from '../../../core/errors.ts';
import type { Store } from '../../../ports/store.ts';

const ENTRY_HANDLE = /^e_([0-9a-f]{12,64})(?:\.\d{1,6})?$/;
const FOLD_HANDLE = /^f_([A-Za-z0-9-]{1,64})$/;

/** The key of the session that holds what the handle opens. Throws handle_not_found, also for another tenant's. */
export async function keyOfHandle(store: Store, handle: string, tenant: string): Promise<string> {
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
