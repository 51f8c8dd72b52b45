// Which of several requests that end at the same entry was answered: its stamp is that of the answer that follows.
import type { ConversationRow } from '../ports/store.ts';
import type { Context } from './context.ts';
import type { PreparedRecord } from './prepared-id.ts';

/** Writes only when another request was prepared at the same entry since. */
export async function noteAnswered(context: Context, record: PreparedRecord, known?: ConversationRow): Promise<void> {
  const { conversationId, stamp: tipViewId, tip } = record;
  if (typeof tipViewId !== 'string') return;
  const { store, tenant } = context;
  const conversation = known ?? (await store.conversation({ tenant, conversationId }));
  if (conversation?.tip?.chain !== tip || conversation?.tipViewId === tipViewId) return;
  await store.touchConversation({ tenant, conversationId, atMs: context.clock.now(), tipViewId, isCurrent: false });
}
