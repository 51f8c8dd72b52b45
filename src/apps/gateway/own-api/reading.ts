// Entries, view and folds of a session's current conversation, as documents.
import type { ViewHead } from '../../../core/plan/view.ts';
import { entryHandle, foldHandle } from '../../../core/transcript/entry.ts';
import { messageText } from '../../../engine/recall.ts';
import type { ConversationRow } from '../../../ports/store.ts';
import { codecFor } from '../../../wire/index.ts';
import type { KnownSession } from '../sessions/session-pool.ts';
import type { OwnApiContext } from './environment.ts';

const EXCERPT_CHARS = 500;
const MOST_FOLDS = 50;

function currentOf({ row, conversations }: KnownSession): ConversationRow | undefined {
  return conversations.find(({ conversationId }) => conversationId === row.currentConversationId);
}

/** From `from`, default the newest `limit`; each with a handle that reads it whole. */
export async function entriesOf({ store }: OwnApiContext, known: KnownSession, page: { readonly from?: number; readonly limit: number }) {
  const current = currentOf(known);
  const count = (current?.tip?.position ?? -1) + 1;
  const from = page.from ?? Math.max(0, count - page.limit);
  if (!current?.tip || from >= count) return { count, from, entries: [] };
  const { tenant, sessionId } = known.row;
  const to = Math.min(count, from + page.limit) - 1;
  const stored = await store.readEntries({ tenant, sessionId, tip: current.tip.chain, from, to });
  const codec = codecFor(current.api);
  const entries = stored.map(({ position, chain, role, tokens, atMs, viewId, raw }) => {
    const text = raw === undefined ? undefined : messageText(codec.decodeMessage(raw));
    return {
      position,
      handle: entryHandle(chain),
      role,
      tokens,
      atMs,
      viewId,
      chars: text?.length,
      excerpt: text?.slice(0, EXCERPT_CHARS),
    };
  });
  return { count, from, entries };
}

/** What stands in place of the folded and pruned entries now. */
export async function viewOf(api: OwnApiContext, known: KnownSession) {
  const [newest] = await viewsOf(api, known);
  const view = newest && (await api.store.view({ tenant: known.row.tenant, viewId: newest.viewId }));
  if (!view) return { view: null };
  const { body, ...head } = view;
  const { fold, replacements, pinIds, restores } = body;
  const replaced = replacements.map(({ position, kind, tokens }) => ({ position, kind, tokens }));
  return { view: { ...head, fold: fold && { ...fold, raw: undefined, handle: foldHandle(view.viewId) }, replaced, pinIds, restores } };
}

/** Committed folds that lead to the current view, the newest first. */
export async function foldsOf(api: OwnApiContext, known: KnownSession) {
  const heads = await viewsOf(api, known);
  const { tenant } = known.row;
  const views = await Promise.all(heads.slice(0, MOST_FOLDS).map(({ viewId }) => api.store.view({ tenant, viewId })));
  const folds = views.flatMap((view) => {
    if (view?.kind !== 'compaction' || !view.body.fold) return [];
    const { to, tokens, summary, text } = view.body.fold;
    return [{ handle: foldHandle(view.viewId), viewId: view.viewId, atMs: view.atMs, to, tokens, summary, text }];
  });
  return { folds };
}

/** The newest first. */
async function viewsOf({ store }: OwnApiContext, known: KnownSession): Promise<readonly ViewHead[]> {
  const current = currentOf(known);
  if (!current) return [];
  const { conversationId } = current;
  return (await store.loadConversation({ tenant: known.row.tenant, conversationId })).views;
}
